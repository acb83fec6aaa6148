#include "media/y4m_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

#include <hipvmaf/error.hpp>

#include "media/planar_reader.hpp"
#include "media/y4m_header.hpp"

namespace hipvmaf {
namespace {

constexpr std::size_t kHeaderLimit = 4096;
constexpr std::byte kLineEnd{'\n'};
constexpr std::string_view kFrameMagic = "FRAME";
constexpr std::size_t kFrameParameterLimit = 79;  // bytes after the sixth, line end included
static_assert(kHeaderLimit <= ByteSource::kPeekLimit);

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Y4mHeader read_header(ByteSource& source) {
  const std::string_view head = as_text(source.peek_through(kLineEnd, kHeaderLimit));
  if (!head.ends_with('\n')) {
    throw Error(ErrorCode::bad_input,
                head.size() < kHeaderLimit
                    ? fmt::format("{}: the file ends within the Y4M header, at byte {}",
                                  source.label(), head.size())
                    : fmt::format("{}: the Y4M header is longer than {} bytes", source.label(),
                                  kHeaderLimit));
  }
  const std::size_t length = head.size();
  Y4mHeader header;
  try {
    header = parse_y4m_header(head.substr(0, head.size() - 1));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", source.label(), error.what()));
  }
  source.skip(length);
  return header;
}

std::uint8_t filtered(int sum) {
  return static_cast<std::uint8_t>(std::clamp((sum + 64) >> 7, 0, 255));
}

/// Doubles the width of a row of 4:1:1 chroma. `in` has the row from index 1 on, and its first
/// sample repeated before and its last one twice behind it.
void upsample_row(std::span<const std::uint8_t> in, std::uint8_t* out, int out_width) {
  const std::uint8_t* s = in.data();
  for (int x = 0; x < out_width / 2; ++x, ++s) {
    out[2 * x] = filtered(s[0] + 110 * s[1] + 18 * s[2] - s[3]);
    out[2 * x + 1] = filtered(-3 * s[0] + 50 * s[1] + 86 * s[2] - 5 * s[3]);
  }
  if (out_width % 2 != 0) out[out_width - 1] = filtered(s[0] + 110 * s[1] + 18 * s[2] - s[3]);
}

class Y4mReader final : public VideoReader {
 public:
  Y4mReader(std::unique_ptr<ByteSource> source, const Y4mHeader& header, LogCallback log,
            PictureAllocator allocator)
      : source_(std::move(source)),
        header_(header),
        header_bytes_(source_->offset()),
        log_(std::move(log)),
        pool_(header.format, std::move(allocator)),
        quarter_width_((static_cast<std::size_t>(header.format.width) + 3) / 4) {
    if (header_.layout == Y4mLayout::yuv411) quarter_row_.resize(quarter_width_ + 3);
  }

  [[nodiscard]] const PictureFormat& format() const override { return header_.format; }
  [[nodiscard]] const std::string& name() const override { return source_->path(); }
  [[nodiscard]] bool skips_by_seeking() const override { return source_->size().has_value(); }
  [[nodiscard]] SampleRange range() const override { return header_.range; }
  [[nodiscard]] std::optional<std::int64_t> expected_frames() const override {
    const auto size = source_->size();
    if (!size) return std::nullopt;
    // Frame headers with parameters are longer, but no one writes them.
    const std::uint64_t frame_bytes = kFrameMagic.size() + 1 + stored_frame_bytes();
    return static_cast<std::int64_t>((*size - header_bytes_) / frame_bytes);
  }

  std::optional<Picture> read() override {
    if (!read_frame_header()) return std::nullopt;
    PictureBuffer picture = pool_.acquire();
    for (int p = 0; p < format().plane_count(); ++p) {
      if (p > 0 && header_.layout == Y4mLayout::yuv411) {
        read_quarter_plane(picture, p);
      } else {
        read_plane(*source_, frame_, picture, p);
      }
    }
    if (header_.layout == Y4mLayout::alpha) skip_bytes(luma_samples());
    ++frame_;
    return std::move(picture).finish();
  }

