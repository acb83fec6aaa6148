#include "media/sws_converter.hpp"

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

#include <array>
#include <fmt/format.h>
#include <utility>

#include <hipvmaf/error.hpp>

#include "media/ffmpeg_formats.hpp"
#include "media/scaler.hpp"

namespace hipvmaf {
namespace {

// The same bits on every machine, and no shortcuts in chroma.
constexpr int kExactFlags =
    SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;

bool is_rgb(AVPixelFormat format) { return map_pixel_format(format).from_rgb; }

int sws_filter(Scaler scaler) {
  switch (scaler) {
    case Scaler::none:
    case Scaler::bicubic:
      return SWS_BICUBIC;
    case Scaler::lanczos:
      return SWS_LANCZOS;
    case Scaler::bilinear:
      return SWS_BILINEAR;
  }
  return SWS_BICUBIC;
}

class SwsResampler final : public Resampler {
 public:
  SwsResampler(const PictureFormat& from, const PictureFormat& to, Scaler scaler)
      : converter_(image_of(from), image_of(to), sws_filter(scaler)) {}

  void run(const Picture& from, const PictureBuffer& to) override {
    std::array<const std::uint8_t*, 4> planes{};
    std::array<int, 4> strides{};
    for (int p = 0; p < from.format().plane_count(); ++p) {
      const auto i = static_cast<std::size_t>(p);
      if (from.format().bytes_per_sample() == 1) {
        const auto view = from.plane<std::uint8_t>(p);
        planes[i] = view.data;
        strides[i] = static_cast<int>(view.stride);
      } else {
        const auto view = from.plane<std::uint16_t>(p);
        planes[i] = reinterpret_cast<const std::uint8_t*>(view.data);
        strides[i] = static_cast<int>(view.stride * 2);
      }
    }
    converter_.run(planes.data(), strides.data(), to);
  }

 private:
  static SwsConverter::Image image_of(const PictureFormat& format) {
    return {format.width, format.height, planar_pixel_format(format.chroma, format.bit_depth)};
  }

  SwsConverter converter_;
};

}  // namespace

SwsConverter::SwsConverter(const Image& from, const Image& to, int filter)
    : context_(sws_alloc_context()), height_(from.height) {
  if (context_ == nullptr) throw Error(ErrorCode::out_of_memory, "no memory for libswscale");
  // libswscale changes values only where the ranges differ, so that two equal ones keep them.
  const std::array<std::pair<const char*, int>, 9> options = {
      {{"srcw", from.width},
       {"srch", from.height},
       {"src_format", from.format},
       {"src_range", 1},
       {"dstw", to.width},
       {"dsth", to.height},
       {"dst_format", to.format},
       {"dst_range", is_rgb(from.format) ? 0 : 1},
       {"sws_flags", filter | kExactFlags}}};
  bool good = true;
  for (const auto& [name, value] : options) {
    good = good && av_opt_set_int(context_.get(), name, value, 0) >= 0;
  }
  if (!good || sws_init_context(context_.get(), nullptr, nullptr) < 0) {
    const char* from_name = av_get_pix_fmt_name(from.format);
    const char* to_name = av_get_pix_fmt_name(to.format);
    throw Error(ErrorCode::unsupported_format,
                fmt::format("libswscale cannot convert {}x{} {} to {}x{} {}", from.width,
                            from.height, from_name == nullptr ? "unknown" : from_name, to.width,
                            to.height, to_name == nullptr ? "unknown" : to_name));
  }
}

void SwsConverter::run(const std::uint8_t* const* planes, const int* strides,
                       const PictureBuffer& to) {
  std::array<std::uint8_t*, 4> to_planes{};
  std::array<int, 4> to_strides{};
  for (int p = 0; p < to.format().plane_count(); ++p) {
    const auto i = static_cast<std::size_t>(p);
    to_planes[i] = reinterpret_cast<std::uint8_t*>(to.row_bytes(p, 0).data());
    to_strides[i] = to.format().plane_height(p) > 1
                        ? static_cast<int>(to.row_bytes(p, 1).data() - to.row_bytes(p, 0).data())
                        : static_cast<int>(to.row_bytes(p, 0).size());
  }
  if (sws_scale(context_.get(), planes, strides, 0, height_, to_planes.data(), to_strides.data()) <
      0) {
    throw Error(ErrorCode::internal, "libswscale failed to convert a picture");
  }
}

int resampling_depth(int bit_depth) {
  while (planar_pixel_format(ChromaFormat::yuv420, bit_depth) == AV_PIX_FMT_NONE) ++bit_depth;
  return bit_depth;
}

std::unique_ptr<Resampler> make_resampler(const PictureFormat& from, const PictureFormat& to,
                                          Scaler scaler) {
  return std::make_unique<SwsResampler>(from, to, scaler);
}

}  // namespace hipvmaf
