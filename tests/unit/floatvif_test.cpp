#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "features/float_vif/float_vif.hpp"
#include "features/float_vif/float_vif_filters.hpp"
#include "features/float_vif/float_vif_rows.hpp"
#include "stage_support.hpp"

namespace hipvmaf {
namespace {

using test::PicturePair;
using test::Requests;

FloatVifRaw measure(const PicturePair& pair, const Requests& requests = {}) {
  return test::measure<FloatVifRaw>(float_vif_descriptor, pair, requests);
}

PicturePair small_frame(int width, int height, int bits = 8) {
  return test::small_pair(width, height, ChromaFormat::yuv400, bits);
}

// ---- Logarithm ----

TEST(FloatVifLog2, IsExactForPowersOfTwo) {
  for (int exponent = -20; exponent <= 60; ++exponent) {
    EXPECT_EQ(float_vif::approximate_log2(std::ldexp(1.0F, exponent)),
              static_cast<float>(exponent));
  }
}

TEST(FloatVifLog2, IsCloseToTheLogarithm) {
  for (float x = 1.0F; x < 4000.0F; x *= 1.003F)
    EXPECT_NEAR(float_vif::approximate_log2(x), std::log2(x), 1.2e-5F) << x;
}

TEST(FloatVifLog2, TakesInfinityAndNanAsBits) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(float_vif::approximate_log2(kInfinity), 128);
  const float of_nan = 128 + float_vif::approximate_log2(1.5F);
  EXPECT_EQ(float_vif::approximate_log2(std::numeric_limits<float>::quiet_NaN()), of_nan);
  EXPECT_EQ(float_vif::approximate_log2(-std::numeric_limits<float>::signaling_NaN()), of_nan);
}

// ---- Pixels ----

// Moments of pixels with means 0.
float_vif::Information of_variances(float reference, float distorted, float both, double noise = 2,
                                    double gain_limit = 100) {
  return float_vif::information({0, 0, reference, distorted, both},
                                float_vif::make_vision(noise, gain_limit));
}

TEST(FloatVifVision, RoundsTheNoiseOnceForEachUse) {
  EXPECT_EQ(float_vif::make_vision(2, 100).flat_loss, 0x1.020304p-14F);
  EXPECT_EQ(float_vif::make_vision(2, 100).flat_below, 2);
  EXPECT_EQ(float_vif::make_vision(0, 100).flat_below, 0);
  // 0.3 lies between two floats, nearer to the upper one; 0.7 nearer to the lower one.
  for (const double noise : {0.3, 0.7}) {
    const float below = float_vif::make_vision(noise, 100).flat_below;
    EXPECT_GE(static_cast<double>(below), noise);
    EXPECT_LT(static_cast<double>(std::nextafter(below, 0.0F)), noise);
  }
}

TEST(FloatVifInformation, OfAFlatReferenceIsABitLessTheDistortedVariance) {
  const auto clean = of_variances(1.5F, 0, 0);
  EXPECT_EQ(clean.kept, 1);
  EXPECT_EQ(clean.available, 1);
  EXPECT_EQ(of_variances(1.5F, 4096, 0).kept, 1 - 4096 * 0x1.020304p-14F);
  EXPECT_EQ(of_variances(1.5F, 4096, -1).kept, 1 - 4096 * 0x1.020304p-14F);
}

TEST(FloatVifInformation, OfIdenticalTextureIsAllOfIt) {
  const auto same = of_variances(30, 30, 30);
  EXPECT_EQ(same.available, 4) << "log2(1 + 30 / 2)";
  EXPECT_NEAR(same.kept, 4, 1e-6F);
}

TEST(FloatVifInformation, IsNotKeptByInvertedOrUnrelatedOrEvenPictures) {
  for (const auto& pixel :
       {of_variances(30, 30, -30), of_variances(30, 30, 0), of_variances(30, 0, 0)}) {
    EXPECT_EQ(pixel.kept, 0);
    EXPECT_EQ(pixel.available, 4);
  }
}

TEST(FloatVifInformation, LimitsTheGain) {
  EXPECT_NEAR(of_variances(30, 120, 60).kept, std::log2(1.0F + 120.0F / 2), 1e-4F);
  EXPECT_NEAR(of_variances(30, 120, 60, 2, 1).kept, 4, 1e-4F);
}

TEST(FloatVifInformation, StaysFiniteWithoutNoise) {
  EXPECT_EQ(of_variances(30, 30, 30, 0).available, 128);
  EXPECT_TRUE(std::isfinite(of_variances(30, 30, 30, 0).kept));
  EXPECT_EQ(of_variances(0, 0, 0, 0).available, 128 + float_vif::approximate_log2(1.5F));
  EXPECT_EQ(of_variances(0, 0, 0, 0).kept, 0);
}

// ---- Filters ----

TEST(FloatVifFilters, NeedTheseSizes) {
  struct Row {
    double kernel_scale;
    std::array<int, 4> widths;
    int side;
  };
  constexpr Row kRows[] = {
      {1, {17, 9, 5, 3}, 16},        {0.444444, {9, 5, 3, 3}, 16},   {0.740741, {13, 7, 5, 3}, 16},
      {1.06667, {19, 11, 7, 5}, 24}, {1.33333, {23, 13, 7, 5}, 24},  {1.6, {29, 15, 9, 5}, 24},
      {1.66667, {29, 17, 9, 7}, 32}, {2, {35, 19, 11, 7}, 32},       {2.4, {41, 23, 13, 9}, 40},
      {3, {51, 27, 15, 9}, 40},      {3.71134, {65, 35, 19, 13}, 56}};
  for (const Row& row : kRows) {
    const float_vif::Filters filters = float_vif::make_filters(row.kernel_scale);
    for (std::size_t s = 0; s < filters.size(); ++s)
      EXPECT_EQ(filters[s].width(), row.widths[s]) << row.kernel_scale << " scale " << s;
    EXPECT_EQ(float_vif::smallest_side(filters), row.side) << row.kernel_scale;
  }
}

TEST(FloatVifFilters, HaveTheDefinedCentreTaps) {
  const float_vif::Filters filters = float_vif::make_filters(1);
  EXPECT_EQ(filters[0].taps[8], 0x1.e67f64p-4F);
  EXPECT_EQ(filters[1].taps[4], 0x1.cb1b82p-3F);
  EXPECT_EQ(filters[2].taps[2], 0x1.9c4866p-2F);
  EXPECT_EQ(filters[3].taps[1], 0x1.55a0dep-1F);
}

// Every width goes through its own groups of taps; the order is that of a plain loop.
TEST(FloatVifRows, AddTheTapsInOrder) {
  constexpr int kWidth = 37;
  for (int taps = 3; taps <= float_vif::kWidestFilter; taps += 2) {
    float_vif::Filter filter;
    for (int k = 0; k < taps; ++k) filter.taps.push_back(1 / static_cast<float>(k + 3));
    std::vector<float> samples(static_cast<std::size_t>(kWidth + taps));
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples[i] = static_cast<float>((i * 7919) % 257) - 128;
    float_vif::Sources sources{};
    for (int k = 0; k < taps; ++k) sources[static_cast<std::size_t>(k)] = samples.data() + k;
    std::vector<float> sums(kWidth);
    std::array<std::vector<float>, 3> products;
    for (auto& row : products) row.resize(kWidth);
    float_vif::filter_row(filter, sources, kWidth, sums.data());
    float_vif::Sources reversed{};
    std::reverse_copy(sources.begin(), sources.begin() + taps, reversed.begin());
    float_vif::filter_products(filter, sources, reversed, kWidth,
                               {products[0].data(), products[1].data(), products[2].data()});
    for (std::size_t x = 0; x < kWidth; ++x) {
      float sum = 0;
      float square = 0;
      float product = 0;
      for (std::size_t k = 0; k < filter.taps.size(); ++k) {
        const float a = sources[k][x];
        sum += filter.taps[k] * a;
        square += filter.taps[k] * (a * a);
        product += filter.taps[k] * (a * reversed[k][x]);
      }
      ASSERT_EQ(sums[x], sum) << taps;
      ASSERT_EQ(products[0][x], square) << taps;
      ASSERT_EQ(products[2][x], product) << taps;
    }
  }
}

TEST(FloatVifRows, MirrorTheirEndsWithoutRepeatingThem) {
  constexpr int kWidth = 5;
  float_vif::Filter filter;
  filter.taps = {1, 0, 0, 0, 100};
  std::vector<float> row{-1, -1, 10, 20, 30, 40, 50, -1, -1};
  std::vector<float> out(kWidth);
  float_vif::filter_horizontally(filter, row.data() + 2, kWidth, out.data());
  EXPECT_EQ(out, (std::vector<float>{3030, 4020, 5010, 4020, 3030}));
}

TEST(FloatVifRows, AreSummedFromTheLeft) {
  const std::vector<float> row{0x1p24F, 1, 1, 1};
  EXPECT_EQ(float_vif::sum_row(row.data(), 4), 0x1p24F);
}

// ---- Frames ----

// The definition, one sample after the other: vertical sums, horizontal sums of those, pixel.
struct DirectScale {
  template <class Value>
  DirectScale(int w, int h, const Value& value) : width(w), height(h) {
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) samples.push_back(value(x, y));
    }
  }

  [[nodiscard]] float at(int x, int y) const {
    return samples[static_cast<std::size_t>(resample::mirrored(y, height) * width +
                                            resample::mirrored(x, width))];
  }

  int width;
  int height;
  std::vector<float> samples;
};

