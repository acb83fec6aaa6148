#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "speed_support.hpp"

namespace hipvmaf {
namespace {

using test::frames_of;
using test::measure_chroma;
using test::measure_temporal;
using test::options_of;
using test::Requests;
using test::texture_clip;
using test::window_of;

class Sink final : public ScoreSink {
 public:
  void emit(int feature, std::int64_t, double value) override {
    EXPECT_EQ(feature, static_cast<int>(values.size()));
    values.push_back(value);
  }
  void aggregate(std::string_view, double) override { FAIL(); }

  std::vector<double> values;
};

template <class Raw>
std::vector<double> scores_of(const Descriptor& extractor, const Raw& raw,
                              const Requests& requests = {}) {
  const auto stage = extractor.make_scalar_stage(options_of(extractor, requests), PictureFormat{});
  Sink sink;
  stage->push_raw(0, &raw, sink);
  stage->finish(sink);
  return sink.values;
}

// ---- Scores ----

SpeedChromaRaw chroma_raw(speed::PlaneScore cb, speed::PlaneScore cr) { return {{cb, cr}}; }

TEST(SpeedChromaScores, AreThoseOfThePlanesAndTheirMean) {
  const auto scores = [](const SpeedChromaRaw& raw) {
    return scores_of(speed_chroma_descriptor, raw);
  };
  EXPECT_EQ(scores(chroma_raw({1, 0}, {4, 0})), (std::vector{1.0, 4.0, 2.5}));
  EXPECT_EQ(scores(chroma_raw({0, 1}, {4, 0})), (std::vector{0.0, 4.0, 4.0}));
  EXPECT_EQ(scores(chroma_raw({3, 0}, {0, 1})), (std::vector{3.0, 0.0, 3.0}));
  EXPECT_EQ(scores(chroma_raw({0, 1}, {0, 1})), (std::vector{0.0, 0.0, 0.0}));
}

TEST(SpeedChromaScores, AreLimited) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Requests limit{{"speed_max_val", "2.2"}};
  EXPECT_EQ(scores_of(speed_chroma_descriptor, chroma_raw({1, 0}, {4, 0}), limit),
            (std::vector{1.0, 2.2, 2.2}));
  EXPECT_EQ(scores_of(speed_chroma_descriptor, chroma_raw({nan, 0}, {1, 0}), limit),
            (std::vector{2.2, 1.0, 2.2}));
  EXPECT_EQ(scores_of(speed_chroma_descriptor, chroma_raw({nan, 0}, {1, 0})),
            (std::vector{1000.0, 1.0, 1000.0}));
}

TEST(SpeedTemporalScores, AreNotLimited) {
  EXPECT_EQ(scores_of(speed_temporal_descriptor, SpeedTemporalRaw{{1234.5F, 0}},
                      {{"speed_max_val", "1"}}),
            std::vector{1234.5});
}

// ---- speed_chroma ----

// The published figures of a clip where rounding the odd chroma size up would change the result.
TEST(SpeedChroma, LeavesOutTheLastColumnAndRowOfOddSizes) {
  test::ClipSpec clip = texture_clip(643, 365, ChromaFormat::yuv420, 8);
  clip.distortion = "sharpen";
  clip.seed = 34;
  clip.cut = 2;
  const SpeedChromaRaw raw =
      measure_chroma(test::make_frame(clip, 0), {{"speed_kernelscale", "3.711"}});
  EXPECT_EQ(scores_of(speed_chroma_descriptor, raw),
            (std::vector{0.05645751953125, 0.061573028564453125, 0.059015274047851562}));
}

TEST(SpeedChroma, FlatPlanesAreSingular) {
  test::ClipSpec clip = texture_clip(400, 400, ChromaFormat::yuv420, 8);
  clip.content = "flat";
  const SpeedChromaRaw raw = measure_chroma(test::make_frame(clip, 0));
  for (const speed::PlaneScore& plane : raw.planes) {
    EXPECT_NE(plane.singular, 0U);
    EXPECT_EQ(plane.value, 0);
  }
}

TEST(SpeedChroma, SwappedPlanesSwapTheScores) {
  const PictureFormat format{320, 250, ChromaFormat::yuv444, 8};
  const auto pair = test::make_frame(texture_clip(320, 250, ChromaFormat::yuv444, 8), 0);
  const auto swap = [&](const Picture& picture) {
    PictureBuffer buffer(format);
    for (int p = 0; p < 3; ++p) {
      const auto from = picture.plane<std::uint8_t>(p == 0 ? 0 : 3 - p);
      for (int y = 0; y < 250; ++y)
        std::copy_n(from.row(y), 320, buffer.plane<std::uint8_t>(p).row(y));
    }
    return std::move(buffer).finish();
  };
  const SpeedChromaRaw raw = measure_chroma(pair);
  const SpeedChromaRaw swapped = measure_chroma({swap(pair.reference), swap(pair.distorted)});
  EXPECT_EQ(raw.planes[0].singular, 0U);
  EXPECT_NE(raw.planes[0], raw.planes[1]);
  EXPECT_EQ(raw.planes[0], swapped.planes[1]);
  EXPECT_EQ(raw.planes[1], swapped.planes[0]);
}

TEST(SpeedChroma, IdenticalPicturesScoreZeroUnlessTheModeRoundsTheirWeightsApart) {
  const auto pair = test::make_frame(texture_clip(320, 250, ChromaFormat::yuv444, 10), 0);
  for (int mode = 0; mode <= 6; ++mode) {
    const SpeedChromaRaw raw = measure_chroma({pair.reference, pair.reference},
                                              {{"speed_weight_var_mode", std::to_string(mode)}});
    for (const speed::PlaneScore& plane : raw.planes) {
      EXPECT_EQ(plane.singular, 0U);
      if (mode <= 3) {
        EXPECT_EQ(plane.value, 0) << mode;
      } else {
        EXPECT_GT(plane.value, 0) << mode;
        EXPECT_LT(plane.value, 1e-4) << mode;
      }
    }
  }
}

// ---- speed_temporal ----

TEST(SpeedTemporal, StartsWithZero) {
  const auto frames = frames_of(texture_clip(200, 180, ChromaFormat::yuv400, 8));
  EXPECT_EQ(measure_temporal(frames, 0), SpeedTemporalRaw{});
  EXPECT_GT(measure_temporal(frames, 1).luma.value, 0);
  EXPECT_TRUE(speed_temporal_descriptor.every_frame);
  EXPECT_EQ(speed_temporal_descriptor.reach(options_of(speed_temporal_descriptor, {})), 1);
}

TEST(SpeedTemporal, RefDiffSubtractsTheCurrentReference) {
  const auto frames = frames_of(texture_clip(200, 180, ChromaFormat::yuv400, 8));
  const SpeedTemporalRaw raw = measure_temporal(frames, 1, {{"speed_use_ref_diff", "true"}});
  std::vector<test::PicturePair> replaced = frames;
  replaced[1].distorted = frames[1].reference;
  EXPECT_EQ(raw, measure_temporal(replaced, 1));
  EXPECT_NE(raw, measure_temporal(frames, 1));
}

TEST(SpeedTemporal, DoesNotDependOnTheChromaFormat) {
  const auto expected =
      measure_temporal(frames_of(texture_clip(200, 181, ChromaFormat::yuv400, 8)), 2);
  for (const auto chroma : {ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444})
    EXPECT_EQ(measure_temporal(frames_of(texture_clip(200, 181, chroma, 8)), 2), expected);
}

// ---- What must not matter ----

const std::vector<Requests> kVariants{
    {},
    {{"speed_prescale", "0.75"}, {"speed_prescale_method", "bilinear"}},
    {{"speed_prescale", "1.5"}, {"speed_prescale_method", "lanczos4"}},
    {{"speed_kernelscale", "3"}, {"speed_prescale", "1.2"}, {"speed_prescale_method", "bicubic"}},
};

TEST(SpeedLayout, OfMemoryDoesNotMatter) {
  const auto frames = frames_of(texture_clip(323, 267, ChromaFormat::yuv444, 8));
  std::vector<test::PicturePair> apart;
  for (const auto& pair : frames) apart.push_back(test::spread(pair));
  for (const Requests& requests : kVariants) {
    EXPECT_EQ(measure_chroma(apart[0], requests), measure_chroma(frames[0], requests));
    EXPECT_EQ(measure_temporal(apart, 1, requests), measure_temporal(frames, 1, requests));
  }
}

TEST(SpeedLayout, DepthOfTheSamePictureDoesNotMatter) {
  const auto frames = frames_of(texture_clip(321, 262, ChromaFormat::yuv444, 8));
  for (int bits = 9; bits <= 16; ++bits) {
    std::vector<test::PicturePair> deep;
    for (const auto& pair : frames) deep.push_back(test::spread(test::deepened(pair, bits)));
    EXPECT_EQ(measure_chroma(deep[0]), measure_chroma(frames[0])) << bits;
    EXPECT_EQ(measure_temporal(deep, 1), measure_temporal(frames, 1)) << bits;
  }
}

TEST(SpeedStages, DoNotRememberFrames) {
  const auto frames = frames_of(texture_clip(320, 260, ChromaFormat::yuv444, 10));
  const PictureFormat format = frames[0].reference.format();
  for (const Requests& requests : kVariants) {
    const auto chroma = speed_chroma_descriptor.make_cpu_stage(
        options_of(speed_chroma_descriptor, requests), format);
    const auto temporal = speed_temporal_descriptor.make_cpu_stage(
        options_of(speed_temporal_descriptor, requests), format);
    for (const std::size_t i : {2U, 0U, 1U, 2U}) {
      SpeedChromaRaw chroma_again;
      SpeedTemporalRaw temporal_again;
      chroma->measure_into(window_of(frames, i), &chroma_again);
      temporal->measure_into(window_of(frames, i), &temporal_again);
      EXPECT_EQ(chroma_again, measure_chroma(frames[i], requests)) << i;
      EXPECT_EQ(temporal_again, measure_temporal(frames, i, requests)) << i;
    }
  }
}

// Samples above the nominal depth have no meaning, but must do no harm either.
TEST(SpeedStages, SurviveSamplesAboveTheNominalDepth) {
  const PictureFormat format{190, 170, ChromaFormat::yuv444, 9};
  const std::vector<test::PicturePair> wild{test::wild_pair(format),
                                            {test::wild(format, 3), test::wild(format, 4)}};
  for (const Requests& requests : kVariants) {
    EXPECT_EQ(measure_chroma(wild[0], requests), measure_chroma(wild[0], requests));
    EXPECT_EQ(measure_temporal(wild, 1, requests), measure_temporal(wild, 1, requests));
  }
}

}  // namespace
}  // namespace hipvmaf
