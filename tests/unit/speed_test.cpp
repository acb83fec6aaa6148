#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/speed/speed_blocks.hpp"
#include "features/speed/speed_chroma.hpp"
#include "features/speed/speed_covariance.hpp"
#include "features/speed/speed_decimation.hpp"
#include "features/speed/speed_eigen.hpp"
#include "features/speed/speed_temporal.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf {
namespace {

using Entries = std::vector<OptionTexts::Entry>;

OptionValues options_of(const Descriptor& extractor, const Entries& entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, text);
  return {extractor.name, extractor.options, texts};
}

test::ClipSpec texture_clip(int width, int height, ChromaFormat chroma, int bits) {
  return {.name = "texture",
          .content = "texture",
          .distortion = "blurnoise",
          .seed = 77,
          .format = {width, height, chroma, bits},
          .frames = 3};
}

std::vector<test::PicturePair> frames_of(const test::ClipSpec& clip) {
  std::vector<test::PicturePair> frames;
  for (int i = 0; i < clip.frames; ++i) frames.push_back(test::make_frame(clip, i));
  return frames;
}

FrameWindow window_of(const std::vector<test::PicturePair>& frames, std::size_t index) {
  const auto frame = [&](std::size_t i) {
    return std::make_shared<const Frame>(
        Frame{static_cast<std::int64_t>(i), frames[i].reference, frames[i].distorted});
  };
  if (index == 0) return {frame(0), {}};
  const std::array earlier{frame(index - 1)};
  return {frame(index), earlier};
}

template <class Raw>
Raw measure(const Descriptor& extractor, const std::vector<test::PicturePair>& frames,
            std::size_t index, const Entries& entries = {}) {
  const auto stage =
      extractor.make_cpu_stage(options_of(extractor, entries), frames[0].reference.format());
  Raw raw;
  stage->measure_into(window_of(frames, index), &raw);
  return raw;
}

SpeedChromaRaw measure_chroma(const test::PicturePair& pair, const Entries& entries = {}) {
  return measure<SpeedChromaRaw>(speed_chroma_descriptor, {pair}, 0, entries);
}

SpeedTemporalRaw measure_temporal(const std::vector<test::PicturePair>& frames, std::size_t index,
                                  const Entries& entries = {}) {
  return measure<SpeedTemporalRaw>(speed_temporal_descriptor, frames, index, entries);
}

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
                              const Entries& entries = {}) {
  const auto stage = extractor.make_scalar_stage(options_of(extractor, entries), PictureFormat{});
  Sink sink;
  stage->push_raw(0, &raw, sink);
  stage->finish(sink);
  return sink.values;
}

// ---- Steps ----

// Of the reference's Cb in the first frame of sd8.
TEST(SpeedSteps, HaveTheKnownValues) {
  const test::PicturePair pair = test::make_frame(test::standard_clip("sd8"), 0);
  const OptionValues options = options_of(speed_chroma_descriptor, {});
  const speed::Geometry geometry = speed::geometry_of(options, 288, 162);
  speed::Decimator decimator(options, geometry);
  const auto details =
      decimator.details_of(speed::CentredRows(pair.reference.plane<std::uint8_t>(1), 8));
  EXPECT_EQ(details.width, 18);
  EXPECT_EQ(details.height, 10);
  EXPECT_EQ(details.row(0)[0], 0x1.c9ce6ap+2F);
  EXPECT_EQ(details.row(0)[1], -0x1.752338p+1F);
  EXPECT_EQ(details.row(0)[2], 0x1.0fabb8p+3F);
  EXPECT_EQ(details.row(0)[3], 0x1.18bf26p+3F);

  const speed::Vector means = speed::window_means(details, geometry);
  EXPECT_EQ(means[0], 0x1.c09ff4p-3F);
  EXPECT_EQ(means[24], -0x1.a81b32p-3F);
  const speed::Matrix covariance = speed::window_covariance(details, geometry, means);
  EXPECT_EQ(covariance[0][0], 0x1.096fd4p+6F);
  EXPECT_EQ(covariance[1][0], -0x1.d34f6ep+4F);
  EXPECT_EQ(covariance[24][24], 0x1.82ceb4p+5F);
  const speed::Vector eigenvalues = speed::eigenvalues_of(covariance);
  EXPECT_EQ(eigenvalues[0], 0x1.6395ecp+7F);
  EXPECT_EQ(eigenvalues[1], 0x1.433646p+7F);
  EXPECT_EQ(eigenvalues[7], 0x1.f3b4d4p+0F);
  EXPECT_EQ(eigenvalues[24], 0x1.18706cp+5F);

  speed::BlockStatistics blocks;
  ASSERT_TRUE(speed::BlockModel(geometry, 0.29F).measure(details, blocks));
  ASSERT_EQ(blocks.variances.size(), 6U);
  ASSERT_EQ(blocks.entropies.size(), 6U);
  EXPECT_EQ(blocks.variances[0], 0x1.038b56p+0F);
  EXPECT_EQ(blocks.variances[1], 0x1.0f87c6p+0F);
  EXPECT_EQ(blocks.entropies[0], 0x1.d905f6p+7F);
  EXPECT_EQ(blocks.entropies[1], 0x1.dc3c6cp+7F);
}