DirectScale filtered(const DirectScale& a, const DirectScale* b, const float_vif::Filter& filter) {
  const int radius = filter.radius();
  const DirectScale vertical(a.width, a.height, [&](int x, int y) {
    float sum = 0;
    for (int k = -radius; k <= radius; ++k) {
      const float sample = b == nullptr ? a.at(x, y + k) : a.at(x, y + k) * b->at(x, y + k);
      sum += filter.taps[static_cast<std::size_t>(k + radius)] * sample;
    }
    return sum;
  });
  return DirectScale(a.width, a.height, [&](int x, int y) {
    float sum = 0;
    for (int k = -radius; k <= radius; ++k)
      sum += filter.taps[static_cast<std::size_t>(k + radius)] * vertical.at(x + k, y);
    return sum;
  });
}

FloatVifSums direct_sums(const DirectScale& r, const DirectScale& d,
                         const float_vif::Filter& filter) {
  const auto vision = float_vif::make_vision(2, 100);
  const DirectScale moments[] = {filtered(r, nullptr, filter), filtered(d, nullptr, filter),
                                 filtered(r, &r, filter), filtered(d, &d, filter),
                                 filtered(r, &d, filter)};
  FloatVifSums sums;
  for (int y = 0; y < r.height; ++y) {
    FloatVifSums row;
    for (int x = 0; x < r.width; ++x) {
      const auto pixel =
          float_vif::information({moments[0].at(x, y), moments[1].at(x, y), moments[2].at(x, y),
                                  moments[3].at(x, y), moments[4].at(x, y)},
                                 vision);
      row.kept += pixel.kept;
      row.available += pixel.available;
    }
    sums.kept += row.kept;
    sums.available += row.available;
  }
  return sums;
}

