// Makes small encoded videos with FFmpeg's libraries.
#pragma once

extern "C" {
#include <libavcodec/codec_id.h>
#include <libavutil/frame.h>
}

#include <functional>
#include <string>

namespace hipvmaf::test {

struct EncodeSpec {
  AVCodecID codec = AV_CODEC_ID_FFV1;
  AVPixelFormat pixel_format = AV_PIX_FMT_YUV420P;
  int width = 0;
  int height = 0;
  AVColorRange range = AVCOL_RANGE_UNSPECIFIED;
  int frames = 1;
};

/// Encodes frames that `fill` fills, into a container told by the extension of `path`. Throws
/// std::runtime_error.
void encode(const std::string& path, const EncodeSpec& spec,
            const std::function<void(AVFrame& frame, int index)>& fill);

}  // namespace hipvmaf::test
