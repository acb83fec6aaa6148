// Decoded frames as pictures.
#pragma once

#include <cstdint>  // FFmpeg's headers want it to be there

extern "C" {
#include <libavutil/frame.h>
}

#include <optional>
#include <string>

#include <hipvmaf/picture.hpp>

#include "media/ffmpeg_formats.hpp"
#include "media/sws_converter.hpp"
#include "media/video_reader.hpp"

namespace hipvmaf {

/// FFmpeg's name of an AVPixelFormat.
[[nodiscard]] const char* pixel_format_name(int format);

/// Makes pictures of the frames of one video, which all have size and pixel format of its first.
class FramePictures {
 public:
  /// Copies come from `allocator`. Throws Error(unsupported_format).
  explicit FramePictures(const AVFrame& first, const PictureAllocator& allocator = {});

  [[nodiscard]] const PictureFormat& format() const { return pool_.format(); }
  [[nodiscard]] SampleRange range() const { return range_; }

  /// For example "nv12, full range, read as 64x48 4:2:0 8 bit".
  [[nodiscard]] std::string describe() const;

  /// Whether a frame has the size and the pixel format of the first.
  [[nodiscard]] bool takes(const AVFrame& frame) const;

  /// The picture of a frame that is taken: its own memory where that holds planes like ours (the
  /// frame is empty then), a converted copy otherwise.
  [[nodiscard]] Picture take(AVFrame& frame);

 private:
  int pixel_format_;
  PixelMapping mapping_;
  SampleRange range_;
  PicturePool pool_;
  std::optional<SwsConverter> converter_;  // for frames that do not hold our samples
};

}  // namespace hipvmaf