FloatVifRaw direct(const PicturePair& pair, double kernel_scale) {
  const PictureFormat& format = pair.reference.format();
  const auto filters = float_vif::make_filters(kernel_scale);
  const auto scale0 = [&](const Picture& picture) {
    const auto depth = static_cast<float>(1 << (format.bit_depth - 8));
    return DirectScale(format.width, format.height, [&](int x, int y) {
      return static_cast<float>(test::sample_at(picture, x, y)) / depth - 128;
    });
  };
  DirectScale r = scale0(pair.reference);
  DirectScale d = scale0(pair.distorted);
  FloatVifRaw raw;
  for (std::size_t s = 0; s < raw.sums.size(); ++s) {
    if (s > 0) {
      const auto halve = [&](const DirectScale& from) {
        const DirectScale whole = filtered(from, nullptr, filters[s]);
        return DirectScale(from.width / 2, from.height / 2,
                           [&](int x, int y) { return whole.at(2 * x, 2 * y); });
      };
      r = halve(r);
      d = halve(d);
    }
    raw.sums[s] = direct_sums(r, d, filters[s]);
  }
  return raw;
}

TEST(FloatVifSums, EqualTheirDirectEvaluation) {
  for (const auto& [width, height] : {std::pair{16, 16}, {17, 23}, {31, 18}, {50, 33}}) {
    for (const int bits : {8, 9, 16}) {
      const PicturePair pair = small_frame(width, height, bits);
      EXPECT_EQ(measure(pair), direct(pair, 1)) << pair.reference.format().describe();
    }
  }
  const PicturePair pair = small_frame(59, 57, 10);
  for (const char* kernel_scale : {"0.5", "1.06667", "3.71134"}) {
    EXPECT_EQ(measure(pair, {{"vif_kernelscale", kernel_scale}}),
              direct(pair, std::stod(kernel_scale)))
        << kernel_scale;
  }
}

TEST(FloatVifSums, SkippingScale0LeavesTheOthers) {
  const PicturePair pair = small_frame(64, 50);
  FloatVifRaw whole = measure(pair);
  EXPECT_NE(whole.sums[0], FloatVifSums{});
  whole.sums[0] = {};
  EXPECT_EQ(measure(pair, {{"vif_skip_scale0", "true"}}), whole);
}

