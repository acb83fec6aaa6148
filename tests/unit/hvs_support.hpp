// What the tests of psnr_hvs and ssimulacra2 share: pictures of unusual layout or content.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include <hipvmaf/error.hpp>

#include "stage_support.hpp"

namespace hipvmaf::test {

/// Measures with a stage that may have measured before.
template <class Raw>
Raw measure_with(PixelStage& stage, const PicturePair& pair) {
  Raw raw;
  const auto frame = std::make_shared<Frame>(Frame{0, pair.reference, pair.distorted});
  stage.measure_into(FrameWindow(frame, {}), &raw);
  return raw;
}

/// The same samples in memory of another layout: rows `extra` samples further apart, with `filler`
/// between and around.
template <class Sample>
Picture spread(const Picture& picture, std::ptrdiff_t extra, Sample filler) {
  const PictureFormat& format = picture.format();
  std::array<Picture::Plane, 3> planes;
  auto memory = std::make_shared<std::array<std::vector<Sample>, 3>>();
  for (int p = 0; p < format.plane_count(); ++p) {
    const auto from = picture.plane<Sample>(p);
    const std::ptrdiff_t stride = from.width + extra;
    std::vector<Sample>& to = (*memory)[static_cast<std::size_t>(p)];
    to.assign(static_cast<std::size_t>(stride * (from.height + 2)), filler);
    Sample* first = to.data() + stride + 1;
    for (int y = 0; y < from.height; ++y) std::copy_n(from.row(y), from.width, first + y * stride);
    planes[static_cast<std::size_t>(p)] = {first,
                                           stride * static_cast<std::ptrdiff_t>(sizeof(Sample))};
  }
  return Picture::wrap(format, planes, [memory] {});
}

/// A picture whose samples are value(plane, x, y).
template <class Sample, class Value>
Picture painted(const PictureFormat& format, const Value& value) {
  PictureBuffer buffer(format);
  for (int p = 0; p < format.plane_count(); ++p) {
    const auto plane = buffer.plane<Sample>(p);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x) plane.row(y)[x] = static_cast<Sample>(value(p, x, y));
    }
  }
  return std::move(buffer).finish();
}

/// 16-bit noise in a picture of any nominal depth above 8 bit.
inline Picture wild(const PictureFormat& format, std::uint32_t seed) {
  return painted<std::uint16_t>(format, [&](int, int, int) {
    seed = seed * 1664525U + 1013904223U;
    return seed >> 16U;
  });
}

inline ClipSpec small_clip(int width, int height, ChromaFormat chroma, int bits) {
  return {.name = "small",
          .content = "texture",
          .distortion = "blurnoise",
          .seed = 77,
          .format = {width, height, chroma, bits},
          .frames = 1};
}

inline void expect_refused(const Descriptor& extractor, const Requests& requests,
                           const PictureFormat& format, const char* text) {
  try {
    require_format(extractor, options_of(extractor, requests), format);
    FAIL() << format.describe() << " is taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
    EXPECT_THAT(error.what(), ::testing::HasSubstr(text));
  }
}

}  // namespace hipvmaf::test
