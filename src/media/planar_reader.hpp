// Planes as raw video and Y4M store them: rows back to back, two bytes per sample above 8 bit,
// least significant first, the value in the low bits.
#pragma once

#include <cstdint>
#include <string_view>

#include <hipvmaf/picture.hpp>

#include "media/byte_source.hpp"

namespace hipvmaf {

/// "luma", "Cb" or "Cr".
[[nodiscard]] std::string_view plane_name(int plane);

/// Throws the Error(bad_input) of a frame that the source's end cuts off.
[[noreturn]] void throw_cut_off(const ByteSource& source, std::int64_t frame);

/// Fills one plane of `picture` from the source. Throws Error(bad_input) if the source ends before
/// the plane does, or if the plane has samples that its bit depth cannot hold; `frame` is for the
/// message.
void read_plane(ByteSource& source, std::int64_t frame, PictureBuffer& picture, int plane);

}  // namespace hipvmaf
