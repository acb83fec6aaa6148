#include "media/ffmpeg_reader.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <array>
#include <cerrno>
#include <exception>
#include <fmt/format.h>
#include <utility>

#include <hipvmaf/error.hpp>

#include "media/decoder_memory.hpp"
#include "media/ffmpeg_frames.hpp"
#include "media/ffmpeg_log.hpp"

namespace hipvmaf {
namespace {

struct CloseInput {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
};
struct FreeCodec {
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
};
struct FreePacket {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
struct FreeFrame {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};
struct FreeIo {
  void operator()(AVIOContext* io) const {
    av_freep(&io->buffer);
    avio_context_free(&io);
  }
};
using FormatContext = std::unique_ptr<AVFormatContext, CloseInput>;
using CodecContext = std::unique_ptr<AVCodecContext, FreeCodec>;
using FramePtr = std::unique_ptr<AVFrame, FreeFrame>;

template <class T>
T* allocated(T* object) {
  if (object == nullptr) throw Error(ErrorCode::out_of_memory, "no memory for FFmpeg's libraries");
  return object;
}

std::string av_text(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

/// Lets FFmpeg read from a ByteSource.
class SourceIo {
 public:
  explicit SourceIo(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
    constexpr int kBufferBytes = 64 * 1024;
    auto* buffer = static_cast<unsigned char*>(allocated(av_malloc(kBufferBytes)));
    io_.reset(
        avio_alloc_context(buffer, kBufferBytes, 0, this, &SourceIo::on_read, nullptr, nullptr));
    if (!io_) av_free(buffer);
    allocated(io_.get());
    io_->seekable = 0;
  }

  [[nodiscard]] AVIOContext* get() const { return io_.get(); }

  /// Throws what reading failed with, if it did.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static int on_read(void* self, std::uint8_t* to, int size) noexcept {
    auto* io = static_cast<SourceIo*>(self);
    try {
      const auto bytes = std::as_writable_bytes(std::span(to, static_cast<std::size_t>(size)));
      const std::size_t got = io->source_->read(bytes);
      return got > 0 ? static_cast<int>(got) : AVERROR_EOF;
    } catch (...) {
      io->failure_ = std::current_exception();
      return AVERROR(EIO);
    }
  }

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<AVIOContext, FreeIo> io_;
  std::exception_ptr failure_;
};

/// Decoders that go on after an error without marking the frame. The others are not made to stop at
/// errors: MPEG-4 part 2 with frame threads would abort the process (FFmpeg 5.1).
bool conceals_silently(AVCodecID codec) {
  return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC;
}

/// What callbacks of FFmpeg's contexts find through `opaque`.
class ContextPeer final : public FfmpegLogSink {
 public:
  ContextPeer(const std::string& label, const OpenOptions& options)
      : FfmpegLogSink(label, options.log), memory_(options.allocator) {}

  static int provide_memory(AVCodecContext* decoder, AVFrame* frame, int flags) {
    auto* const peer = static_cast<ContextPeer*>(static_cast<FfmpegLogSink*>(decoder->opaque));
    return peer->memory_.provide(*decoder, *frame, flags);
  }

 private:
  DecoderMemory memory_;
};

class FfmpegReader final : public VideoReader {
 public:
  FfmpegReader(std::string path, std::unique_ptr<ByteSource> source, const OpenOptions& options)
      : path_(std::move(path)),
        log_(options.log),
        stops_waiting_(options.stops_waiting),
        peer_(input_label(path_), options) {
    if (source) io_ = std::make_unique<SourceIo>(std::move(source));
    open_input();
    open_decoder(options);
    // Only the first frame says for certain what comes out of the decoder.
    if (!decode()) fail("there are no video frames in it");
    set_format(options.allocator);
    holds_first_ = true;
  }

  [[nodiscard]] const PictureFormat& format() const override { return pictures_->format(); }
  [[nodiscard]] const std::string& name() const override { return path_; }
  [[nodiscard]] std::optional<std::int64_t> expected_frames() const override {
    const AVStream& stream = *input_->streams[stream_];
    if (stream.nb_frames > 0) return stream.nb_frames;
    // Matroska tells only how long it takes.
    const AVRational rate = stream.avg_frame_rate;
    if (input_->duration <= 0 || rate.num <= 0 || rate.den <= 0) return std::nullopt;
    return av_rescale(input_->duration, rate.num, std::int64_t{AV_TIME_BASE} * rate.den);
  }
  [[nodiscard]] SampleRange range() const override { return pictures_->range(); }

  std::optional<Picture> read() override {
    if (!next()) return std::nullopt;
    Picture picture = pictures_->take(*frame_);
    ++frame_index_;
    return picture;
  }

  bool skip() override {
    if (!next()) return false;
    ++frame_index_;
    return true;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    if (io_) io_->rethrow();
    throw Error(ErrorCode::bad_input, fmt::format("{}: {}", input_label(path_), what));
  }

