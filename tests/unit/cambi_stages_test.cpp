// The stages of the banding detector beside plain versions of their definitions.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

#include "features/cambi/cambi_contrast.hpp"
#include "features/cambi/cambi_heatmaps.hpp"
#include "features/cambi/cambi_mask.hpp"
#include "features/cambi/cambi_pooling.hpp"
#include "features/cambi/cambi_preprocess.hpp"
#include "features/cambi/cambi_scales.hpp"

namespace hipvmaf::cambi {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

template <class Value>
struct Plane {
  Plane(int w, int h)
      : width(w), height(h), values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  PlaneView<Value> view() { return {values.data(), width, height, width}; }
  PlaneView<const Value> read() const { return {values.data(), width, height, width}; }
  Value& at(int x, int y) { return values[index(x, y)]; }
  Value at(int x, int y) const { return values[index(x, y)]; }
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }

  int width;
  int height;
  std::vector<Value> values;
};

using Levels = Plane<std::uint16_t>;
using Mask = Plane<std::uint8_t>;

std::mt19937 random_bits(20210601);

int random_below(int end) { return static_cast<int>(random_bits() % static_cast<unsigned>(end)); }

// Patches of few levels, so that runs, windows and contrasts are not trivial.
Levels patches(int width, int height, int lowest, int levels, int patch) {
  Levels plane(width, height);
  std::vector<int> cells(static_cast<std::size_t>((width / patch + 1) * (height / patch + 1)));
  for (int& cell : cells) cell = lowest + random_below(levels);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int cell = (y / patch) * (width / patch + 1) + x / patch;
      plane.at(x, y) =
          static_cast<std::uint16_t>(random_below(16) == 0 ? lowest + random_below(levels)
                                                           : cells[static_cast<std::size_t>(cell)]);
    }
  }
  return plane;
}

// ---- Preprocessing ----

TEST(CambiTenBits, RoundsDeeperSamples) {
  EXPECT_EQ(to_ten_bits(255, 8), 1020);
  EXPECT_EQ(to_ten_bits(511, 9), 1022);
  EXPECT_EQ(to_ten_bits(1023, 10), 1023);
  EXPECT_EQ(to_ten_bits(1, 11), 1);
  EXPECT_EQ(to_ten_bits(2047, 11), 1024);
  EXPECT_EQ(to_ten_bits(31, 16), 0);
  EXPECT_EQ(to_ten_bits(32, 16), 1);
  EXPECT_EQ(to_ten_bits(65535, 16), 1024);
}

TEST(CambiPreprocessing, SmoothsWithTheNeighboursToTheRightAndBelow) {
  Plane<std::uint8_t> luma(3, 3);
  luma.values = {1, 2, 3, 4, 5, 6, 7, 8, 10};
  Levels out(3, 3);
  const PictureFormat format{3, 3, ChromaFormat::yuv400, 8};
  Preprocessor(format, {3, 3}, true).run(luma.read(), out.view());
  EXPECT_THAT(out.values, ElementsAre(12, 16, 18, 24, 29, 32, 30, 36, 40));
  Preprocessor(format, {3, 3}, false).run(luma.read(), out.view());
  EXPECT_THAT(out.values, ElementsAre(4, 8, 12, 16, 20, 24, 28, 32, 40));
}

TEST(CambiPreprocessing, ResizesBeforeItSmooths) {
  Plane<std::uint16_t> luma(4, 2);
  luma.values = {0, 100, 0, 200, 0, 300, 0, 400};
  Levels out(2, 1);
  const PictureFormat format{4, 2, ChromaFormat::yuv400, 10};
  Preprocessor(format, {2, 1}, false).run(luma.read(), out.view());
  EXPECT_THAT(out.values, ElementsAre(300, 400));
  Preprocessor(format, {2, 1}, true).run(luma.read(), out.view());
  EXPECT_THAT(out.values, ElementsAre(350, 400));
}

// ---- Mask ----

TEST(CambiMask, HasThePublishedThresholds) {
  EXPECT_EQ(flatness_threshold({352, 288}), 15);
  EXPECT_EQ(flatness_threshold({640, 360}), 16);
  EXPECT_EQ(flatness_threshold({1280, 720}), 19);
  EXPECT_EQ(flatness_threshold({1920, 1080}), 21);
  EXPECT_EQ(flatness_threshold({2560, 1440}), 22);
  EXPECT_EQ(flatness_threshold({3840, 2160}), 24);
  EXPECT_EQ(flatness_threshold({216, 63}), 7);
  EXPECT_EQ(flatness_threshold({64, 64}), 7);
}

