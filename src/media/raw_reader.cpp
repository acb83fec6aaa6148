#include "media/raw_reader.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include <hipvmaf/error.hpp>

#include "media/container_magic.hpp"
#include "media/planar_reader.hpp"

namespace hipvmaf {
namespace {

class RawReader final : public VideoReader {
 public:
  RawReader(std::unique_ptr<ByteSource> source, const PictureFormat& format,
            PictureAllocator allocator)
      : source_(std::move(source)),
        pool_(format, std::move(allocator)),
        frame_bytes_(format.packed_bytes()) {}

  [[nodiscard]] const PictureFormat& format() const override { return pool_.format(); }
  [[nodiscard]] const std::string& name() const override { return source_->path(); }
  [[nodiscard]] bool skips_by_seeking() const override { return source_->size().has_value(); }
  [[nodiscard]] std::optional<std::int64_t> expected_frames() const override {
    const auto size = source_->size();
    if (!size) return std::nullopt;
    return static_cast<std::int64_t>(*size / frame_bytes_);
  }

  std::optional<Picture> read() override {
    if (!begin_frame()) return std::nullopt;
    PictureBuffer picture = pool_.acquire();
    for (int p = 0; p < format().plane_count(); ++p) read_plane(*source_, frame_, picture, p);
    ++frame_;
    return std::move(picture).finish();
  }

  bool skip() override {
    if (!begin_frame()) return false;
    if (source_->skip(frame_bytes_) < frame_bytes_) throw_cut_off(*source_, frame_);
    ++frame_;
    return true;
  }

 private:
  /// False at the end. A file whose length is known is refused before its last, partial frame.
  bool begin_frame() {
    if (source_->peek(1).empty()) return false;
    const auto size = source_->size();
    if (size && *size > source_->offset() && *size - source_->offset() < frame_bytes_) {
      throw Error(
          ErrorCode::bad_input,
          fmt::format("{}: frame {} is cut off: its {} bytes begin at byte {} of {}, the length of "
                      "the file is no multiple of the frame size of {}; check --width, --height, "
                      "--pixel_format and --bitdepth",
                      source_->label(), frame_, frame_bytes_, source_->offset(), *size,
                      format().describe()));
    }
    return true;
  }

  std::unique_ptr<ByteSource> source_;
  PicturePool pool_;
  std::size_t frame_bytes_;
  std::int64_t frame_ = 0;
};

// Some programs round subsampled planes of odd sizes down.
std::size_t packed_bytes_rounded_down(const PictureFormat& format) {
  PictureFormat even = format;
  if (format.chroma == ChromaFormat::yuv420 || format.chroma == ChromaFormat::yuv422) {
    even.width -= format.width % 2;
  }
  if (format.chroma == ChromaFormat::yuv420) even.height -= format.height % 2;
  const auto luma = [](const PictureFormat& f) {
    return static_cast<std::size_t>(f.width) * static_cast<std::size_t>(f.height) *
           static_cast<std::size_t>(f.bytes_per_sample());
  };
  return even.packed_bytes() - luma(even) + luma(format);
}

void warn_of_rounded_down_planes(const ByteSource& source, const PictureFormat& format,
                                 const LogCallback& log) {
  const auto size = source.size();
  const std::size_t down = packed_bytes_rounded_down(format);
  if (!size || *size % format.packed_bytes() == 0 || *size % down != 0) return;
  log_to(log, LogLevel::warning,
         fmt::format("{}: the length of {} bytes fits frames whose chroma planes are rounded down "
                     "({} bytes each); they are read rounded up ({} bytes each), as FFmpeg writes "
                     "them, so the chroma and all later frames are likely shifted",
                     source.label(), *size, down, format.packed_bytes()));
}

}  // namespace

std::unique_ptr<VideoReader> open_raw(std::unique_ptr<ByteSource> source,
                                      const PictureFormat& format, const LogCallback& log,
                                      PictureAllocator allocator) {
  format.validate();
  // No more than it takes: a pipe may hold small frames back until earlier ones are read.
  auto head = source->peek(kMagicBytes);
  if (may_be_transport_stream(head)) head = source->peek(kTransportStreamBytes);
  if (head.empty()) {
    throw Error(ErrorCode::bad_input, fmt::format("{} is empty", source->label()));
  }
  if (const std::string_view kind = container_kind(head); !kind.empty()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: this is {}, not raw YUV; leave out --width, --height, "
                            "--pixel_format and --bitdepth",
                            source->label(), kind));
  }
  warn_of_rounded_down_planes(*source, format, log);
  return std::make_unique<RawReader>(std::move(source), format, std::move(allocator));
}

}  // namespace hipvmaf
