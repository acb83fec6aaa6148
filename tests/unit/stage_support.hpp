// Runs the stages of one extractor on single pairs of pictures, and makes pictures of chosen
// content and memory layout.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

// ---- Stages ----

using Requests = std::vector<OptionTexts::Entry>;

inline OptionValues options_of(const Descriptor& extractor, const Requests& requests) {
  OptionTexts texts;
  for (const auto& [name, text] : requests) texts.set(name, text);
  return {extractor.name, extractor.options, texts};
}

/// Measures with a stage that may have measured before.
template <class Raw>
Raw measure_with(PixelStage& stage, const PicturePair& pair) {
  const auto frame = std::make_shared<Frame>(Frame{0, pair.reference, pair.distorted});
  Raw raw;
  stage.measure_into(FrameWindow(frame, {}), &raw);
  return raw;
}

template <class Raw>
Raw measure(const Descriptor& extractor, const PicturePair& pair, const Requests& requests = {}) {
  const auto stage =
      extractor.make_cpu_stage(options_of(extractor, requests), pair.reference.format());
  return measure_with<Raw>(*stage, pair);
}

/// Scores of one frame by their place in the descriptor's features, whether wanted or not.
class Scores : public ScoreSink {
 public:
  void emit(int feature, std::int64_t, double value) override { values_[feature] = value; }
  void aggregate(std::string_view, double) override {}
  double operator[](int feature) const { return values_.at(feature); }
  [[nodiscard]] const std::map<int, double>& values() const { return values_; }

 private:
  std::map<int, double> values_;
};

template <class Raw>
Scores scores_of_raw(const Descriptor& extractor, const Raw& raw, const PictureFormat& format,
                     const Requests& requests = {}) {
  Scores scores;
  extractor.make_scalar_stage(options_of(extractor, requests), format)->push_raw(0, &raw, scores);
  return scores;
}

template <class Raw>
Scores scores_of(const Descriptor& extractor, const PicturePair& pair,
                 const Requests& requests = {}) {
  return scores_of_raw(extractor, measure<Raw>(extractor, pair, requests), pair.reference.format(),
                       requests);
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

// ---- Clips ----

inline ClipSpec small_clip(int width, int height, ChromaFormat chroma, int bits,
                           std::uint32_t seed = 77) {
  return {.name = "small",
          .content = "texture",
          .distortion = "blurnoise",
          .seed = seed,
          .format = {width, height, chroma, bits},
          .frames = 1};
}

inline PicturePair small_pair(int width, int height, ChromaFormat chroma, int bits,
                              std::uint32_t seed = 77) {
  return make_frame(small_clip(width, height, chroma, bits, seed), 0);
}

/// A clip of one frame without chroma.
inline ClipSpec luma_clip(std::string content, std::string distortion, int width, int height,
                          int bits) {
  return {.name = "",
          .content = std::move(content),
          .distortion = std::move(distortion),
          .seed = 5,
          .format = {width, height, ChromaFormat::yuv400, bits},
          .frames = 1};
}

// ---- Pictures ----

/// Calls f(sample) with a sample of the type that pictures of that depth hold.
template <class F>
auto with_sample_type(int bit_depth, const F& f) {
  return bit_depth == 8 ? f(std::uint8_t{}) : f(std::uint16_t{});
}

/// A picture whose samples are value(plane, x, y).
template <class Value>
Picture painted(const PictureFormat& format, const Value& value) {
  PictureBuffer buffer(format);
  with_sample_type(format.bit_depth, [&]<class Sample>(Sample) {
    for (int p = 0; p < format.plane_count(); ++p) {
      const auto plane = buffer.plane<Sample>(p);
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x) plane.row(y)[x] = static_cast<Sample>(value(p, x, y));
      }
    }
  });
  return std::move(buffer).finish();
}

/// A picture without chroma whose samples are value(x, y).
template <class Value>
Picture luma_picture(int width, int height, int bits, const Value& value) {
  return painted({width, height, ChromaFormat::yuv400, bits},
                 [&](int, int x, int y) { return value(x, y); });
}

inline Picture flat(const PictureFormat& format, int level) {
  return painted(format, [level](int, int, int) { return level; });
}

inline Picture flat_picture(int width, int height, int bits, int level) {
  return flat({width, height, ChromaFormat::yuv400, bits}, level);
}

/// 16-bit noise in a picture of any nominal depth above 8 bit.
inline Picture wild(const PictureFormat& format, std::uint32_t seed) {
  return painted(format, [&](int, int, int) {
    seed = seed * 1664525U + 1013904223U;
    return seed >> 16U;
  });
}

inline PicturePair wild_pair(const PictureFormat& format) {
  return {wild(format, 1), wild(format, 2)};
}

/// A sample of any depth.
inline int sample_at(const Picture& picture, int plane, int x, int y) {
  return with_sample_type(picture.format().bit_depth, [&]<class Sample>(Sample) {
    return static_cast<int>(picture.plane<Sample>(plane).row(y)[x]);
  });
}

inline int sample_at(const Picture& picture, int x, int y) { return sample_at(picture, 0, x, y); }

/// An 8-bit picture in samples of another depth.
inline Picture deepened(const Picture& picture, int bits) {
  PictureFormat format = picture.format();
  format.bit_depth = bits;
  return painted(format,
                 [&](int p, int x, int y) { return sample_at(picture, p, x, y) << (bits - 8); });
}

inline PicturePair deepened(const PicturePair& pair, int bits) {
  return {deepened(pair.reference, bits), deepened(pair.distorted, bits)};
}

/// The same samples in memory of another layout: rows `extra` samples further apart, with `filler`
/// between and around.
inline Picture spread(const Picture& picture, std::ptrdiff_t extra, int filler) {
  const PictureFormat& format = picture.format();
  return with_sample_type(format.bit_depth, [&]<class Sample>(Sample) {
    std::array<Picture::Plane, 3> planes;
    auto memory = std::make_shared<std::array<std::vector<Sample>, 3>>();
    for (int p = 0; p < format.plane_count(); ++p) {
      const auto from = picture.plane<Sample>(p);
      const std::ptrdiff_t stride = from.width + extra;
      std::vector<Sample>& to = (*memory)[static_cast<std::size_t>(p)];
      to.assign(static_cast<std::size_t>(stride * (from.height + 2)), static_cast<Sample>(filler));
      Sample* first = to.data() + stride + 1;
      for (int y = 0; y < from.height; ++y)
        std::copy_n(from.row(y), from.width, first + y * stride);
      planes[static_cast<std::size_t>(p)] = {first,
                                             stride * static_cast<std::ptrdiff_t>(sizeof(Sample))};
    }
    return Picture::wrap(format, planes, [memory] {});
  });
}

/// Both pictures in layouts of their own.
inline PicturePair spread(const PicturePair& pair) {
  return {spread(pair.reference, 1, 0), spread(pair.distorted, 37, -1)};
}

}  // namespace hipvmaf::test
