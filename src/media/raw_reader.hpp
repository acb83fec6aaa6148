// Raw planar YUV: nothing but samples, so that their format must be told.
#pragma once

#include <memory>

#include <hipvmaf/log.hpp>
#include <hipvmaf/picture.hpp>

#include "media/byte_source.hpp"
#include "media/video_reader.hpp"

namespace hipvmaf {

/// Reads frames of `format`, planes back to back, subsampled planes rounded up. Warns through `log`
/// if the length of the file fits only planes rounded down. Throws Error(unsupported_format), or
/// Error(bad_input) if the source is empty or is a video file with a header of its own.
[[nodiscard]] std::unique_ptr<VideoReader> open_raw(std::unique_ptr<ByteSource> source,
                                                    const PictureFormat& format,
                                                    const LogCallback& log,
                                                    PictureAllocator allocator = {});

}  // namespace hipvmaf