TEST(SpeedGeometry, FollowsThePrescale) {
  const auto geometry = [](const char* prescale, int width, int height) {
    return speed::geometry_of(options_of(speed_temporal_descriptor, {{"speed_prescale", prescale}}),
                              width, height);
  };
  const speed::Geometry plain = geometry("1", 1920, 1087);
  EXPECT_FALSE(plain.resampled);
  EXPECT_EQ(plain.width, 1920);
  EXPECT_EQ(plain.decimated_width(), 120);
  EXPECT_EQ(plain.decimated_height(), 67);
  EXPECT_EQ(plain.block_columns(), 24);
  EXPECT_EQ(plain.block_rows(), 13);
  EXPECT_EQ(plain.blocks(), 24 * 13);
  EXPECT_EQ(plain.window_columns(), 116);
  EXPECT_EQ(plain.window_rows(), 61);

  const speed::Geometry smaller = geometry("0.6", 353, 289);
  EXPECT_TRUE(smaller.resampled);
  EXPECT_EQ(smaller.width, 212);
  EXPECT_EQ(smaller.height, 173);
  // Near 1, pictures are cropped, but nothing can be added to them.
  const speed::Geometry cropped = geometry("0.9991", 1000, 500);
  EXPECT_FALSE(cropped.resampled);
  EXPECT_EQ(cropped.width, 999);
  EXPECT_EQ(cropped.height, 500);
  const speed::Geometry uncropped = geometry("1.0009", 1000, 500);
  EXPECT_FALSE(uncropped.resampled);
  EXPECT_EQ(uncropped.width, 1000);
  EXPECT_EQ(uncropped.height, 500);
  EXPECT_FALSE(geometry("1.002", 100, 100).resampled) << "same size";
}

TEST(SpeedGeometry, CroppingTakesTheTopLeftPart) {
  const auto frames = frames_of(texture_clip(800, 400, ChromaFormat::yuv400, 8));
  const auto crop = [](const Picture& picture) {
    PictureBuffer buffer({799, 400, ChromaFormat::yuv400, 8});
    for (int y = 0; y < 400; ++y) {
      std::copy_n(picture.plane<std::uint8_t>(0).row(y), 799, buffer.plane<std::uint8_t>(0).row(y));
    }
    return std::move(buffer).finish();
  };
  std::vector<test::PicturePair> cropped;
  for (const auto& pair : frames) cropped.push_back({crop(pair.reference), crop(pair.distorted)});
  const SpeedTemporalRaw raw = measure_temporal(frames, 1, {{"speed_prescale", "0.9991"}});
  EXPECT_EQ(raw, measure_temporal(cropped, 1));
  EXPECT_GT(raw.luma.value, 0);
}

TEST(SpeedMath, SamplesAreInEightBitCodeValues) {
  EXPECT_EQ(speed::centred_sample(200, 1), 72);
  EXPECT_EQ(speed::centred_sample(803, 0.25F), 72.75F);
  EXPECT_EQ(speed::centred_sample(65535, 1 / 256.0F), 127.99609375F);
  EXPECT_EQ(speed::sample_difference(10, 1023, 0.25F), -253.25F);
}

