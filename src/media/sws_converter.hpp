// libswscale: one picture to another size or pixel format.
#pragma once

extern "C" {
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>
}

#include <cstdint>
#include <memory>

#include <hipvmaf/picture.hpp>

namespace hipvmaf {

class SwsConverter {
 public:
  struct Image {
    int width = 0;
    int height = 0;
    AVPixelFormat format = AV_PIX_FMT_NONE;
  };

  /// `filter` is one of SWS_BICUBIC, SWS_LANCZOS, SWS_BILINEAR. Values of YUV keep their range
  /// whatever it is; RGB becomes limited-range YUV. Throws Error(unsupported_format) if libswscale
  /// cannot convert.
  SwsConverter(const Image& from, const Image& to, int filter);

  /// Fills `to`, which is a picture of the format given to the constructor.
  void run(const std::uint8_t* const* planes, const int* strides, const PictureBuffer& to);

 private:
  struct Free {
    void operator()(SwsContext* context) const { sws_freeContext(context); }
  };
  std::unique_ptr<SwsContext, Free> context_;
  int height_;
};

}  // namespace hipvmaf