  [[noreturn]] void fail_frame(const std::string& what) const {
    fail(fmt::format("frame {} {}", frame_index_, what));
  }

  void open_input() {
    AVFormatContext* input = allocated(avformat_alloc_context());
    input->opaque = static_cast<FfmpegLogSink*>(&peer_);
    if (stops_waiting_) input->interrupt_callback = {&FfmpegReader::on_wait, this};
    if (io_) input->pb = io_->get();
    // The prefix keeps a colon in a file name from being taken for a protocol.
    const bool is_address = path_.find("://") != std::string::npos;
    const std::string url = io_ ? std::string() : is_address ? path_ : "file:" + path_;
    // On failure it frees the context.
    if (const int error = avformat_open_input(&input, url.c_str(), nullptr, nullptr); error < 0) {
      fail(fmt::format(
          "neither Y4M nor whole video that FFmpeg can open ({}); raw YUV needs --width, "
          "--height, --pixel_format and --bitdepth",
          av_text(error)));
    }
    input_.reset(input);
    peer_.start();
    (void)peer_.take_demuxer_error();  // what opening could live with
    if (const int error = avformat_find_stream_info(input, nullptr); error < 0) {
      fail(fmt::format("its streams cannot be read ({})", av_text(error)));
    }
    // That read ahead. In a short file it has met the end, and what was wrong with it is not told
    // again.
    const bool met_end = input->pb != nullptr && avio_feof(input->pb) != 0;
    if (!met_end) (void)peer_.take_demuxer_error();
  }

  /// Asked by FFmpeg while it waits for the network.
  static int on_wait(void* self) {
    return static_cast<FfmpegReader*>(self)->stops_waiting_() ? 1 : 0;
  }

