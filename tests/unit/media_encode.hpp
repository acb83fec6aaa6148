// Makes small encoded videos with FFmpeg's libraries.
#pragma once

#include <cstdint>  // FFmpeg's headers want it to be there

extern "C" {
#include <libavcodec/codec_id.h>
#include <libavutil/frame.h>
}

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hipvmaf::test {

struct FreeFrame {
  void operator()(AVFrame* frame) const;
};

/// A frame of zeros.
[[nodiscard]] std::unique_ptr<AVFrame, FreeFrame> make_frame(AVPixelFormat pixel_format, int width,
                                                             int height);

struct EncodeSpec {
  AVCodecID codec = AV_CODEC_ID_FFV1;
  AVPixelFormat pixel_format = AV_PIX_FMT_YUV420P;
  int width = 0;
  int height = 0;
  AVColorRange range = AVCOL_RANGE_UNSPECIFIED;
  int frames = 1;
  int b_frames = 0;  ///< Frames in a row that are stored behind one that is shown after them.
};

/// Encodes frames that `fill` fills, into a container told by the extension of `path`. Throws
/// std::runtime_error.
void encode(const std::string& path, const EncodeSpec& spec,
            const std::function<void(AVFrame& frame, int index)>& fill);

/// Where the packets of a file begin, in the file's order. Throws std::runtime_error.
[[nodiscard]] std::vector<std::int64_t> packet_positions(const std::string& path);

}  // namespace hipvmaf::test
