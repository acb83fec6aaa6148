#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "features/ssim/float_ssim.hpp"
#include "features/ssim/float_ssim_math.hpp"
#include "ssim_support.hpp"

namespace hipvmaf {
namespace {

using similarity::kWindow;
using test::PicturePair;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

auto score_of(const PicturePair& pair, const test::Requests& options = {}) {
  return test::score<FloatSsimRaw>(float_ssim_descriptor, pair, options);
}

// ---- Constants and terms ----

TEST(Similarity, ConstantsAreThePublishedOnes) {
  EXPECT_EQ(similarity::kK1, 0x1.466666p+1F);
  EXPECT_EQ(similarity::kK2, 0x1.e99998p+2F);
  EXPECT_EQ(similarity::kC1, 0x1.a028f4p+2F);
  EXPECT_EQ(similarity::kC2, 0x1.d42e12p+5F);
  EXPECT_EQ(similarity::kC3, 0x1.d42e12p+4F);
}

TEST(Similarity, TermsOfTheWorkedExample) {
  const auto terms =
      similarity::terms_of({110.262962F, 110.711304F, 15466.208F, 15599.3418F, 15527.792F});
  EXPECT_EQ(static_cast<float>(terms.similarity), 0.998536348342895508F);
  EXPECT_EQ(static_cast<float>(terms.luminance), 0.999991774559021F);
  EXPECT_EQ(static_cast<float>(terms.contrast), 0.999987006187438965F);
  EXPECT_EQ(static_cast<float>(terms.structure), 0.998557567596435547F);
}

TEST(Similarity, ForgivesTheNegativeVarianceOfFlatPatches) {
  // The covariance comes out negative, too, and must not count.
  const auto terms = similarity::terms_of({100, 100, 9999.5F, 9999.5F, 9999.5F});
  EXPECT_EQ(terms.structure, 1);
  EXPECT_EQ(terms.contrast, 1);
  const auto opposed = similarity::terms_of({100, 100, 10100, 10100, 9900});
  EXPECT_LT(opposed.structure, -0.5);
}

TEST(Similarity, AddsRowsExactly) {
  std::uint64_t sum = 0;
  for (int i = 0; i < kMaxPictureSide; ++i) sum += similarity::fixed_point(1.0);
  EXPECT_EQ(similarity::from_fixed_point(sum), kMaxPictureSide);
  for (int i = 0; i < kMaxPictureSide; ++i) sum += similarity::fixed_point(-2.0);
  EXPECT_EQ(similarity::from_fixed_point(sum), -kMaxPictureSide);
  for (const double term : {1e-3, 1.0 / 3, 0.99999994039535522, -0.7, 0.0}) {
    const double kept = similarity::from_fixed_point(similarity::fixed_point(term));
    EXPECT_NEAR(kept, term, 0x1p-48);
  }
}

TEST(Similarity, MirrorsTheBorderWithTheBorderSample) {
  EXPECT_EQ(similarity::mirrored(-1, 20), 0);
  EXPECT_EQ(similarity::mirrored(-4, 20), 3);
  EXPECT_EQ(similarity::mirrored(19, 20), 19);
  EXPECT_EQ(similarity::mirrored(20, 20), 19);
  EXPECT_EQ(similarity::mirrored(23, 20), 16);
}

// ---- Scaling down ----

TEST(FloatSsimScale, FollowsTheShorterSide) {
  for (const auto& [side, factor] : {std::pair{11, 1},
                                     {383, 1},
                                     {384, 2},
                                     {480, 2},
                                     {576, 2},
                                     {639, 2},
                                     {640, 3},
                                     {720, 3},
                                     {1080, 4},
                                     {2160, 8},
                                     {4320, 17},
                                     {kMaxPictureSide, 128}})
    EXPECT_EQ(float_ssim::automatic_factor(side), factor) << side;
  const auto options = test::options_of(float_ssim_descriptor, {});
  EXPECT_EQ(float_ssim::decimation_of(options, {640, 2000, ChromaFormat::yuv420, 8}).factor, 3);
  EXPECT_EQ(float_ssim::decimation_of(options, {2000, 640, ChromaFormat::yuv420, 8}).factor, 3);
}

TEST(FloatSsimScale, GivesOddSidesOneSampleMore) {
  EXPECT_EQ(float_ssim::decimated_side(352, 3), 117);
  EXPECT_EQ(float_ssim::decimated_side(351, 3), 118);
  EXPECT_EQ(float_ssim::decimated_side(351, 1), 351);
  EXPECT_EQ(float_ssim::decimated_side(352, 2), 176);
}

// ---- Direct evaluation ----

struct Image {
  int width = 0;
  int height = 0;
  std::vector<float> samples;