TEST(SpeedMath, EntropyIsThatOfAGaussian) {
  const double pi = std::acos(-1.0);
  EXPECT_DOUBLE_EQ(speed::gaussian_entropy(1), std::log2(2 * pi * std::exp(1.0)));
  EXPECT_DOUBLE_EQ(speed::gaussian_entropy(8), 3 + speed::gaussian_entropy(1));
  EXPECT_EQ(speed::noisy_variance(3, 0.5F, 0.25F), 1.75F);
  EXPECT_EQ(speed::noisy_variance(-3, 0.5F, 0.25F), 0.25F);
}

TEST(SpeedMath, WeightsFollowTheMode) {
  const auto weights = [](int mode) {
    const auto w = speed::weights_of(static_cast<speed::Weighting>(mode), 3, 7);
    return std::pair{w.reference, w.distorted};
  };
  EXPECT_EQ(weights(0), std::pair(4.0, 8.0));
  EXPECT_EQ(weights(1), std::pair(4.0, 4.0));
  EXPECT_EQ(weights(2), std::pair(8.0, 8.0));
  EXPECT_EQ(weights(3), std::pair(6.0, 6.0));
  EXPECT_EQ(weights(4), std::pair(4.0, 6.0));
  EXPECT_EQ(weights(5), std::pair(4.0, 5.0));
  EXPECT_EQ(weights(6), std::pair(4.0, 7.0));
}

// 2^-30 vanishes when it is added to 1 in single precision, but not in double.
TEST(SpeedMath, WeightsAddOneInTheDefinedPrecision) {
  const float small = 0x1p-30F;
  for (int mode = 0; mode <= 6; ++mode) {
    const auto w = speed::weights_of(static_cast<speed::Weighting>(mode), small, small);
    EXPECT_EQ(w.reference, mode == 3 ? 1 + 0x1p-30 : 1) << mode;
    EXPECT_EQ(w.distorted, mode >= 3 ? 1 + 0x1p-30 : 1) << mode;
  }
}

