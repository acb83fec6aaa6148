// FFmpeg's pixel formats and ours.
#pragma once

#include <cstdint>  // FFmpeg's headers want it to be there

extern "C" {
#include <libavutil/pixfmt.h>
}

#include <hipvmaf/picture.hpp>

namespace hipvmaf {

/// The planar pixel format of native byte order that stores such pictures as they are;
/// AV_PIX_FMT_NONE if FFmpeg has none (11, 13 and 15 bit).
[[nodiscard]] AVPixelFormat planar_pixel_format(ChromaFormat chroma, int bit_depth);

/// How decoded frames hold what our planes hold.
enum class SampleStorage : std::uint8_t {
  planes,      ///< In planes that can be used as they are.
  components,  ///< In another order, offset or byte order (NV12, P010, packed YUV).
  other,       ///< Not at all (RGB, other subsamplings, floats).
};

/// What pictures decoded video of a pixel format becomes.
struct PixelMapping {
  ChromaFormat chroma = ChromaFormat::yuv420;
  int bit_depth = 8;
  SampleStorage storage = SampleStorage::planes;
  bool from_rgb = false;
};

/// Keeps subsampling and depth where we have them and otherwise goes to the next finer ones; RGB
/// becomes 4:4:4. Throws Error(unsupported_format) for formats without pixels in memory (hardware
/// surfaces).
[[nodiscard]] PixelMapping map_pixel_format(AVPixelFormat format);

}  // namespace hipvmaf
