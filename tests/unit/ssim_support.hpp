// Helpers of the tests of the SSIM family.
#pragma once

#include <array>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/feature.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {

using OptionList = std::vector<OptionTexts::Entry>;

inline OptionValues options_of(const Descriptor& extractor, const OptionList& entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, text);
  return {extractor.name, extractor.options, texts};
}

template <class Raw>
Raw measure_with(PixelStage& stage, const PicturePair& pair) {
  auto frame = std::make_shared<Frame>();
  frame->reference = pair.reference;
  frame->distorted = pair.distorted;
  Raw raw;
  stage.measure_into(FrameWindow(frame, {}), &raw);
  return raw;
}

template <class Raw>
Raw measure(const Descriptor& extractor, const PicturePair& pair, const OptionList& entries = {}) {
  const auto stage =
      extractor.make_cpu_stage(options_of(extractor, entries), pair.reference.format());
  return measure_with<Raw>(*stage, pair);
}

/// Keeps scores by the features' internal names.
class ScoreMap final : public ScoreSink {
 public:
  explicit ScoreMap(const Descriptor& extractor) : extractor_(extractor) {}
  void emit(int feature, std::int64_t, double value) override {
    const auto& spec = extractor_.features[static_cast<std::size_t>(feature)];
    scores.emplace(spec.internal_name, value);
  }
  void aggregate(std::string_view, double) override {}

  std::map<std::string, double, std::less<>> scores;

 private:
  const Descriptor& extractor_;
};

/// Everything that the scalar stage emits for a pair of pictures, whether wanted or not.
template <class Raw>
std::map<std::string, double, std::less<>> score(const Descriptor& extractor,
                                                 const PicturePair& pair,
                                                 const OptionList& entries = {}) {
  const Raw raw = measure<Raw>(extractor, pair, entries);
  ScoreMap sink(extractor);
  const auto stage =
      extractor.make_scalar_stage(options_of(extractor, entries), pair.reference.format());
  stage->push_raw(0, &raw, sink);
  return sink.scores;
}

/// A picture whose samples are sample(plane, x, y).
template <class SampleAt>
Picture fill(const PictureFormat& format, const SampleAt& sample) {
  PictureBuffer buffer(format);
  const auto fill_planes = [&]<class Sample>(Sample) {
    for (int p = 0; p < format.plane_count(); ++p) {
      const auto plane = buffer.plane<Sample>(p);
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x)
          plane.row(y)[x] = static_cast<Sample>(sample(p, x, y));
      }
    }
  };
  if (format.bit_depth == 8) {
    fill_planes(std::uint8_t{});
  } else {
    fill_planes(std::uint16_t{});
  }
  return std::move(buffer).finish();
}

/// A sample of any depth.
inline int sample_at(const Picture& picture, int plane, int x, int y) {
  if (picture.format().bit_depth == 8) return picture.plane<std::uint8_t>(plane).row(y)[x];
  return picture.plane<std::uint16_t>(plane).row(y)[x];
}

inline Picture flat(const PictureFormat& format, int value) {
  return fill(format, [value](int, int, int) { return value; });
}

/// The same samples as a luma-only picture, taken from any plane.
inline Picture luma_of(const Picture& picture, int plane) {
  const PictureFormat& format = picture.format();
  return fill(PictureFormat{format.plane_width(plane), format.plane_height(plane),
                            ChromaFormat::yuv400, format.bit_depth},
              [&](int, int x, int y) { return sample_at(picture, plane, x, y); });
}

/// The same samples in memory of another layout: rows spread by `extra` samples, filler between and
/// around.
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

inline PicturePair small_pair(int width, int height, ChromaFormat chroma, int bits,
                              std::uint32_t seed = 77) {
  return make_frame({.name = "small",
                     .content = "texture",
                     .distortion = "blurnoise",
                     .seed = seed,
                     .format = {width, height, chroma, bits},
                     .frames = 1},
                    0);
}

template <class Sample>
PicturePair spread_pair(const PicturePair& pair) {
  return {spread<Sample>(pair.reference, 1, 0),
          spread<Sample>(pair.distorted, 37, static_cast<Sample>(-1))};
}

/// Pictures with samples above the nominal depth.
inline PicturePair wild_pair(int width, int height, int bits) {
  const auto wild = [&](unsigned seed) {
    return fill(PictureFormat{width, height, ChromaFormat::yuv400, bits}, [&](int, int, int) {
      seed = seed * 1664525U + 1013904223U;
      return static_cast<int>(seed >> 16U);
    });
  };
  return {wild(1), wild(2)};
}

inline void expect_refused(const Descriptor& extractor, const OptionList& entries,
                           const PictureFormat& format, const char* text) {
  try {
    require_format(extractor, options_of(extractor, entries), format);
    FAIL() << format.describe() << " is taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
    EXPECT_THAT(error.what(), ::testing::HasSubstr(text));
  }
}

/// The 11x11 pictures of a worked example.
inline PicturePair worked_example() {
  const PictureFormat format{11, 11, ChromaFormat::yuv400, 8};
  const auto reference = [](int x, int y) { return 16 + (37 * x + 91 * y) % 200; };
  return {
      fill(format, [&](int, int x, int y) { return reference(x, y); }),
      fill(format, [&](int, int x, int y) { return reference(x, y) + (x * x + 3 * y) % 11 - 5; })};
}

}  // namespace hipvmaf::test