TEST(FloatVifSums, DoNotDependOnAMethodThatHasNothingToScale) {
  const PicturePair pair = small_frame(33, 29);
  for (const char* method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
    EXPECT_EQ(measure(pair, {{"vif_prescale_method", method}}), measure(pair));
    EXPECT_EQ(measure(pair, {{"vif_prescale_method", method}, {"vif_prescale", "1.01"}}),
              measure(pair))
        << "1.01 rounds to the same size";
    EXPECT_NE(measure(pair, {{"vif_prescale_method", method}, {"vif_prescale", "1.1"}}),
              measure(pair));
  }
}

TEST(FloatVifSums, OfTheSmallestPicturesAreFinite) {
  const Requests kernels[] = {{},
                              {{"vif_kernelscale", "1.06667"}},
                              {{"vif_kernelscale", "2"}},
                              {{"vif_kernelscale", "3"}},
                              {{"vif_kernelscale", "3.71134"}}};
  constexpr int kSides[] = {16, 24, 32, 40, 56};
  for (std::size_t i = 0; i < std::size(kSides); ++i) {
    for (const FloatVifSums& sums : measure(small_frame(kSides[i], kSides[i]), kernels[i]).sums)
      EXPECT_TRUE(std::isfinite(sums.kept) && sums.available > 0) << kSides[i];
  }
}

TEST(FloatVifSums, OfTheSmallestScaledPicturesAreFinite) {
  for (const auto& [method, side] :
       {std::pair{"nearest", 4}, {"bilinear", 4}, {"bicubic", 4}, {"lanczos4", 6}}) {
    const Requests requests{{"vif_prescale", "4"}, {"vif_prescale_method", method}};
    const PicturePair pair = small_frame(side, side);
    ASSERT_NO_THROW(require_format(float_vif_descriptor,
                                   test::options_of(float_vif_descriptor, requests),
                                   pair.reference.format()));
    for (const FloatVifSums& sums : measure(pair, requests).sums)
      EXPECT_TRUE(std::isfinite(sums.kept) && sums.available > 0) << method;
  }
}

TEST(FloatVifSums, DoNotDependOnTheMemoryLayout) {
  for (const auto& [width, height] : {std::pair{16, 16}, {33, 47}, {71, 90}, {100, 33}}) {
    for (const int bits : {8, 11}) {
      const PicturePair pair = small_frame(width, height, bits);
      EXPECT_EQ(measure(test::spread(pair)), measure(pair)) << pair.reference.format().describe();
    }
  }
}

TEST(FloatVifSums, DoNotDependOnTheChromaFormat) {
  const FloatVifRaw expected = measure(small_frame(50, 41));
  for (const auto chroma : {ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444})
    EXPECT_EQ(measure(test::small_pair(50, 41, chroma, 8)), expected);
}

TEST(FloatVifSums, DoNotDependOnWhatWasMeasuredBefore) {
  const Requests requests{{"vif_prescale", "1.5"}, {"vif_prescale_method", "lanczos4"}};
  const test::ClipSpec clip = test::small_clip(48, 40, ChromaFormat::yuv420, 10);
  const auto stage = float_vif_descriptor.make_cpu_stage(
      test::options_of(float_vif_descriptor, requests), clip.format);
  for (const int index : {0, 1, 0}) {
    const PicturePair pair = test::make_frame(clip, index);
    EXPECT_EQ(test::measure_with<FloatVifRaw>(*stage, pair), measure(pair, requests)) << index;
  }
}

// A picture of deeper samples with the values of an 8-bit one is the same picture.
TEST(FloatVifSums, DoNotDependOnTheDepthOfTheSamePicture) {
  const PicturePair pair = small_frame(61, 45);
  const FloatVifRaw expected = measure(pair);
  for (int bits = 9; bits <= 16; ++bits)
    EXPECT_EQ(measure(test::deepened(pair, bits)), expected) << bits;
}

// Samples above the nominal depth have no meaning, but must do no harm either.
TEST(FloatVifSums, SurviveSamplesAboveTheNominalDepth) {
  for (const int bits : {9, 10, 12}) {
    const PicturePair wild = test::wild_pair({40, 24, ChromaFormat::yuv400, bits});
    EXPECT_EQ(measure(wild), measure(wild));
  }
}

}  // namespace
}  // namespace hipvmaf
