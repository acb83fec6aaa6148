// YUV4MPEG2 (Y4M) files.
#pragma once

#include <memory>

#include <hipvmaf/log.hpp>

#include "media/byte_source.hpp"
#include "media/video_reader.hpp"

namespace hipvmaf {

/// Reads the header and then the frames. 4:1:1 becomes 4:2:2, an alpha plane is dropped, all else
/// is handed on as stored. Warns once through `log` about interlaced video, which is read as
/// frames. Throws Error(bad_input) for a header that cannot be read.
[[nodiscard]] std::unique_ptr<VideoReader> open_y4m(std::unique_ptr<ByteSource> source,
                                                    LogCallback log,
                                                    PictureAllocator allocator = {});

}  // namespace hipvmaf