  [[nodiscard]] float at(int x, int y) const {
    return samples[static_cast<std::size_t>(y * width + x)];
  }
};

Image scaled_down(const Picture& picture, const float_ssim::Decimation& decimation) {
  const PictureFormat& format = picture.format();
  const int factor = decimation.factor;
  const auto depth_scale = static_cast<float>(1 << (format.bit_depth - 8));
  const float weight = 1.0F / static_cast<float>(factor * factor);
  Image image{decimation.width, decimation.height, {}};
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      double sum = 0;
      for (int v = 0; v < factor; ++v) {
        for (int u = 0; u < factor; ++u) {
          const int from_x = similarity::mirrored(factor * x - factor / 2 + u, format.width);
          const int from_y = similarity::mirrored(factor * y - factor / 2 + v, format.height);
          const float sample =
              static_cast<float>(test::sample_at(picture, 0, from_x, from_y)) / depth_scale;
          sum += static_cast<double>(sample * weight);
        }
      }
      image.samples.push_back(static_cast<float>(sum));
    }
  }
  return image;
}

/// Window mean at (x, y) of the products of two images.
float window_mean(const Image& a, const Image* b, int x, int y) {
  double column = 0;
  for (int j = 0; j < kWindow; ++j) {
    double row = 0;
    for (int i = 0; i < kWindow; ++i) {
      const float sample = a.at(x + i, y + j);
      const float value = b == nullptr ? sample : sample * b->at(x + i, y + j);
      row += static_cast<double>(value * similarity::window_tap(static_cast<std::size_t>(i)));
    }
    column += static_cast<double>(static_cast<float>(row) *
                                  similarity::window_tap(static_cast<std::size_t>(j)));
  }
  return static_cast<float>(column);
}

/// The four means, with the terms added in raster order.
std::array<double, 4> direct_means(const Image& r, const Image& d) {
  std::array<double, 4> sums{};
  const int width = r.width - (kWindow - 1);
  const int height = r.height - (kWindow - 1);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto terms = similarity::terms_of(
          {window_mean(r, nullptr, x, y), window_mean(d, nullptr, x, y), window_mean(r, &r, x, y),
           window_mean(d, &d, x, y), window_mean(r, &d, x, y)});
      sums[0] += terms.similarity;
      sums[1] += terms.luminance;
      sums[2] += terms.contrast;
      sums[3] += terms.structure;
    }
  }
  for (double& sum : sums) sum = static_cast<double>(static_cast<float>(sum / (width * height)));
  return sums;
}

void expect_direct(int width, int height, int bits, int scale) {
  const PicturePair pair = test::small_pair(width, height, ChromaFormat::yuv400, bits);
  const test::Requests entries{{"scale", std::to_string(scale)}};
  const auto decimation = float_ssim::decimation_of(
      test::options_of(float_ssim_descriptor, entries), pair.reference.format());
  const auto expected = direct_means(scaled_down(pair.reference, decimation),
                                     scaled_down(pair.distorted, decimation));
  const auto scores = score_of(pair, entries);
  SCOPED_TRACE(pair.reference.format().describe() + " scale " + std::to_string(scale));
  EXPECT_EQ(scores.at("float_ssim"), expected[0]);
  EXPECT_EQ(scores.at("float_ssim_l"), expected[1]);
  EXPECT_EQ(scores.at("float_ssim_c"), expected[2]);
  EXPECT_EQ(scores.at("float_ssim_s"), expected[3]);
}