  bool skip() override {
    if (!read_frame_header()) return false;
    skip_bytes(stored_frame_bytes());
    ++frame_;
    return true;
  }

 private:
  /// False at the end of the file.
  bool read_frame_header() {
    constexpr std::size_t kFirst = kFrameMagic.size() + 1;
    const std::string_view first = as_text(source_->peek(kFirst));
    if (first.size() < kFirst) {
      drop_stray_bytes(first.size());
      return false;
    }
    if (!first.starts_with(kFrameMagic)) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: loss of framing: frame {} does not begin with FRAME at byte {}",
                              source_->label(), frame_, source_->offset()));
    }
    const std::string_view line =
        as_text(source_->peek_through(kLineEnd, kFirst + kFrameParameterLimit));
    if (!line.ends_with('\n')) {
      throw Error(
          ErrorCode::bad_input,
          fmt::format("{}: the header of frame {} at byte {} has no line end within {} bytes",
                      source_->label(), frame_, source_->offset(), line.size()));
    }
    source_->skip(line.size());
    return true;
  }

  /// Too few bytes for a frame to begin with: nothing is lost.
  void drop_stray_bytes(std::size_t count) {
    if (count == 0) return;
    log_to(log_, LogLevel::warning,
           fmt::format("{}: {} stray bytes after the last frame, at byte {}", source_->label(),
                       count, source_->offset()));
    source_->skip(count);
  }

  void read_quarter_plane(PictureBuffer& picture, int plane) {
    const auto view = picture.plane<std::uint8_t>(plane);
    const std::span<std::uint8_t> row = std::span(quarter_row_).subspan(1, quarter_width_);
    for (int y = 0; y < view.height; ++y) {
      if (source_->read(std::as_writable_bytes(row)) < row.size()) throw_cut_off(*source_, frame_);
      quarter_row_.front() = row.front();
      std::ranges::fill(std::span(quarter_row_).last(2), row.back());
      upsample_row(quarter_row_, view.row(y), view.width);
    }
  }

  void skip_bytes(std::size_t count) {
    if (source_->skip(count) < count) throw_cut_off(*source_, frame_);
  }

  [[nodiscard]] std::size_t luma_samples() const {
    return static_cast<std::size_t>(format().width) * static_cast<std::size_t>(format().height);
  }

  [[nodiscard]] std::size_t stored_frame_bytes() const {
    switch (header_.layout) {
      case Y4mLayout::planar:
        break;
      case Y4mLayout::alpha:
        return format().packed_bytes() + luma_samples();
      case Y4mLayout::yuv411:
        return luma_samples() + 2 * quarter_width_ * static_cast<std::size_t>(format().height);
    }
    return format().packed_bytes();
  }

  std::unique_ptr<ByteSource> source_;
  Y4mHeader header_;
  std::uint64_t header_bytes_;
  LogCallback log_;
  PicturePool pool_;
  std::size_t quarter_width_;              // columns of a stored 4:1:1 chroma plane
  std::vector<std::uint8_t> quarter_row_;  // one of its rows, with its ends repeated
  std::int64_t frame_ = 0;
};

void tell_of_interlacing(const std::string& label, Interlacing interlacing,
                         const LogCallback& log) {
  if (interlacing == Interlacing::interlaced) {
    log_to(log, LogLevel::warning,
           fmt::format("{}: the video is interlaced; its frames are measured as they are", label));
  } else if (interlacing == Interlacing::unknown) {
    log_to(log, LogLevel::info,
           fmt::format("{}: interlacing is not stated; progressive is assumed", label));
  }
}

}  // namespace

std::unique_ptr<VideoReader> open_y4m(std::unique_ptr<ByteSource> source, LogCallback log,
                                      PictureAllocator allocator) {
  const Y4mHeader header = read_header(*source);
  if (!header.version_2) {
    log_to(log, LogLevel::warning,
           fmt::format("{}: the Y4M header does not say YUV4MPEG2; it is read as such",
                       source->label()));
  }
  tell_of_interlacing(source->label(), header.interlacing, log);
  return std::make_unique<Y4mReader>(std::move(source), header, std::move(log),
                                     std::move(allocator));
}

}  // namespace hipvmaf
