#include "features/resample/resample.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace hipvmaf::resample {
namespace {

constexpr Method kMethods[] = {Method::nearest, Method::bilinear, Method::bicubic,
                               Method::lanczos4};

struct Plane {
  Plane(int w, int h) : width(w), height(h), samples(static_cast<std::size_t>(w * h)) {}
  [[nodiscard]] PlaneView<const float> view() const {
    return {samples.data(), width, height, width};
  }
  [[nodiscard]] float at(int x, int y) const {
    return samples[static_cast<std::size_t>(y * width + x)];
  }

  int width;
  int height;
  std::vector<float> samples;
};

Plane scaled(const PlaneView<const float>& from, Method method, int width, int height) {
  Resampler resampler(method, from.width, from.height, width, height);
  resampler.begin(from);
  Plane to(width, height);
  for (int y = 0; y < height; ++y)
    resampler.make_row(y, to.samples.data() + static_cast<std::ptrdiff_t>(y) * width);
  return to;
}

// samples[y][x] = x + 100 y, in single precision exactly.
Plane ramp(int width, int height) {
  Plane plane(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      plane.samples[static_cast<std::size_t>(y * width + x)] = static_cast<float>(x + 100 * y);
  }
  return plane;
}

std::vector<int> sources_of(const AxisTable& table, int position) {
  const AxisView view = table.view();
  std::vector<int> sources;
  for (std::ptrdiff_t at = position; at < view.positions * kMostTaps; at += view.positions)
    sources.push_back(view.sources[at]);
  return sources;
}

TEST(ResampleMethod, IsFoundByName) {
  EXPECT_EQ(find_method("nearest"), Method::nearest);
  EXPECT_EQ(find_method("bilinear"), Method::bilinear);
  EXPECT_EQ(find_method("bicubic"), Method::bicubic);
  EXPECT_EQ(find_method("lanczos4"), Method::lanczos4);
  for (const char* name : {"", "lanczos", "Nearest", "bicubic "})
    EXPECT_FALSE(find_method(name)) << name;
}

TEST(ResampleSize, IsRounded) {
  EXPECT_EQ(scaled_side(100, 1), 100);
  EXPECT_EQ(scaled_side(353, 0.6), 212);
  EXPECT_EQ(scaled_side(289, 0.5), 145);
  EXPECT_EQ(scaled_side(4, 0.1), 0);
}

TEST(ResampleNearest, TakesTheSampleBelow) {
  const Plane up = scaled(ramp(4, 2).view(), Method::nearest, 7, 3);
  const std::vector<float> first{0, 0, 1, 1, 2, 2, 3};
  EXPECT_EQ(std::vector<float>(up.samples.begin(), up.samples.begin() + 7), first);
  EXPECT_EQ(up.at(6, 1), 3);
  EXPECT_EQ(up.at(6, 2), 103);
  const Plane down = scaled(ramp(9, 9).view(), Method::nearest, 4, 3);
  const std::vector<float> row{300, 302, 304, 306};
  EXPECT_EQ(std::vector<float>(down.samples.begin() + 4, down.samples.begin() + 8), row);
}

TEST(ResampleBilinear, IsLinearInside) {
  const Plane up = scaled(ramp(8, 6).view(), Method::bilinear, 16, 12);
  EXPECT_EQ(up.at(1, 1), 0.25F + 25);
  EXPECT_EQ(up.at(4, 2), 1.75F + 75);
  const Plane down = scaled(ramp(8, 6).view(), Method::bilinear, 4, 3);
  EXPECT_EQ(down.at(0, 0), 0.5F + 50);
  EXPECT_EQ(down.at(3, 2), 6.5F + 450);
}

// Before the first sample, the distance is taken from the mirrored sample 1: at -0.25 the weights
// are 2.25 of sample 1 and -1.25 of sample 0.
TEST(ResampleBilinear, ExtrapolatesBeforeTheFirstSampleWhenItEnlarges) {
  const AxisTable table(Method::bilinear, 8, 16);
  const AxisView view = table.view();
  EXPECT_EQ(view.sources[0], 1);
  EXPECT_EQ(view.sources[16], 0);
  EXPECT_EQ(view.weights[0], 2.25F);
  EXPECT_EQ(view.weights[16], -1.25F);
  EXPECT_EQ(scaled(ramp(8, 6).view(), Method::bilinear, 16, 12).at(0, 0), 2.25F + 225);
  // After the last sample, mirroring gives the neighbour before it, at the distance to the last.
  EXPECT_EQ(view.sources[15], 7);
  EXPECT_EQ(view.sources[31], 6);
  EXPECT_EQ(view.weights[15], 0.75F);
  EXPECT_EQ(view.weights[31], 0.25F);
}

TEST(ResampleBicubic, HasTheWeightsOfTheHalfWay) {
  const AxisTable table(Method::bicubic, 8, 4);
  const AxisView view = table.view();
  const float expected[] = {-0.09375F, 0.59375F, 0.59375F, -0.09375F};
  for (std::ptrdiff_t tap = 0; tap < 4; ++tap) {
    EXPECT_EQ(view.weights[tap * 4 + 1], expected[tap]);
    EXPECT_EQ(view.sources[tap * 4 + 1], 1 + tap);
  }
  EXPECT_EQ(view.sources[0], 1) << "sample -1, mirrored";
  EXPECT_EQ(view.sources[3 * 4 + 3], 6) << "sample 8, mirrored";
}

TEST(ResampleLanczos, DividesByTheSumOfItsWeights) {
  Plane flat(20, 12);
  std::fill(flat.samples.begin(), flat.samples.end(), 64.0F);
  for (const float sample : scaled(flat.view(), Method::lanczos4, 31, 17).samples)
    EXPECT_NEAR(sample, 64.0F, 1e-4F);
}

TEST(ResampleLanczos, MirrorsItsEightTaps) {
  const AxisTable up(Method::lanczos4, 6, 24);
  EXPECT_EQ(sources_of(up, 0), (std::vector<int>{4, 3, 2, 1, 0, 1, 2, 3}));
  EXPECT_EQ(sources_of(up, 23), (std::vector<int>{2, 3, 4, 5, 4, 3, 2, 1}));
}

TEST(ResampleLanczos, HasTheWeightsOfTheWindowedSinc) {
  const AxisTable table(Method::lanczos4, 12, 6);
  const AxisView view = table.view();
  const double pi = std::acos(-1.0);
  for (std::ptrdiff_t tap = 0; tap < kMostTaps; ++tap) {
    const double t = static_cast<double>(tap) - 3.5;
    const double expected = 4 * std::sin(pi * t) * std::sin(pi * t / 4) / (pi * pi * t * t);
    EXPECT_NEAR(static_cast<double>(view.weights[tap * 6 + 2]), expected, 1e-7) << tap;
  }
}

// A table holds no place outside the source, from the smallest sources on and for any scale.
TEST(ResampleTables, StayInsideTheSource) {
  for (const Method method : kMethods) {
    for (int from = smallest_source_side(method); from < 90; ++from) {
      for (const double scale : {0.1, 0.5, 0.6, 0.999, 1.001, 1.5, 2.0, 3.3, 4.0}) {
        const int to = scaled_side(from, scale);
        if (to == 0) continue;
        const AxisTable table(method, from, to);
        const AxisView view = table.view();
        for (std::ptrdiff_t at = 0; at < view.positions * tap_count(method); ++at) {
          ASSERT_GE(view.sources[at], 0) << from << " to " << to;
          ASSERT_LT(view.sources[at], from) << from << " to " << to;
        }
      }
    }
  }
  for (const Method method : kMethods) {
    const AxisTable table(method, 32768, 4 * 32768);
    const AxisView view = table.view();
    for (std::ptrdiff_t at = 0; at < view.positions * tap_count(method); ++at)
      ASSERT_TRUE(view.sources[at] >= 0 && view.sources[at] < 32768);
  }
}

// ---- Rows ----

Plane noise(int width, int height) {
  Plane plane(width, height);
  std::uint32_t state = 1;
  for (float& sample : plane.samples) {
    state = state * 1664525U + 1013904223U;
    sample = static_cast<float>(state >> 16U) / 256 - 128;
  }
  return plane;
}

template <Method kMethod>
float direct_sample(const Plane& plane, const AxisView& columns, const AxisView& rows, int x,
                    int y) {
  std::array<const float*, kMostTaps> sources{};
  std::array<float, kMostTaps> weights{};
  for (std::size_t j = 0; j < tap_count(kMethod); ++j) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(j) * rows.positions + y;
    sources[j] = plane.view().row(rows.sources[at]);
    weights[j] = rows.weights[at];
  }
  const auto source = [&](int tap, int column) {
    return sources[static_cast<std::size_t>(tap)][column];
  };
  return resampled<kMethod>(source, weights.data(), columns, x);
}

