// FFmpeg's pixel formats and ours.
#pragma once

extern "C" {
#include <libavutil/pixfmt.h>
}

#include <hipvmaf/picture.hpp>

namespace hipvmaf {

/// The planar pixel format of native byte order that stores such pictures as they are;
/// AV_PIX_FMT_NONE if FFmpeg has none (11, 13 and 15 bit).
[[nodiscard]] AVPixelFormat planar_pixel_format(ChromaFormat chroma, int bit_depth);

/// What pictures decoded video of a pixel format becomes.
struct PixelMapping {
  ChromaFormat chroma = ChromaFormat::yuv420;
  int bit_depth = 8;
  bool stored_alike = false;  ///< The planes can be used as they are.
  bool from_rgb = false;
};

/// Keeps subsampling and depth where we have them and otherwise goes to the next finer ones; RGB
/// becomes 4:4:4. Throws Error(unsupported_format) for formats without pixels in memory (hardware
/// surfaces).
[[nodiscard]] PixelMapping map_pixel_format(AVPixelFormat format);

}  // namespace hipvmaf
