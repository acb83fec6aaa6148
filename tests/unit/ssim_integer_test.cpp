#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "features/ssim/ssim.hpp"
#include "features/ssim/ssim_math.hpp"
#include "ssim_support.hpp"

namespace hipvmaf {
namespace {

using test::PicturePair;

double score_of(const PicturePair& pair, const test::Requests& options = {}) {
  return test::score<SsimRaw>(ssim_descriptor, pair, options).at("ssim");
}

TEST(SsimWindow, IsTheGaussian) {
  constexpr double sigma = 1.5;
  int sum = 0;
  for (int k = 1; k <= ssim::kRadius; ++k) {
    const double gauss =
        std::exp(-k * k / (2 * sigma * sigma)) / (sigma * std::sqrt(2 * std::numbers::pi));
    EXPECT_EQ(ssim::window_tap(k), std::floor(256 * gauss + 0.5)) << k;
    sum += 2 * ssim::window_tap(k);
  }
  EXPECT_EQ(sum + ssim::window_tap(0), 256);
}

TEST(SsimWindow, DropsTheTapsOutside) {
  EXPECT_EQ(ssim::inside_weight(0, 100), 256 - 94);
  EXPECT_EQ(ssim::inside_weight(3, 100), 256 - 2);
  EXPECT_EQ(ssim::inside_weight(4, 100), 256);
  EXPECT_EQ(ssim::inside_weight(95, 100), 256);
  EXPECT_EQ(ssim::inside_weight(99, 100), 256 - 94);
  EXPECT_EQ(ssim::inside_weight(0, 1), 68);
  EXPECT_EQ(ssim::inside_weight(1, 3), 68 + 2 * 55);
}

TEST(SsimStabilisers, AreThePublishedOnes) {
  EXPECT_EQ(ssim::stabilisers_of(8).luminance, 65025.0 * 0x1.a36e2eb1c432dp-14);
  EXPECT_EQ(ssim::stabilisers_of(8).structure, 65025.0 * 0x1.d7dbf487fcb92p-11);
  EXPECT_EQ(ssim::stabilisers_of(16).luminance, 4294836225.0 * 0x1.a36e2eb1c432dp-14);
}

// Sums over the whole window in integers, one pixel after the other.
double direct_score(const PicturePair& pair) {
  const PictureFormat& format = pair.reference.format();
  const ssim::Stabilisers stabilisers = ssim::stabilisers_of(format.bit_depth);
  double terms = 0;
  double weights = 0;
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      std::array<std::int64_t, 6> sums{};
      for (int j = -ssim::kRadius; j <= ssim::kRadius; ++j) {
        for (int i = -ssim::kRadius; i <= ssim::kRadius; ++i) {
          if (x + i < 0 || x + i >= format.width || y + j < 0 || y + j >= format.height) continue;
          const std::int64_t tap = ssim::window_tap(std::abs(i)) * ssim::window_tap(std::abs(j));
          const std::int64_t r = test::sample_at(pair.reference, 0, x + i, y + j);
          const std::int64_t d = test::sample_at(pair.distorted, 0, x + i, y + j);
          const std::array<std::int64_t, 6> values{1, r, d, r * r, r * d, d * d};
          for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += tap * values[v];
        }
      }
      const auto real = [&](std::size_t v) { return static_cast<double>(sums[v]); };
      terms += ssim::term_of({real(0), real(1), real(2), real(3), real(4), real(5)}, stabilisers);
      weights += real(0);
    }
  }
  return terms / weights;
}

TEST(Ssim, EqualsItsDirectEvaluation) {
  for (const int bits : {8, 9, 10, 12, 16}) {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {2, 2}, {3, 5}, {9, 1}, {4, 30}, {8, 9}, {17, 4}, {21, 23}, {40, 33}}) {
      const PicturePair pair = test::small_pair(width, height, ChromaFormat::yuv400, bits);
      EXPECT_EQ(score_of(pair), direct_score(pair)) << pair.reference.format().describe();
    }
  }
}

// The largest sums of each depth.
TEST(Ssim, HoldsTheLargestSums) {
  for (const int bits : {8, 10, 16}) {
    const PictureFormat format{24, 20, ChromaFormat::yuv400, bits};
    const int peak = (1 << bits) - 1;
    const auto dotted = [peak](int, int x, int y) { return (x * 7 + y * 3) % 5 ? peak : 0; };
    const PicturePair pair{test::flat(format, peak), test::painted(format, dotted)};
    EXPECT_EQ(score_of(pair), direct_score(pair)) << bits;
  }
}

TEST(Ssim, OfTheWorkedExample) { EXPECT_EQ(score_of(test::worked_example()), 0.99851794614699274); }

TEST(Ssim, OfIdenticalPicturesIs1) {
  const Picture picture = test::small_pair(45, 31, ChromaFormat::yuv420, 8).reference;
  const PicturePair same{picture, picture};
  EXPECT_EQ(score_of(same), 1);
  EXPECT_EQ(score_of(same, {{"enable_db", "true"}}), std::numeric_limits<double>::infinity());
  // ceil(10 log10(255^2 * 2 * 45 * 31))
  EXPECT_EQ(score_of(same, {{"enable_db", "true"}, {"clip_db", "true"}}), 83);
  EXPECT_EQ(score_of(same, {{"clip_db", "true"}}), 1);
}

TEST(Ssim, InDecibels) {
  const PicturePair pair = test::small_pair(45, 31, ChromaFormat::yuv420, 8);
  EXPECT_EQ(score_of(pair, {{"enable_db", "true"}}), -10 * std::log10(1 - score_of(pair)));
}

TEST(Ssim, DoesNotDependOnLayoutOrChroma) {
  for (const auto& [width, height] : {std::pair{1, 3}, {33, 7}, {50, 41}}) {
    const PicturePair pair = test::small_pair(width, height, ChromaFormat::yuv420, 8);
    const auto expected = test::measure<SsimRaw>(ssim_descriptor, pair);
    EXPECT_EQ(test::measure<SsimRaw>(ssim_descriptor, test::spread(pair)), expected);
    EXPECT_EQ(test::measure<SsimRaw>(ssim_descriptor, {test::luma_of(pair.reference, 0),
                                                       test::luma_of(pair.distorted, 0)}),
              expected);
    const PicturePair deep = test::small_pair(width, height, ChromaFormat::yuv444, 11);
    EXPECT_EQ(test::measure<SsimRaw>(ssim_descriptor, test::spread(deep)),
              test::measure<SsimRaw>(ssim_descriptor, deep));
  }
}

TEST(Ssim, DoesNotDependOnWhatWasMeasuredBefore) {
  const auto options = test::options_of(ssim_descriptor, {});
  const auto stage = ssim_descriptor.make_cpu_stage(options, {48, 40, ChromaFormat::yuv400, 10});
  for (const std::uint32_t seed : {1U, 2U, 1U}) {
    const PicturePair pair = test::small_pair(48, 40, ChromaFormat::yuv400, 10, seed);
    EXPECT_EQ(test::measure_with<SsimRaw>(*stage, pair),
              test::measure<SsimRaw>(ssim_descriptor, pair));
  }
}

// Samples above the nominal depth have no meaning, but must do no harm either.
TEST(Ssim, SurvivesSamplesAboveTheNominalDepth) {
  const PicturePair wild = test::wild_pair({40, 24, ChromaFormat::yuv400, 9});
  EXPECT_EQ(score_of(wild), direct_score(wild));
}

}  // namespace
}  // namespace hipvmaf