TEST(CambiMask, CountsEqualNeighboursAroundAPixel) {
  for (const auto& size : {std::pair{70, 40}, {5, 9}, {1, 216}, {216, 1}, {40, 2}}) {
    const int width = size.first;
    const int height = size.second;
    const Levels levels = patches(width, height, 100, 3, 6);
    const auto equal = [&](int x, int y) {
      if (x < 0 || y < 0 || x >= width || y >= height) return 0;
      const std::uint16_t level = levels.at(x, y);
      return static_cast<int>((x + 1 == width || level == levels.at(x + 1, y)) &&
                              (y + 1 == height || level == levels.at(x, y + 1)));
    };
    FlatnessMask flatness({width, height});
    Mask mask(width, height);
    for (int run = 0; run < 2; ++run) flatness.run(levels.read(), mask.view());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        int count = 0;
        for (int dy = -3; dy <= 3; ++dy) {
          for (int dx = -3; dx <= 3; ++dx) count += equal(x + dx, y + dy);
        }
        ASSERT_EQ(mask.at(x, y), count > flatness_threshold({width, height}) ? 1 : 0)
            << x << " " << y;
      }
    }
  }
}

// ---- Scales ----

TEST(CambiMode, PrefersWhatOccursTwice) {
  EXPECT_EQ(mode_of(7, 9, 7), 7);
  EXPECT_EQ(mode_of(9, 9, 7), 9);
  EXPECT_EQ(mode_of(7, 9, 9), 9);
  EXPECT_EQ(mode_of(9, 8, 7), 7);
  EXPECT_EQ(mode_of(7, 8, 9), 7);
  EXPECT_EQ(mode_of(8, 7, 9), 7);
}

TEST(CambiMode, LeavesTheFirstAndTheLastRow) {
  for (const auto& [width, height] :
       {std::pair{23, 17}, {1, 9}, {2, 9}, {9, 1}, {9, 2}, {3, 3}, {1, 1}}) {
    const Levels before = patches(width, height, 0, 3, 2);
    Levels rows = before;
    for (int y = 0; y < height; ++y) {
      for (int x = 1; x < width - 1; ++x)
        rows.at(x, y) = mode_of(before.at(x - 1, y), before.at(x, y), before.at(x + 1, y));
    }
    Levels expected = before;
    for (int y = 1; y < height - 1; ++y) {
      for (int x = 0; x < width; ++x)
        expected.at(x, y) = mode_of(rows.at(x, y - 1), rows.at(x, y), rows.at(x, y + 1));
    }
    Levels plane = before;
    ModeFilter(width).run(plane.view());
    EXPECT_EQ(plane.values, expected.values) << width << "x" << height;
  }
}

TEST(CambiScales, KeepEvenRowsAndColumns) {
  Levels plane(5, 3);
  std::iota(plane.values.begin(), plane.values.end(), std::uint16_t{0});
  PlaneView<std::uint16_t> view = plane.view();
  keep_even(view);
  EXPECT_EQ(view.width, 3);
  EXPECT_EQ(view.height, 2);
  EXPECT_EQ(view.stride, 5);
  EXPECT_THAT(std::vector(view.row(0), view.row(0) + 3), ElementsAre(0, 2, 4));
  EXPECT_THAT(std::vector(view.row(1), view.row(1) + 3), ElementsAre(10, 12, 14));
}

// ---- Contrast ----

std::vector<float> plain_contrasts(const Levels& levels, const Mask& mask, int radius,
                                   double luminance_threshold, int steps) {
  const auto highest = highest_visible_levels(Eotf::bt1886, 0.019, steps);
  const int bright = lowest_bright_level(Eotf::bt1886, luminance_threshold);
  const auto reciprocals = reciprocal_table((2 * radius + 1) * (2 * radius + 1) + 1);
  std::vector<float> contrasts;
  for (int y = 0; y < levels.height; ++y) {
    for (int x = 0; x < levels.width; ++x) {
      const int level = levels.at(x, y);
      const auto count = [&](int wanted) {
        std::int64_t pixels = 0;
        for (int j = std::max(0, y - radius); j <= std::min(levels.height - 1, y + radius); ++j) {
          for (int i = std::max(0, x - radius); i <= std::min(levels.width - 1, x + radius); ++i)
            pixels += mask.at(i, j) != 0 && levels.at(i, j) == wanted ? 1 : 0;
        }
        return pixels;
      };
      float largest = 0;
      for (int d = 1; mask.at(x, y) != 0 && d <= steps; ++d) {
        const auto s = static_cast<std::size_t>(d);
        if (level > highest[s - 1] || level + steps + d <= bright) continue;
        const std::int64_t own = count(level);
        const std::int64_t other = std::max(count(level + d), count(level - d));
        largest = std::max(largest, static_cast<float>(step_weight(d) * own * other) *
                                        reciprocals[static_cast<std::size_t>(own + other)]);
      }
      contrasts.push_back(largest);
    }
  }
  return contrasts;
}

