#include "media_encode.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace hipvmaf::test {
namespace {

int check(int result, const char* what) {
  if (result < 0) throw std::runtime_error(what);
  return result;
}

struct Free {
  void operator()(AVFormatContext* output) const {
    if ((output->oformat->flags & AVFMT_NOFILE) == 0) avio_closep(&output->pb);
    avformat_free_context(output);
  }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};

class Encoder {
 public:
  Encoder(const std::string& path, const EncodeSpec& spec) {
    AVFormatContext* output = nullptr;
    check(avformat_alloc_output_context2(&output, nullptr, nullptr, path.c_str()), "container");
    output_.reset(output);
    const AVCodec* codec = avcodec_find_encoder(spec.codec);
    if (codec == nullptr) throw std::runtime_error("no such encoder");
    encoder_.reset(avcodec_alloc_context3(codec));
    encoder_->width = spec.width;
    encoder_->height = spec.height;
    encoder_->pix_fmt = spec.pixel_format;
    encoder_->color_range = spec.range;
    encoder_->time_base = {1, 25};
    encoder_->framerate = {25, 1};
    encoder_->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
    encoder_->thread_count = 1;
    encoder_->max_b_frames = spec.b_frames;
    if (spec.codec == AV_CODEC_ID_FFV1) encoder_->level = 3;  // with checksums
    if ((output->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
      encoder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    }
    check(avcodec_open2(encoder_.get(), codec, nullptr), "encoder");
    stream_ = avformat_new_stream(output, nullptr);
    stream_->time_base = encoder_->time_base;
    stream_->avg_frame_rate = encoder_->framerate;
    check(avcodec_parameters_from_context(stream_->codecpar, encoder_.get()), "parameters");
    if ((output->oformat->flags & AVFMT_NOFILE) == 0) {
      check(avio_open(&output->pb, path.c_str(), AVIO_FLAG_WRITE), "file");
    }
    check(avformat_write_header(output, nullptr), "header");
  }

  void write(const AVFrame* frame) {
    check(avcodec_send_frame(encoder_.get(), frame), "frame");
    while (avcodec_receive_packet(encoder_.get(), packet_.get()) == 0) {
      av_packet_rescale_ts(packet_.get(), encoder_->time_base, stream_->time_base);
      packet_->stream_index = stream_->index;
      check(av_interleaved_write_frame(output_.get(), packet_.get()), "packet");
    }
  }

  void finish() {
    write(nullptr);
    check(av_write_trailer(output_.get()), "trailer");
  }

 private:
  std::unique_ptr<AVFormatContext, Free> output_;
  std::unique_ptr<AVCodecContext, Free> encoder_;
  std::unique_ptr<AVPacket, Free> packet_{av_packet_alloc()};
  AVStream* stream_ = nullptr;
};

}  // namespace

void FreeFrame::operator()(AVFrame* frame) const { av_frame_free(&frame); }

std::unique_ptr<AVFrame, FreeFrame> make_frame(AVPixelFormat pixel_format, int width, int height) {
  std::unique_ptr<AVFrame, FreeFrame> frame(av_frame_alloc());
  frame->width = width;
  frame->height = height;
  frame->format = pixel_format;
  check(av_frame_get_buffer(frame.get(), 0), "frame memory");
  for (const AVBufferRef* buffer : frame->buf) {
    if (buffer != nullptr) std::fill_n(buffer->data, buffer->size, std::uint8_t{0});
  }
  return frame;
}

void encode(const std::string& path, const EncodeSpec& spec,
            const std::function<void(AVFrame& frame, int index)>& fill) {
  Encoder encoder(path, spec);
  for (int f = 0; f < spec.frames; ++f) {
    const auto frame = make_frame(spec.pixel_format, spec.width, spec.height);
    frame->color_range = spec.range;
    frame->pts = f;
    fill(*frame, f);
    encoder.write(frame.get());
  }
  encoder.finish();
}

std::vector<std::int64_t> packet_positions(const std::string& path) {
  AVFormatContext* input = nullptr;
  check(avformat_open_input(&input, path.c_str(), nullptr, nullptr), "input");
  std::vector<std::int64_t> positions;
  AVPacket* packet = av_packet_alloc();
  while (av_read_frame(input, packet) >= 0) {
    positions.push_back(packet->pos);
    av_packet_unref(packet);
  }
  av_packet_free(&packet);
  avformat_close_input(&input);
  return positions;
}

}  // namespace hipvmaf::test