TEST(FloatSsim, EqualsItsDirectEvaluation) {
  for (const auto& [width, height] : {std::pair{11, 11}, {12, 25}, {27, 11}, {33, 16}, {41, 30}}) {
    for (const int bits : {8, 9, 10, 12, 16}) expect_direct(width, height, bits, 1);
  }
}

TEST(FloatSsim, EqualsItsDirectEvaluationAtEveryScale) {
  for (int scale = 2; scale <= 10; ++scale) {
    for (const int extra : {0, 1, 2, 7}) {
      expect_direct(11 * scale + extra, 13 * scale + extra / 2, 8, scale);
      expect_direct(12 * scale + extra, 11 * scale + 3, 11, scale);
    }
  }
  expect_direct(401, 385, 8, 0);
}

// ---- Special pictures ----

TEST(FloatSsim, OfTheWorkedExample) {
  const auto scores = score_of(test::worked_example(), {{"scale", "1"}});
  EXPECT_EQ(static_cast<float>(scores.at("float_ssim")), 0.998536348342895508F);
  EXPECT_EQ(static_cast<float>(scores.at("float_ssim_l")), 0.999991774559021F);
  EXPECT_EQ(static_cast<float>(scores.at("float_ssim_c")), 0.999987006187438965F);
  EXPECT_EQ(static_cast<float>(scores.at("float_ssim_s")), 0.998557567596435547F);
}

TEST(FloatSsim, OfFlatPicturesIsTheirLuminance) {
  const PictureFormat format{30, 20, ChromaFormat::yuv400, 8};
  const auto scores = score_of({test::flat(format, 0), test::flat(format, 255)});
  EXPECT_EQ(scores.at("float_ssim"), 9.9989178124815226e-05);
  EXPECT_EQ(scores.at("float_ssim_l"), 9.9989178124815226e-05);
  EXPECT_EQ(scores.at("float_ssim_c"), 1);
  EXPECT_EQ(scores.at("float_ssim_s"), 1);
  // Identical pictures do not always make 1.
  const auto grey = score_of({test::flat(format, 128), test::flat(format, 128)});
  EXPECT_EQ(grey.at("float_ssim"), 0.99999994039535522);
}

TEST(FloatSsim, DoesNotDependOnLayoutOrDepth) {
  for (const auto& [width, height] : {std::pair{11, 12}, {37, 23}, {390, 400}}) {
    const PicturePair pair = test::small_pair(width, height, ChromaFormat::yuv420, 8);
    const auto expected = test::measure<FloatSsimRaw>(float_ssim_descriptor, pair);
    EXPECT_EQ(test::measure<FloatSsimRaw>(float_ssim_descriptor, test::spread(pair)), expected);
    for (int bits = 9; bits <= 16; ++bits) {
      const PicturePair deep = test::deepened(pair, bits);
      EXPECT_EQ(test::measure<FloatSsimRaw>(float_ssim_descriptor, deep), expected) << bits;
      EXPECT_EQ(test::measure<FloatSsimRaw>(float_ssim_descriptor, test::spread(deep)), expected);
    }
  }
}

TEST(FloatSsim, DoesNotDependOnWhatWasMeasuredBefore) {
  const auto options = test::options_of(float_ssim_descriptor, {{"scale", "2"}});
  const auto stage =
      float_ssim_descriptor.make_cpu_stage(options, {48, 40, ChromaFormat::yuv400, 10});
  for (const std::uint32_t seed : {1U, 2U, 1U}) {
    const PicturePair pair = test::small_pair(48, 40, ChromaFormat::yuv400, 10, seed);
    EXPECT_EQ(test::measure_with<FloatSsimRaw>(*stage, pair),
              test::measure<FloatSsimRaw>(float_ssim_descriptor, pair, {{"scale", "2"}}));
  }
}

// Samples above the nominal depth have no meaning, but must do no harm either.
TEST(FloatSsim, SurvivesSamplesAboveTheNominalDepth) {
  for (const int bits : {9, 10, 12}) {
    const PicturePair wild = test::wild_pair({40, 24, ChromaFormat::yuv400, bits});
    EXPECT_EQ(test::measure<FloatSsimRaw>(float_ssim_descriptor, wild),
              test::measure<FloatSsimRaw>(float_ssim_descriptor, wild));
  }
}

