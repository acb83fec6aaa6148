#include "media/ffmpeg_frames.hpp"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include <hipvmaf/error.hpp>

namespace hipvmaf {
namespace {

// The old names of full-range pixel formats say it where the tag does not.
bool is_full_range_format(int format) {
  switch (format) {
    case AV_PIX_FMT_YUVJ411P:
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ444P:
      return true;
    default:
      return false;
  }
}

SampleRange range_of(const AVFrame& frame, const PixelMapping& mapping) {
  if (mapping.from_rgb) return SampleRange::limited;
  if (is_full_range_format(frame.format)) return SampleRange::full;
  switch (frame.color_range) {
    case AVCOL_RANGE_JPEG:
      return SampleRange::full;
    case AVCOL_RANGE_MPEG:
      return SampleRange::limited;
    default:
      return SampleRange::unknown;
  }
}

std::string_view to_string(SampleRange range) {
  switch (range) {
    case SampleRange::unknown:
      break;
    case SampleRange::limited:
      return "limited range";
    case SampleRange::full:
      return "full range";
  }
  return "range not stated";
}

/// The sample at `at`: a byte, or two in one order or the other.
template <class Sample>
unsigned load(const std::uint8_t* at, bool big_endian) {
  if constexpr (sizeof(Sample) == 1) return *at;
  return big_endian ? unsigned{at[0]} << 8 | at[1] : unsigned{at[1]} << 8 | at[0];
}

/// Copies the components of a frame from wherever its pixel format puts them.
template <class Sample>
void gather(const AVFrame& frame, const PictureBuffer& to) {
  const AVPixFmtDescriptor& descriptor =
      *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const bool big_endian = (descriptor.flags & AV_PIX_FMT_FLAG_BE) != 0;
  const unsigned mask = (1U << to.format().bit_depth) - 1;
  for (int p = 0; p < to.format().plane_count(); ++p) {
    const AVComponentDescriptor& component = descriptor.comp[p];
    const PlaneView<Sample> plane = to.plane<Sample>(p);
    for (int y = 0; y < plane.height; ++y) {
      const std::uint8_t* from = frame.data[component.plane] +
                                 std::ptrdiff_t{y} * frame.linesize[component.plane] +
                                 component.offset;
      Sample* row = plane.row(y);
      for (int x = 0; x < plane.width; ++x, from += component.step) {
        row[x] = static_cast<Sample>(load<Sample>(from, big_endian) >> component.shift & mask);
      }
    }
  }
}

/// A picture of the frame's own memory, which is taken from it.
Picture wrap(const PictureFormat& format, AVFrame& frame) {
  const std::shared_ptr<AVFrame> owner(av_frame_alloc(), [](AVFrame* f) { av_frame_free(&f); });
  if (!owner) throw Error(ErrorCode::out_of_memory, "no memory for a decoded frame");
  av_frame_move_ref(owner.get(), &frame);
  std::array<Picture::Plane, 3> planes;
  for (std::size_t p = 0; p < planes.size(); ++p) planes[p] = {owner->data[p], owner->linesize[p]};
  return Picture::wrap(format, planes, [owner] {});
}

}  // namespace

const char* pixel_format_name(int format) {
  const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(format));
  return name == nullptr ? "unknown" : name;
}

FramePictures::FramePictures(const AVFrame& first, const PictureAllocator& allocator)
    : pixel_format_(first.format),
      mapping_(map_pixel_format(static_cast<AVPixelFormat>(first.format))),
      range_(range_of(first, mapping_)),
      pool_({first.width, first.height, mapping_.chroma, mapping_.bit_depth}, allocator) {
  if (mapping_.storage != SampleStorage::other) return;
  const SwsConverter::Image from{first.width, first.height,
                                 static_cast<AVPixelFormat>(first.format)};
  const SwsConverter::Image to{first.width, first.height,
                               planar_pixel_format(mapping_.chroma, mapping_.bit_depth)};
  converter_.emplace(from, to, SWS_BICUBIC);
}

std::string FramePictures::describe() const {
  return fmt::format(
      "{}, {}, read as {}", pixel_format_name(pixel_format_),
      mapping_.from_rgb ? "converted to limited range with BT.601" : to_string(range_),
      format().describe());
}

bool FramePictures::takes(const AVFrame& frame) const {
  return frame.format == pixel_format_ && frame.width == format().width &&
         frame.height == format().height;
}

Picture FramePictures::take(AVFrame& frame) {
  // Rows from the bottom up cannot be wrapped.
  const bool upside_down =
      std::ranges::any_of(frame.linesize, [](int stride) { return stride < 0; });
  if (mapping_.storage == SampleStorage::planes && !upside_down) return wrap(format(), frame);
  PictureBuffer picture = pool_.acquire();
  if (converter_) {
    converter_->run(frame.data, frame.linesize, picture);
  } else if (format().bytes_per_sample() == 1) {
    gather<std::uint8_t>(frame, picture);
  } else {
    gather<std::uint16_t>(frame, picture);
  }
  return std::move(picture).finish();
}

}  // namespace hipvmaf