TEST(SpeedMath, DifferenceOfWeightedEntropies) {
  EXPECT_EQ(speed::weighted_difference(100, 90, {4, 8}), 70);
  EXPECT_EQ(speed::weighted_difference(100, 90, {8, 8}), 30);
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
  const Entries limit{{"speed_max_val", "2.2"}};
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

// The same samples in rows that are further apart, with `filler` between and around, and at
// another depth.
template <class Sample>
Picture relaid(const Picture& picture, std::ptrdiff_t extra, Sample filler, int bits = 8) {
  PictureFormat format = picture.format();
  format.bit_depth = bits;
  std::array<Picture::Plane, 3> planes;
  auto memory = std::make_shared<std::array<std::vector<Sample>, 3>>();
  for (int p = 0; p < format.plane_count(); ++p) {
    const auto from = picture.plane<std::uint8_t>(p);
    const std::ptrdiff_t stride = from.width + extra;
    std::vector<Sample>& to = (*memory)[static_cast<std::size_t>(p)];
    to.assign(static_cast<std::size_t>(stride * (from.height + 2)), filler);
    Sample* first = to.data() + stride + 1;
    for (int y = 0; y < from.height; ++y) {
      for (int x = 0; x < from.width; ++x)
        first[y * stride + x] = static_cast<Sample>(from.row(y)[x] << (bits - 8));
    }
    planes[static_cast<std::size_t>(p)] = {first,
                                           stride * static_cast<std::ptrdiff_t>(sizeof(Sample))};
  }
  return Picture::wrap(format, planes, [memory] {});
}

const std::vector<Entries> kVariants{
    {},
    {{"speed_prescale", "0.75"}, {"speed_prescale_method", "bilinear"}},
    {{"speed_prescale", "1.5"}, {"speed_prescale_method", "lanczos4"}},
    {{"speed_kernelscale", "3"}, {"speed_prescale", "1.2"}, {"speed_prescale_method", "bicubic"}},
};

TEST(SpeedLayout, OfMemoryDoesNotMatter) {
  const auto frames = frames_of(texture_clip(323, 267, ChromaFormat::yuv444, 8));
  std::vector<test::PicturePair> apart;
  for (const auto& pair : frames) {
    apart.push_back({relaid<std::uint8_t>(pair.reference, 1, 0),
                     relaid<std::uint8_t>(pair.distorted, 37, 255)});
  }
  for (const Entries& entries : kVariants) {
    EXPECT_EQ(measure_chroma(apart[0], entries), measure_chroma(frames[0], entries));
    EXPECT_EQ(measure_temporal(apart, 1, entries), measure_temporal(frames, 1, entries));
  }
}

TEST(SpeedLayout, DepthOfTheSamePictureDoesNotMatter) {
  const auto frames = frames_of(texture_clip(321, 262, ChromaFormat::yuv444, 8));
  for (int bits = 9; bits <= 16; ++bits) {
    std::vector<test::PicturePair> deep;
    for (const auto& pair : frames) {
      deep.push_back({relaid<std::uint16_t>(pair.reference, 3, 0, bits),
                      relaid<std::uint16_t>(pair.distorted, 5, 0, bits)});
    }
    EXPECT_EQ(measure_chroma(deep[0]), measure_chroma(frames[0])) << bits;
    EXPECT_EQ(measure_temporal(deep, 1), measure_temporal(frames, 1)) << bits;
  }
}

TEST(SpeedStages, DoNotRememberFrames) {
  const auto frames = frames_of(texture_clip(320, 260, ChromaFormat::yuv444, 10));
  const PictureFormat format = frames[0].reference.format();
  for (const Entries& entries : kVariants) {
    const auto chroma = speed_chroma_descriptor.make_cpu_stage(
        options_of(speed_chroma_descriptor, entries), format);
    const auto temporal = speed_temporal_descriptor.make_cpu_stage(
        options_of(speed_temporal_descriptor, entries), format);
    for (const std::size_t i : {2U, 0U, 1U, 2U}) {
      SpeedChromaRaw chroma_again;
      SpeedTemporalRaw temporal_again;
      chroma->measure_into(window_of(frames, i), &chroma_again);
      temporal->measure_into(window_of(frames, i), &temporal_again);
      EXPECT_EQ(chroma_again, measure_chroma(frames[i], entries)) << i;
      EXPECT_EQ(temporal_again, measure_temporal(frames, i, entries)) << i;
    }
  }
}

// Samples above the nominal depth have no meaning, but must do no harm either.
TEST(SpeedStages, SurviveSamplesAboveTheNominalDepth) {
  const PictureFormat format{190, 170, ChromaFormat::yuv444, 9};
  const auto fill = [&](unsigned seed) {
    PictureBuffer buffer(format);
    for (int p = 0; p < 3; ++p) {
      const auto plane = buffer.plane<std::uint16_t>(p);
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x) {
          seed = seed * 1664525U + 1013904223U;
          plane.row(y)[x] = static_cast<std::uint16_t>(seed >> 16U);
        }
      }
    }
    return std::move(buffer).finish();
  };
  const std::vector<test::PicturePair> wild{{fill(1), fill(2)}, {fill(3), fill(4)}};
  for (const Entries& entries : kVariants) {
    EXPECT_EQ(measure_chroma(wild[0], entries), measure_chroma(wild[0], entries));
    EXPECT_EQ(measure_temporal(wild, 1, entries), measure_temporal(wild, 1, entries));
  }
}

// ---- Refusals ----

const std::vector<const Descriptor*> kBoth{&speed_chroma_descriptor, &speed_temporal_descriptor};

