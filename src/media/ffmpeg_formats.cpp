#include "media/ffmpeg_formats.hpp"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <span>

#include <hipvmaf/error.hpp>

namespace hipvmaf {
namespace {

struct PlanarFormat {
  int bit_depth;
  std::array<AVPixelFormat, 4> of_chroma;  // in the order of ChromaFormat
};

constexpr std::array kPlanarFormats = {
    PlanarFormat{8, {AV_PIX_FMT_GRAY8, AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P}},
    PlanarFormat{9,
                 {AV_PIX_FMT_GRAY9, AV_PIX_FMT_YUV420P9, AV_PIX_FMT_YUV422P9, AV_PIX_FMT_YUV444P9}},
    PlanarFormat{
        10, {AV_PIX_FMT_GRAY10, AV_PIX_FMT_YUV420P10, AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUV444P10}},
    PlanarFormat{
        12, {AV_PIX_FMT_GRAY12, AV_PIX_FMT_YUV420P12, AV_PIX_FMT_YUV422P12, AV_PIX_FMT_YUV444P12}},
    PlanarFormat{
        14, {AV_PIX_FMT_GRAY14, AV_PIX_FMT_YUV420P14, AV_PIX_FMT_YUV422P14, AV_PIX_FMT_YUV444P14}},
    PlanarFormat{
        16, {AV_PIX_FMT_GRAY16, AV_PIX_FMT_YUV420P16, AV_PIX_FMT_YUV422P16, AV_PIX_FMT_YUV444P16}},
};

bool has_flag(const AVPixFmtDescriptor& descriptor, std::uint64_t flag) {
  return (descriptor.flags & flag) != 0;
}

// The coarsest of our subsamplings that loses nothing; of those coarser than all of ours, 4:2:0 or
// 4:2:2.
ChromaFormat chroma_of(const AVPixFmtDescriptor& descriptor) {
  if (has_flag(descriptor, AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) return ChromaFormat::yuv444;
  if (descriptor.nb_components < 3) return ChromaFormat::yuv400;
  if (descriptor.log2_chroma_w == 0) return ChromaFormat::yuv444;
  return descriptor.log2_chroma_h == 0 ? ChromaFormat::yuv422 : ChromaFormat::yuv420;
}

std::size_t component_count(ChromaFormat chroma) { return chroma == ChromaFormat::yuv400 ? 1 : 3; }

// Float formats count as 32 bit.
int next_depth(int bits) {
  const auto at = std::ranges::find_if(
      kPlanarFormats, [bits](const PlanarFormat& format) { return format.bit_depth >= bits; });
  return at == kPlanarFormats.end() ? 16 : at->bit_depth;
}

// Whether the components are bytes or 16-bit words of our subsampling and depth, wherever they lie.
// A fourth component (alpha) does not matter.
bool has_our_components(const AVPixFmtDescriptor& descriptor, const PixelMapping& mapping) {
  constexpr std::uint64_t kOther = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL |
                                   AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_FLOAT |
                                   AV_PIX_FMT_FLAG_BAYER;
  if (has_flag(descriptor, kOther)) return false;
  const auto colour = std::span(descriptor.comp).first(component_count(mapping.chroma));
  if (std::ranges::any_of(colour, [&](const AVComponentDescriptor& component) {
        return component.depth != mapping.bit_depth || component.depth + component.shift > 16;
      })) {
    return false;
  }
  const PictureFormat unit{2, 2, mapping.chroma, mapping.bit_depth};
  return mapping.chroma == ChromaFormat::yuv400 ||
         (unit.plane_width(1) == 2 >> descriptor.log2_chroma_w &&
          unit.plane_height(1) == 2 >> descriptor.log2_chroma_h);
}

SampleStorage storage_of(const AVPixFmtDescriptor& descriptor, const PixelMapping& mapping) {
  if (!has_our_components(descriptor, mapping)) return SampleStorage::other;
  const int sample_bytes = mapping.bit_depth > 8 ? 2 : 1;
  if (sample_bytes > 1 && has_flag(descriptor, AV_PIX_FMT_FLAG_BE)) {
    return SampleStorage::components;
  }
  for (std::size_t p = 0; p < component_count(mapping.chroma); ++p) {
    const AVComponentDescriptor& component = descriptor.comp[p];
    if (component.plane != static_cast<int>(p) || component.step != sample_bytes ||
        component.offset != 0 || component.shift != 0) {
      return SampleStorage::components;
    }
  }
  return SampleStorage::planes;
}

}  // namespace

AVPixelFormat planar_pixel_format(ChromaFormat chroma, int bit_depth) {
  const auto at = std::ranges::find(kPlanarFormats, bit_depth, &PlanarFormat::bit_depth);
  return at == kPlanarFormats.end() ? AV_PIX_FMT_NONE
                                    : at->of_chroma.at(static_cast<std::size_t>(chroma));
}

PixelMapping map_pixel_format(AVPixelFormat format) {
  const AVPixFmtDescriptor* descriptor = av_pix_fmt_desc_get(format);
  if (descriptor == nullptr || has_flag(*descriptor, AV_PIX_FMT_FLAG_HWACCEL)) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("pixel format {} cannot be read",
                            descriptor == nullptr ? "unknown" : descriptor->name));
  }
  PixelMapping mapping;
  mapping.chroma = chroma_of(*descriptor);
  mapping.bit_depth = next_depth(descriptor->comp[0].depth);
  mapping.from_rgb = has_flag(*descriptor, AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
  mapping.storage = storage_of(*descriptor, mapping);
  return mapping;
}

}  // namespace hipvmaf
