// VmafPicture: a struct of the caller's over samples that are counted references.
#pragma once

#include <cstddef>
#include <functional>
#include <libvmaf/picture.h>

#include <hipvmaf/picture.hpp>

namespace hipvmaf::capi {

/// Throws Error(unsupported_format), Error(invalid_argument) for an unknown pixel format.
[[nodiscard]] PictureFormat format_of(const VmafPixelFormat& pix_fmt, unsigned bpc, unsigned width,
                                      unsigned height);

/// Bytes of all planes.
[[nodiscard]] std::size_t picture_bytes(const PictureFormat& format);

/// Makes a picture with one reference in a block of that many bytes; `release` is called when the
/// last one has gone.
[[nodiscard]] VmafPicture make_picture(const PictureFormat& format, std::byte* block,
                                       std::function<void()> release);

/// The same samples for the engine, which holds a reference of its own until it has read them.
/// Throws Error(invalid_argument) for a picture that was released.
[[nodiscard]] Picture share(const VmafPicture& picture);

}  // namespace hipvmaf::capi