// Rows come from sums over whole rows; each sample is the one that its taps make alone, in whatever
// order the rows are made.
template <Method kMethod>
void expect_direct(int width, int height, double scale) {
  const Plane plane = noise(width, height);
  const int to_width = scaled_side(width, scale);
  const int to_height = scaled_side(height, scale);
  const AxisTable columns(kMethod, width, to_width);
  const AxisTable rows(kMethod, height, to_height);
  Resampler resampler(kMethod, width, height, to_width, to_height);
  resampler.begin(plane.view());
  std::vector<float> row(static_cast<std::size_t>(to_width));
  for (int i = 0; i < 2 * to_height; ++i) {
    const int y = i < to_height ? i : (to_height - 1 - i % to_height) * 5 % to_height;
    resampler.make_row(y, row.data());
    for (int x = 0; x < to_width; ++x) {
      ASSERT_EQ(row[static_cast<std::size_t>(x)],
                direct_sample<kMethod>(plane, columns.view(), rows.view(), x, y))
          << width << "x" << height << " by " << scale << " at " << x << "," << y;
    }
  }
}

TEST(ResampleRows, EqualTheirDirectEvaluation) {
  for (const auto& [width, height] : {std::pair{6, 6}, {7, 19}, {23, 11}, {40, 33}}) {
    for (const double scale : {0.35, 0.6, 1.1, 1.5, 2.0, 4.0}) {
      expect_direct<Method::nearest>(width, height, scale);
      expect_direct<Method::bilinear>(width, height, scale);
      expect_direct<Method::bicubic>(width, height, scale);
      expect_direct<Method::lanczos4>(width, height, scale);
    }
  }
}