// ---- Decibels ----

similarity::ScoreScale scale_of(const test::Requests& entries, const PictureFormat& format,
                                int plane = 0) {
  return {test::options_of(float_ssim_descriptor, entries), format, plane};
}

constexpr PictureFormat kCif{352, 288, ChromaFormat::yuv420, 8};
constexpr PictureFormat kHd{1920, 1080, ChromaFormat::yuv420, 8};

TEST(SsimDecibels, AreOffByDefault) {
  EXPECT_EQ(scale_of({}, kCif)(0.25), 0.25);
  EXPECT_EQ(scale_of({{"clip_db", "true"}}, kCif)(1), 1);
}

TEST(SsimDecibels, WithoutACap) {
  const auto scale = scale_of({{"enable_db", "true"}}, kCif);
  EXPECT_DOUBLE_EQ(scale(0.9), 10);
  EXPECT_EQ(scale(0.99999994039535522), 72.247198959355487);
  EXPECT_LT(scale(-0.5), 0);
  EXPECT_EQ(scale(1), kInfinity);
  EXPECT_EQ(scale(std::numeric_limits<double>::quiet_NaN()), kInfinity);
  EXPECT_EQ(scale(1.0000001), kInfinity);
}

TEST(SsimDecibels, WithACap) {
  const test::Requests capped{{"enable_db", "true"}, {"clip_db", "true"}};
  EXPECT_EQ(scale_of(capped, kCif)(1), 102);
  EXPECT_EQ(scale_of(capped, kHd)(1), 115);
  EXPECT_EQ(scale_of(capped, kHd)(std::numeric_limits<double>::quiet_NaN()), 115);
  EXPECT_DOUBLE_EQ(scale_of(capped, kHd)(0.9), 10);
  EXPECT_EQ(scale_of(capped, kHd, 1)(1), 109);  // a quarter of the samples
}

TEST(SsimDecibels, LeaveTheOtherMeansAlone) {
  const PicturePair pair = test::small_pair(60, 50, ChromaFormat::yuv420, 8);
  auto linear = score_of(pair);
  auto decibels = score_of(pair, {{"enable_db", "true"}});
  EXPECT_EQ(decibels["float_ssim"], -10 * std::log10(1 - linear["float_ssim"]));
  linear.erase("float_ssim");
  decibels.erase("float_ssim");
  EXPECT_EQ(linear, decibels);
}

// ---- Refusals ----

TEST(FloatSsimFormat, Needs11x11AfterScalingDown) {
  const auto format = [](int width, int height) {
    return PictureFormat{width, height, ChromaFormat::yuv420, 8};
  };
  const auto refused = [&](const char* scale, int width, int height, const char* text) {
    test::expect_refused(float_ssim_descriptor, {{"scale", scale}}, format(width, height), text);
  };
  refused("0", 10, 64, "at least 11x11");
  refused("0", 64, 10, "at least 11x11");
  refused("10", 100, 400, "with scale=10 10x40");
  refused("10", 400, 108, "with scale=10 40x10");
  const auto taken = [&](const char* scale, int width, int height) {
    const auto options = test::options_of(float_ssim_descriptor, {{"scale", scale}});
    EXPECT_NO_THROW(require_format(float_ssim_descriptor, options, format(width, height)));
  };
  taken("0", 11, 11);
  taken("10", 101, 110);  // an odd side has one sample more
  taken("2", 22, 22);
}

TEST(FloatSsimOptions, AreChecked) {
  for (const auto& [name, text] : {std::pair{"scale", "11"},
                                   {"scale", "-1"},
                                   {"scale", "x"},
                                   {"enable_lcs", "yes"},
                                   {"clip_db", "1"}}) {
    EXPECT_THROW(test::options_of(float_ssim_descriptor, {{name, text}}), Error) << name << text;
  }
}

}  // namespace
}  // namespace hipvmaf