struct ContrastCase {
  int width;
  int height;
  int radius;
  int lowest;
  int levels;
  int steps;
  double luminance_threshold;
};

TEST(CambiContrast, FollowsFromCountsOfTheWindow) {
  const std::vector<ContrastCase> cases{
      {40, 30, 3, 100, 6, 4, 0},  {40, 30, 0, 100, 6, 4, 0},    {37, 29, 8, 170, 16, 2, 0.06},
      {5, 30, 9, 100, 3, 4, 0},   {40, 4, 16, 60, 40, 32, 0.1}, {1, 40, 3, 300, 3, 4, 0},
      {40, 1, 3, 425, 20, 4, 0},  {25, 20, 2, 1000, 25, 32, 0}, {25, 20, 30, 0, 12, 8, 0},
      {30, 20, 90, 100, 4, 4, 0},
  };
  for (const ContrastCase& c : cases) {
    const auto visible = visible_steps(Eotf::bt1886, 0.019, c.luminance_threshold, c.steps);
    const auto meter = make_contrast_meter(c.width + 3, c.radius, visible);
    for (int run = 0; run < 2; ++run) {  // nothing is left over from the plane before
      const Levels levels = patches(c.width, c.height, c.lowest, c.levels, 5);
      Mask mask(c.width, c.height);
      for (auto& pixel : mask.values) pixel = random_below(5) != 0 ? 1 : 0;
      std::vector<float> contrasts(levels.values.size(), -1.0F);
      meter->measure(levels.read(), mask.read(), contrasts);
      EXPECT_EQ(contrasts, plain_contrasts(levels, mask, c.radius, c.luminance_threshold, c.steps))
          << c.width << "x" << c.height << " radius " << c.radius;
    }
  }
}

TEST(CambiContrast, HasThePublishedWeights) {
  std::vector<int> weights;
  for (int step = 1; step <= kMostSteps; ++step) weights.push_back(step_weight(step));
  EXPECT_THAT(weights, ElementsAre(1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8,
                                   9, 9, 9, 9, 9, 9, 9, 9, 9, 9));
}

// Counters are updated in blocks, and runs are as long as the picture or shorter than the window.
TEST(CambiContrast, DoesNotDependOnHowTheWidthIsDivided) {
  const auto visible = visible_steps(Eotf::bt1886, 0.019, 0, 2);
  for (const int radius : {0, 1, 4, 8}) {
    const auto meter = make_contrast_meter(26, radius, visible);
    for (int width = 1; width <= 26; ++width) {
      const Levels levels = patches(width, 11, 120, 3, 9);
      Mask mask(width, 11);
      for (auto& pixel : mask.values) pixel = random_below(20) != 0 ? 1 : 0;
      std::vector<float> contrasts(levels.values.size(), -1.0F);
      meter->measure(levels.read(), mask.read(), contrasts);
      ASSERT_EQ(contrasts, plain_contrasts(levels, mask, radius, 0, 2))
          << width << " radius " << radius;
    }
  }
}

// A count of 74465 pixels, and a weighted product of 1.4e10.
TEST(CambiContrast, HasRoomForCountsAndProductsOfLargeWindows) {
  constexpr int kSide = 300;
  constexpr int kRadius = 140;
  constexpr int kCentre = 145;
  for (const int border : {270, 150}) {
    Levels levels(kSide, kSide);
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) levels.at(x, y) = y < border ? 100 : 130;
    }
    Mask mask(kSide, kSide);
    std::ranges::fill(mask.values, std::uint8_t{1});
    std::vector<float> contrasts(levels.values.size());
    make_contrast_meter(kSide, kRadius, visible_steps(Eotf::bt1886, 0.019, 0, kMostSteps))
        ->measure(levels.read(), mask.read(), contrasts);
    const std::int64_t columns = 2 * kRadius + 1;
    const std::int64_t own = columns * (border - (kCentre - kRadius));
    const std::int64_t other = columns * (kCentre + kRadius + 1 - border);
    EXPECT_EQ(contrasts[levels.index(kCentre, kCentre)],
              static_cast<float>(9 * own * other) * (1.0F / static_cast<float>(own + other)));
  }
}