std::string refusal_of(const Descriptor& extractor, const Entries& entries,
                       const PictureFormat& format, ErrorCode code) {
  try {
    const OptionValues options = options_of(extractor, entries);
    extractor.check_options(options);
    require_format(extractor, options, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "nothing refused";
}

TEST(SpeedRefusals, NameTheKernelScalesAndMethods) {
  const PictureFormat format{640, 360, ChromaFormat::yuv420, 8};
  for (const Descriptor* extractor : kBoth) {
    EXPECT_THAT(
        refusal_of(*extractor, {{"speed_kernelscale", "1.3"}}, format, ErrorCode::invalid_option),
        ::testing::AllOf(::testing::HasSubstr("speed_kernelscale"),
                         ::testing::HasSubstr(std::string(extractor->name)),
                         ::testing::HasSubstr("0.444444, 0.5")));
    EXPECT_EQ(refusal_of(*extractor, {{"speed_prescale_method", "spline"}}, format,
                         ErrorCode::invalid_option),
              "option speed_prescale_method of extractor " + std::string(extractor->name) +
                  ": 'spline' is none of nearest, bilinear, bicubic or lanczos4");
    for (const char* method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
      EXPECT_EQ(refusal_of(*extractor, {{"speed_prescale_method", method}}, format,
                           ErrorCode::invalid_option),
                "nothing refused");
    }
  }
}

TEST(SpeedRefusals, GreyVideosHaveNoChroma) {
  const PictureFormat grey{640, 360, ChromaFormat::yuv400, 8};
  EXPECT_THAT(refusal_of(speed_chroma_descriptor, {}, grey, ErrorCode::unsupported_format),
              ::testing::HasSubstr("needs chroma planes"));
  EXPECT_EQ(refusal_of(speed_temporal_descriptor, {}, grey, ErrorCode::unsupported_format),
            "nothing refused");
}

struct SizeCase {
  const Descriptor* extractor;
  const char* prescale;
  PictureFormat smallest;
};

const std::vector<SizeCase> kSizes{
    {&speed_temporal_descriptor, "1", {80, 80, ChromaFormat::yuv420, 8}},
    {&speed_temporal_descriptor, "0.5", {159, 159, ChromaFormat::yuv420, 8}},
    {&speed_temporal_descriptor, "4", {20, 20, ChromaFormat::yuv420, 8}},
    {&speed_chroma_descriptor, "1", {160, 160, ChromaFormat::yuv420, 8}},
    {&speed_chroma_descriptor, "1", {160, 80, ChromaFormat::yuv422, 10}},
    {&speed_chroma_descriptor, "1", {80, 80, ChromaFormat::yuv444, 8}},
    {&speed_chroma_descriptor, "4", {40, 40, ChromaFormat::yuv420, 8}},
    {&speed_chroma_descriptor, "0.9991", {80, 80, ChromaFormat::yuv444, 8}},
};

TEST(SpeedRefusals, NameTheSizeAfterScaling) {
  for (const SizeCase& c : kSizes) {
    const Entries entries{{"speed_prescale", c.prescale}};
    EXPECT_EQ(refusal_of(*c.extractor, entries, c.smallest, ErrorCode::unsupported_format),
              "nothing refused");
    PictureFormat narrow = c.smallest;
    PictureFormat low = c.smallest;
    --narrow.width;
    --low.height;
    for (const PictureFormat& format : {narrow, low}) {
      EXPECT_THAT(refusal_of(*c.extractor, entries, format, ErrorCode::unsupported_format),
                  ::testing::AllOf(::testing::HasSubstr(std::string(c.extractor->name)),
                                   ::testing::HasSubstr(" of at least "),
                                   ::testing::HasSubstr(format.describe())));
    }
  }
  EXPECT_EQ(refusal_of(speed_chroma_descriptor, {}, {176, 144, ChromaFormat::yuv420, 8},
                       ErrorCode::unsupported_format),
            "extractor speed_chroma needs chroma planes of at least 80x80 after scaling by "
            "speed_prescale; in videos of 176x144 4:2:0 8 bit they are 88x72: use larger videos or "
            "raise speed_prescale (now 1)");
}

// The smallest pictures can be measured, whatever is done to them.
TEST(SpeedRefusals, LeaveNothingThatCannotBeMeasured) {
  for (const SizeCase& c : kSizes) {
    if (c.smallest.bit_depth != 8) continue;
    test::ClipSpec clip = texture_clip(c.smallest.width, c.smallest.height, c.smallest.chroma, 8);
    for (const char* method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
      for (const char* kernel_scale : {"0.444444", "3.71134"}) {
        const Entries entries{{"speed_prescale", c.prescale},
                              {"speed_prescale_method", method},
                              {"speed_kernelscale", kernel_scale}};
        const auto frames = frames_of(clip);
        if (c.extractor == &speed_chroma_descriptor) {
          // A single block has a single window position and no covariance.
          EXPECT_EQ(measure_chroma(frames[0], entries), chroma_raw({0, 1}, {0, 1}));
        } else {
          EXPECT_EQ(measure_temporal(frames, 1, entries), (SpeedTemporalRaw{{0, 1}}));
        }
      }
    }
  }
}

}  // namespace
}  // namespace hipvmaf
