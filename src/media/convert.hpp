// Videos converted while they are read.
#pragma once

#include <memory>

#include "media/scaler.hpp"
#include "media/video_reader.hpp"

namespace hipvmaf {

/// A reader of the pictures of `video` in another format.
/// Depth: a sample x becomes x << (D - d) when D is the larger depth, and is rounded to nearest
/// (halves up, at most the largest value) when it is the smaller one. 4:0:0 becomes chroma of the
/// middle value, and the other way round chroma is dropped. Size and chroma format otherwise:
/// libswscale with the named filter (bicubic if none is named), at the larger of the two depths.
/// Returns `video` itself if it has the format already. Throws Error(unsupported_format) where
/// libswscale is needed and absent. The pictures' memory comes from `allocator`.
[[nodiscard]] std::unique_ptr<VideoReader> convert_video(std::unique_ptr<VideoReader> video,
                                                         const PictureFormat& format, Scaler scaler,
                                                         const PictureAllocator& allocator);

}  // namespace hipvmaf