TEST(CambiContrast, TakesRunsLongerThan16Bits) {
  constexpr int kWidth = kMaxPictureSide;
  Levels levels(kWidth, 2);
  std::fill_n(levels.values.begin(), kWidth, std::uint16_t{200});
  std::fill(levels.values.begin() + kWidth, levels.values.end(), std::uint16_t{202});
  Mask mask(kWidth, 2);
  std::ranges::fill(mask.values, std::uint8_t{1});
  std::vector<float> contrasts(levels.values.size());
  make_contrast_meter(kWidth, 2, visible_steps(Eotf::bt1886, 0.019, 0, 4))
      ->measure(levels.read(), mask.read(), contrasts);
  const std::vector<float> inner(static_cast<std::size_t>(kWidth - 4), 2.0F * 25 * 0.1F);
  EXPECT_THAT(std::vector(contrasts.begin() + 2, contrasts.begin() + kWidth - 2),
              ElementsAreArray(inner));
}

// ---- Pooling ----

TEST(CambiPooling, AddsTheLargestExactly) {
  EXPECT_EQ(sum_of_largest(std::array{1.5F, 0.5F, 0.0F, 2.25F}, 2), (CambiSum{3, 3U << 22}));
  EXPECT_EQ(sum_of_largest(std::array{0.0F, 0.0F}, 2), (CambiSum{0, 0}));
  EXPECT_EQ(sum_of_largest(std::array{7.0F}, 1), (CambiSum{7, 0}));
}

TEST(CambiPooling, DigitsMakeUpANumber) {
  for (const std::uint32_t bits : {0x7F7FFFFFU, 0x3F000001U, 0x12345678U, 0U}) {
    std::uint32_t sum = 0;
    for (int digit = 0; digit < kDigitCount; ++digit) {
      EXPECT_EQ(bits & bits_above(digit), sum) << digit;
      EXPECT_LT(digit_of(bits, digit), kDigitValues);
      sum |= digit_of(bits, digit) << digit_shift(digit);
    }
    EXPECT_EQ(sum, bits);
  }
}

TEST(CambiPooling, AgreesWithSorting) {
  for (int run = 0; run < 40; ++run) {
    std::vector<float> values(static_cast<std::size_t>(1 + random_below(3000)));
    const int distinct = 1 + random_below(run % 2 == 0 ? 10 : 1000000);
    for (float& value : values) {
      value = random_below(3) == 0 ? 0.0F : 0.5F + static_cast<float>(random_below(distinct)) / 7;
    }
    const auto count = static_cast<std::size_t>(1 + random_below(static_cast<int>(values.size())));
    const CambiSum sum = sum_of_largest(values, count);
    std::ranges::sort(values, std::greater<>());
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < count; ++i) expected += fixed_contrast(values[i]);
    ASSERT_EQ(sum.units, expected >> kFractionBits);
    ASSERT_EQ(sum.fraction, expected & ((1U << kFractionBits) - 1));
  }
}

TEST(CambiPooling, DoesNotOverflowForTheLargestPictures) {
  const std::vector<float> values(std::size_t{1} << 20U, 4328721.5F);
  const CambiSum sum = sum_of_largest(values, values.size());
  EXPECT_EQ(sum, (CambiSum{(8657443ULL << 20U) / 2, 0}));
}

// ---- Heatmaps ----

TEST(CambiHeatmaps, WrapAboveFullScale) {
  const HeatmapScale usual(4, 1);  // weight 4, window 9: full scale is 9
  EXPECT_EQ(usual.pixel(0.0F), 0);
  EXPECT_EQ(usual.pixel(9.0F), 65535);
  EXPECT_EQ(usual.pixel(0.5F), 3640);
  const HeatmapScale rounded(1, 1);  // full scale is 2, the largest contrast 2.22
  EXPECT_EQ(rounded.pixel(2.0F), 65535);
  EXPECT_EQ(rounded.pixel(2.2222223F), 72816 - 65536);
  EXPECT_EQ(HeatmapScale(1, 0).pixel(0.25F), 0);
}

}  // namespace
}  // namespace hipvmaf::cambi