// The first of the nine weights by which Lanczos windows are defined is never anything but 0.
TEST(ResampleRows, OfLanczosWindowsAreThoseOfNineTaps) {
  const auto weight = [](float t) {
    if (t == 0) return 1.0F;
    if (t <= -4 || t >= 4) return 0.0F;
    const double pi = std::acos(-1.0);
    const auto d = static_cast<double>(t);
    return static_cast<float>(((4 * std::sin(pi * d)) * std::sin((pi * d) / 4)) /
                              (((pi * pi) * d) * d));
  };
  const Plane plane = noise(31, 14);
  const Plane up = scaled(plane.view(), Method::lanczos4, 47, 21);
  const auto position = [](int i, int from, int to) {
    const float ratio = static_cast<float>(from) / static_cast<float>(to);
    return static_cast<float>((i + 0.5) * static_cast<double>(ratio) - 0.5);
  };
  for (int y = 0; y < up.height; ++y) {
    for (int x = 0; x < up.width; ++x) {
      const float u = position(x, plane.width, up.width);
      const float v = position(y, plane.height, up.height);
      float sum = 0;
      float weights = 0;
      for (int j = -4; j <= 4; ++j) {
        for (int i = -4; i <= 4; ++i) {
          const float w = weight(static_cast<float>(i) - (u - std::floor(u))) *
                          weight(static_cast<float>(j) - (v - std::floor(v)));
          weights += w;
          sum += plane.at(mirrored(static_cast<int>(std::floor(u)) + i, plane.width),
                          mirrored(static_cast<int>(std::floor(v)) + j, plane.height)) *
                 w;
        }
      }
      ASSERT_EQ(up.at(x, y), sum / weights) << x << "," << y;
    }
  }
}

TEST(ResampleRows, AreThoseOfThePlaneThatWasBegun) {
  const Plane first = noise(20, 10);
  const Plane second = ramp(20, 10);
  Resampler resampler(Method::bicubic, 20, 10, 30, 15);
  std::vector<float> row(30);
  resampler.begin(first.view());
  resampler.make_row(3, row.data());
  resampler.begin(second.view());
  resampler.make_row(3, row.data());
  const Plane expected = scaled(second.view(), Method::bicubic, 30, 15);
  EXPECT_EQ(row, std::vector<float>(expected.samples.begin() + 3L * 30,
                                    expected.samples.begin() + 4L * 30));
}

TEST(ResampleRows, FollowTheStride) {
  const Plane plane = ramp(20, 10);
  Plane padded(29, 10);
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 29; ++x)
      padded.samples[static_cast<std::size_t>(y * 29 + x)] = x < 20 ? plane.at(x, y) : 1e9F;
  }
  const PlaneView<const float> part{padded.samples.data(), 20, 10, 29};
  for (const Method method : kMethods)
    EXPECT_EQ(scaled(part, method, 33, 7).samples, scaled(plane.view(), method, 33, 7).samples);
}

}  // namespace
}  // namespace hipvmaf::resample
