#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "features/ssim/float_ms_ssim.hpp"
#include "features/ssim/float_ssim.hpp"
#include "features/ssim/halver.hpp"
#include "ssim_support.hpp"

namespace hipvmaf {
namespace {

using float_ms_ssim::halved_side;
using float_ms_ssim::Halver;
using float_ms_ssim::kRadius;
using float_ms_ssim::low_pass_tap;
using test::PicturePair;

FloatMsSsimRaw measure(const PicturePair& pair, const test::Requests& options = {}) {
  return test::measure<FloatMsSsimRaw>(float_ms_ssim_descriptor, pair, options);
}

auto score_of(const PicturePair& pair, const test::Requests& options = {}) {
  return test::score<FloatMsSsimRaw>(float_ms_ssim_descriptor, pair, options);
}

// ---- Halving ----

TEST(Halving, FilterIsSymmetricAndKeepsTheMean) {
  double sum = 0;
  for (int v = -kRadius; v <= kRadius; ++v) {
    for (int u = -kRadius; u <= kRadius; ++u) {
      EXPECT_EQ(low_pass_tap(std::abs(v), std::abs(u)), low_pass_tap(std::abs(u), std::abs(v)));
      sum += static_cast<double>(low_pass_tap(std::abs(v), std::abs(u)));
    }
  }
  EXPECT_NEAR(sum, 1, 1e-5);
}

template <class Sample>
float direct_output(const PlaneView<const Sample>& plane, float scale, int x, int y) {
  double sum = 0;
  for (int v = -kRadius; v <= kRadius; ++v) {
    for (int u = -kRadius; u <= kRadius; ++u) {
      const Sample sample = plane.row(similarity::mirrored(
          2 * y + v, plane.height))[similarity::mirrored(2 * x + u, plane.width)];
      const float value = static_cast<float>(sample) * scale;
      sum += static_cast<double>(value * low_pass_tap(std::abs(v), std::abs(u)));
    }
  }
  return static_cast<float>(sum);
}

template <class Sample>
void expect_direct(Halver& halver, int width, int height, std::ptrdiff_t stride, float scale) {
  std::vector<Sample> samples(static_cast<std::size_t>(stride * height));
  unsigned state = 12345U + static_cast<unsigned>(width * height);
  for (Sample& sample : samples) {
    state = state * 1664525U + 1013904223U;
    sample = static_cast<Sample>(state >> 24U);
  }
  const PlaneView<const Sample> from{samples.data(), width, height, stride};
  std::vector<float> half(static_cast<std::size_t>(halved_side(width) * halved_side(height)));
  const PlaneView<float> to{half.data(), halved_side(width), halved_side(height),
                            halved_side(width)};
  halver.halve(from, scale, to);
  for (int y = 0; y < to.height; ++y) {
    for (int x = 0; x < to.width; ++x)
      ASSERT_EQ(to.row(y)[x], direct_output(from, scale, x, y))
          << width << "x" << height << " at " << x << "," << y;
  }
}

TEST(Halving, EqualsItsDirectEvaluation) {
  Halver halver(40);
  for (int width = 5; width <= 40; width += 3) {
    for (int height = 5; height <= 30; height += 2) {
      expect_direct<std::uint8_t>(halver, width, height, width + 3, 1.0F);
      expect_direct<std::uint16_t>(halver, width, height, width, 0.25F);
      expect_direct<float>(halver, width, height + 1, width, 1.0F);
    }
  }
}

// ---- Scores ----

TEST(FloatMsSsim, FirstScaleIsFloatSsimAtFullSize) {
  const PicturePair pair = test::small_pair(201, 180, ChromaFormat::yuv420, 10);
  const auto raw = measure(pair);
  const auto full = test::measure<FloatSsimRaw>(float_ssim_descriptor, pair, {{"scale", "1"}});
  EXPECT_EQ(raw.sums[0][0], full.sums);
  EXPECT_EQ(raw.sums[1][0], SimilaritySums{});
}

TEST(FloatMsSsim, IsTheProductOfPowersOfTheMeans) {
  const auto scores = score_of(test::small_pair(201, 180, ChromaFormat::yuv420, 8));
  constexpr std::array exponents{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
  double expected = std::pow(scores.at("float_ms_ssim_l_scale4"), exponents[4]);
  for (std::size_t s = 0; s < exponents.size(); ++s) {
    const std::string scale = "_scale" + std::to_string(s);
    expected *= std::pow(
        scores.at("float_ms_ssim_c" + scale) * scores.at("float_ms_ssim_s" + scale), exponents[s]);
  }
  EXPECT_NEAR(scores.at("float_ms_ssim"), expected, 1e-7);  // exponents are rounded to binary32
}

TEST(FloatMsSsim, OfInvertedPicturesIsNotANumber) {
  const PictureFormat format{200, 200, ChromaFormat::yuv400, 8};
  const Picture noise = test::make_frame({.name = "noise",
                                          .content = "noise",
                                          .distortion = "none",
                                          .seed = 3,
                                          .format = format,
                                          .frames = 1},
                                         0)
                            .reference;
  const PicturePair pair{noise, test::painted(format, [&](int, int x, int y) {
                           return 255 - test::sample_at(noise, 0, x, y);
                         })};
  EXPECT_TRUE(std::isnan(score_of(pair).at("float_ms_ssim")));
  // What libvmaf makes of it: the best score there is.
  EXPECT_EQ(score_of(pair, {{"enable_db", "true"}}).at("float_ms_ssim"),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(score_of(pair, {{"enable_db", "true"}, {"clip_db", "true"}}).at("float_ms_ssim"), 98);
}

TEST(FloatMsSsim, DoesNotDependOnLayout) {
  for (const auto& [width, height] : {std::pair{176, 177}, {209, 176}}) {
    const PicturePair pair = test::small_pair(width, height, ChromaFormat::yuv444, 8);
    const test::Requests chroma{{"enable_chroma", "true"}};
    EXPECT_EQ(measure(test::spread(pair), chroma), measure(pair, chroma));
    const PicturePair deep = test::small_pair(width, height, ChromaFormat::yuv400, 12);
    EXPECT_EQ(measure(test::spread(deep)), measure(deep));
  }
}

TEST(FloatMsSsim, DoesNotDependOnWhatWasMeasuredBefore) {
  const auto options = test::options_of(float_ms_ssim_descriptor, {});
  const auto stage =
      float_ms_ssim_descriptor.make_cpu_stage(options, {180, 190, ChromaFormat::yuv400, 10});
  for (const std::uint32_t seed : {1U, 2U, 1U}) {
    const PicturePair pair = test::small_pair(180, 190, ChromaFormat::yuv400, 10, seed);
    EXPECT_EQ(test::measure_with<FloatMsSsimRaw>(*stage, pair), measure(pair));
  }
}

// Samples above the nominal depth have no meaning, but must do no harm either.
TEST(FloatMsSsim, SurvivesSamplesAboveTheNominalDepth) {
  const PicturePair wild = test::wild_pair({180, 176, ChromaFormat::yuv400, 9});
  EXPECT_EQ(measure(wild), measure(wild));
}

// ---- Chroma ----

TEST(FloatMsSsimChroma, IsMeasuredLikeLuma) {
  const test::Requests chroma{{"enable_chroma", "true"}};
  for (const auto format : {ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444}) {
    const PicturePair pair = test::small_pair(353, 355, format, 8);
    const auto scores = score_of(pair, chroma);
    for (const auto& [name, plane] :
         {std::pair{"float_ms_ssim", 0}, {"float_ms_ssim_cb", 1}, {"float_ms_ssim_cr", 2}}) {
      const PicturePair alone{test::luma_of(pair.reference, plane),
                              test::luma_of(pair.distorted, plane)};
      EXPECT_EQ(scores.at(name), score_of(alone).at("float_ms_ssim")) << name;
    }
    EXPECT_EQ(score_of(pair).at("float_ms_ssim"), scores.at("float_ms_ssim"));
  }
}

TEST(FloatMsSsimChroma, HasACapOfItsOwn) {
  const Picture picture = test::small_pair(352, 352, ChromaFormat::yuv420, 8).reference;
  const auto scores = score_of(
      {picture, picture}, {{"enable_chroma", "true"}, {"enable_db", "true"}, {"clip_db", "true"}});
  EXPECT_EQ(scores.at("float_ms_ssim"), 103);
  EXPECT_EQ(scores.at("float_ms_ssim_cb"), 97);
  EXPECT_EQ(scores.at("float_ms_ssim_cr"), 97);
}

TEST(FloatMsSsimChroma, IsLeftOutOfMonochromePictures) {
  const auto options = test::options_of(float_ms_ssim_descriptor, {{"enable_chroma", "true"}});
  const PictureFormat mono{176, 176, ChromaFormat::yuv400, 8};
  EXPECT_NO_THROW(require_format(float_ms_ssim_descriptor, options, mono));
  EXPECT_FALSE(float_ms_ssim::measures_chroma(options, mono));
  EXPECT_EQ(score_of({test::flat(mono, 9), test::flat(mono, 9)}, {{"enable_chroma", "true"}})
                .count("float_ms_ssim_cb"),
            0U);
}

// ---- Refusals ----

TEST(FloatMsSsimFormat, Needs176x176) {
  const auto refused = [](const test::Requests& options, int width, int height, ChromaFormat chroma,
                          const char* text) {
    test::expect_refused(float_ms_ssim_descriptor, options, {width, height, chroma, 8}, text);
  };
  const auto taken = [](const test::Requests& entries, int width, int height, ChromaFormat chroma) {
    const auto options = test::options_of(float_ms_ssim_descriptor, entries);
    EXPECT_NO_THROW(require_format(float_ms_ssim_descriptor, options, {width, height, chroma, 8}));
  };
  const test::Requests chroma{{"enable_chroma", "true"}};
  refused({}, 175, 400, ChromaFormat::yuv420, "at least 176x176");
  refused({}, 400, 175, ChromaFormat::yuv420, "at least 176x176");
  refused(chroma, 350, 400, ChromaFormat::yuv420, "chroma planes of at least 176x176");
  refused(chroma, 350, 176, ChromaFormat::yuv422, "enable_chroma=false");
  taken({}, 176, 176, ChromaFormat::yuv420);
  taken(chroma, 351, 351, ChromaFormat::yuv420);  // chroma sizes are rounded up
  taken(chroma, 351, 176, ChromaFormat::yuv422);
  taken(chroma, 176, 176, ChromaFormat::yuv444);
}

}  // namespace
}  // namespace hipvmaf