  void open_decoder(const OpenOptions& options) {
    const AVCodec* codec = nullptr;
    stream_ = av_find_best_stream(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (stream_ == AVERROR_DECODER_NOT_FOUND) fail("FFmpeg has no decoder for its video");
    if (stream_ < 0) fail("there is no video in it");
    for (unsigned i = 0; i < input_->nb_streams; ++i) {
      if (static_cast<int>(i) != stream_) input_->streams[i]->discard = AVDISCARD_ALL;
    }
    decoder_.reset(allocated(avcodec_alloc_context3(codec)));
    avcodec_parameters_to_context(decoder_.get(), input_->streams[stream_]->codecpar);
    decoder_->opaque = static_cast<FfmpegLogSink*>(&peer_);
    if (options.allocator.allocate) take_memory_of_ours();
    decoder_->pkt_timebase = input_->streams[stream_]->time_base;
    decoder_->thread_count = options.decoder_threads;
    decoder_->thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE;
    // A frame that is concealed or silently dropped would spoil the scores or the pairing: have
    // damage reported and damaged frames delivered.
    decoder_->err_recognition |= AV_EF_CRCCHECK;
    if (conceals_silently(codec->id)) decoder_->err_recognition |= AV_EF_EXPLODE;
    decoder_->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    if (const int error = avcodec_open2(decoder_.get(), codec, nullptr); error < 0) {
      fail(fmt::format("the {} decoder cannot be opened ({})", codec->name, av_text(error)));
    }
  }

  void take_memory_of_ours() {
    decoder_->get_buffer2 = &ContextPeer::provide_memory;
#if FF_API_THREAD_SAFE_CALLBACKS
    // Decoders' threads would otherwise wait for each other. Newer versions expect it of everyone.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    decoder_->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
  }

  void set_format(const PictureAllocator& allocator) {
    try {
      pictures_.emplace(*frame_, allocator);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", input_label(path_), error.what()));
    }
    log_to(
        log_, LogLevel::info,
        fmt::format("{}: {} {}", input_label(path_), decoder_->codec->name, pictures_->describe()));
  }

  /// Has the next frame in frame_; false at the end.
  bool next() {
    if (std::exchange(holds_first_, false)) return true;
    if (!decode()) return false;
    if (!pictures_->takes(*frame_)) {
      fail_frame(
          fmt::format("is {}x{} {}, unlike the frames before: a change of format is not "
                      "supported",
                      frame_->width, frame_->height, pixel_format_name(frame_->format)));
    }
    return true;
  }

  bool decode() {
    for (;;) {
      const int result = avcodec_receive_frame(decoder_.get(), frame_.get());
      if (result == 0) break;
      if (result == AVERROR_EOF) {
        check_end();
        check_count();
        return false;
      }
      if (result != AVERROR(EAGAIN)) {
        fail_frame(fmt::format("cannot be decoded ({})", av_text(result)));
      }
      send_packet();
    }
    if ((frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame_->decode_error_flags != 0) {
      fail_frame("is damaged");
    }
    check_order();
    last_time_ = frame_->pts;
    return true;
  }

  /// Where packets are missing at the end, the decoder hands out what it has, also frames that come
  /// after missing ones.
  void check_order() {
    if (frame_index_ == 0) return;
    const bool reorders = decoder_->has_b_frames > 0;
    const std::optional<double> passed = frames_since_last();
    const bool follows_a_gap = passed && *passed > 1.5;
    if (!ended_) {
      has_gaps_ |= follows_a_gap;
    } else if (!breakage_.empty() && (passed ? follows_a_gap : reorders)) {
      check_end();
    } else if (breakage_.empty() && follows_a_gap && reorders && !has_gaps_) {
      warn(
          fmt::format("there is a gap before frame {}, one of the last: if the file was cut off, "
                      "frames are missing there",
                      frame_index_));
    }
  }

  /// The time since the frame before, in frames, where times are known.
  [[nodiscard]] std::optional<double> frames_since_last() const {
    const AVRational rate = av_guess_frame_rate(input_.get(), input_->streams[stream_], nullptr);
    if (frame_->pts == AV_NOPTS_VALUE || last_time_ == AV_NOPTS_VALUE || rate.den <= 0) return {};
    const double seconds =
        static_cast<double>(frame_->pts - last_time_) * av_q2d(input_->streams[stream_]->time_base);
    return seconds * av_q2d(rate);
  }

  /// A file that ends between two packets looks whole, but AVI says how many there are.
  void check_count() {
    const std::int64_t announced = input_->streams[stream_]->nb_frames;
    if (std::string_view(input_->iformat->name) != "avi" || frame_index_ >= announced) return;
    warn(fmt::format("{} frames are announced and {} are there: it may be cut off", announced,
                     frame_index_));
  }

  void warn(const std::string& what) {
    if (std::exchange(warned_, true)) return;
    log_to(log_, LogLevel::warning, fmt::format("{}: {}", input_label(path_), what));
  }

  void check_end() const {
    if (!breakage_.empty()) {
      fail_frame(fmt::format("is missing: the file is cut off or damaged ({})", breakage_));
    }
  }

  /// Lets the decoder hand out what it has.
  void end_packets(std::string breakage) {
    ended_ = true;
    breakage_ = std::move(breakage);
    send(nullptr);
  }

  /// Hands the decoder the next packet of the stream, or the end.
  void send_packet() {
    for (;;) {
      av_packet_unref(packet_.get());
      const int result = av_read_frame(input_.get(), packet_.get());
      if (result == AVERROR(EAGAIN)) continue;
      if (result < 0) {
        if (result != AVERROR_EOF) {
          fail_frame(fmt::format("cannot be read ({}){}", av_text(result),
                                 io_ ? "; a file whose index is at its end, as that of many MP4 "
                                       "files, cannot be read from a pipe"
                                     : ""));
        }
        if (io_) io_->rethrow();
        // Demuxers take some files that break off for ones that end.
        return end_packets(peer_.take_demuxer_error());
      }
      if (packet_->stream_index == stream_) break;
    }
    if ((packet_->flags & AV_PKT_FLAG_CORRUPT) != 0) {
      return end_packets(fmt::format("packet at byte {}", packet_->pos));
    }
    send(packet_.get());
  }

  void send(const AVPacket* packet) {
    const int result = avcodec_send_packet(decoder_.get(), packet);
    if (result < 0 && result != AVERROR_EOF) {
      fail_frame(fmt::format("cannot be decoded ({})", av_text(result)));
    }
  }

  std::string path_;
  LogCallback log_;
  std::function<bool()> stops_waiting_;
  ContextPeer peer_;              // outlives the contexts that point to it
  std::unique_ptr<SourceIo> io_;  // outlives the input that reads from it
  FormatContext input_;
  CodecContext decoder_;
  int stream_ = -1;
  std::unique_ptr<AVPacket, FreePacket> packet_{allocated(av_packet_alloc())};
  FramePtr frame_{allocated(av_frame_alloc())};
  bool holds_first_ = false;  // frame_ is the first one, decoded ahead
  std::int64_t frame_index_ = 0;
  std::int64_t last_time_ = AV_NOPTS_VALUE;  // of the frame before, in the stream's time base
  bool ended_ = false;                       // the decoder has all packets
  bool has_gaps_ = false;                    // not all frames follow each other at the same pace
  bool warned_ = false;                      // once is enough
  std::string breakage_;  // why the packets ended before the video did; empty if they did not
  std::optional<FramePictures> pictures_;
};

}  // namespace

bool has_ffmpeg() { return true; }

std::unique_ptr<VideoReader> open_ffmpeg(const std::string& path, const OpenOptions& options) {
  return std::make_unique<FfmpegReader>(path, nullptr, options);
}

std::unique_ptr<VideoReader> open_ffmpeg(std::unique_ptr<ByteSource> source,
                                         const OpenOptions& options) {
  const std::string path = source->path();
  return std::make_unique<FfmpegReader>(path, std::move(source), options);
}

}  // namespace hipvmaf
