#include <array>
#include <cstddef>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/gaussian/scaled_gaussian.hpp"

namespace hipvmaf {
namespace {

TEST(KernelScale, TakesTheListedOnes) {
  for (const double scale :
       {1.0,      0.5,     1.5,     2.0,    0.666667, 2.4,    3.71134, 1.33333,    1.16667,
        1.25,     1.41667, 1.66667, 3.0,    0.444444, 1.4746, 1.54,    1.6,        1.06667,
        0.711111, 0.74074, 1.11111, 1.0005, 0.9995,   2.0009, 3.7105,  360.0 / 97, 5.0 / 3})
    EXPECT_NO_THROW(require_kernel_scale("float_vif", "vif_kernelscale", scale)) << scale;
}

TEST(KernelScale, RefusesOthers) {
  for (const double scale : {0.1, 0.45, 0.9, 1.002, 0.998, 1.3, 2.3, 3.5, 3.7100, 4.0}) {
    try {
      require_kernel_scale("float_vif", "vif_kernelscale", scale);
      ADD_FAILURE() << scale << " is taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_option);
      EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr("vif_kernelscale"),
                                                 ::testing::HasSubstr("float_vif"),
                                                 ::testing::HasSubstr("0.444444, 0.5, 0.666667"),
                                                 ::testing::HasSubstr("3, 3.71134")));
    }
  }
}

struct Widths {
  float kernel_scale;
  std::array<int, 4> expected;
};

TEST(ScaledFilterWidth, IsTheNextOddNumber) {
  constexpr Widths kWidths[] = {
      {1.0F, {17, 9, 5, 3}},      {0.5F, {9, 5, 3, 3}},        {1.0F / 2.25F, {9, 5, 3, 3}},
      {0.666667F, {13, 7, 5, 3}}, {0.711111F, {13, 7, 5, 3}},  {0.74074F, {13, 7, 5, 3}},
      {1.06667F, {19, 11, 7, 5}}, {1.111111F, {19, 11, 7, 5}}, {3.5F / 3, {21, 11, 7, 5}},
      {1.25F, {23, 13, 7, 5}},    {1.33333F, {23, 13, 7, 5}},  {1.41667F, {25, 13, 9, 5}},
      {1.4746F, {27, 15, 9, 5}},  {1.5F, {27, 15, 9, 5}},      {1.54F, {27, 15, 9, 5}},
      {1.6F, {29, 15, 9, 5}},     {1.66667F, {29, 17, 9, 7}},  {2.0F, {35, 19, 11, 7}},
      {2.4F, {41, 23, 13, 9}},    {3.0F, {51, 27, 15, 9}},     {3.71134F, {65, 35, 19, 13}},
      {1.0005F, {19, 11, 7, 5}},
  };
  constexpr std::array kBase{17, 9, 5, 3};
  for (const Widths& row : kWidths) {
    for (std::size_t s = 0; s < kBase.size(); ++s) {
      EXPECT_EQ(scaled_filter_width(kBase[s], row.kernel_scale), row.expected[s])
          << row.kernel_scale << " scale " << s;
    }
  }
}

struct Taps {
  int width;
  float deviation;
  std::vector<float> outer_half;  ///< From the outermost to the centre.
};

TEST(GaussianTaps, AreTheDefinedOnesToTheBit) {
  const std::vector<Taps> kTaps{
      {17,
       17 / 5.0F,
       {0x1.e8a77p-8F, 0x1.d373b2p-7F, 0x1.9a1cf6p-6F, 0x1.49fd9ep-5F, 0x1.e7092ap-5F,
        0x1.49a042p-4F, 0x1.99350cp-4F, 0x1.d1e766p-4F, 0x1.e67f64p-4F}},
      {9,
       9 / 5.0F,
       {0x1.36efd8p-6F, 0x1.c9eaf6p-5F, 0x1.ef4ac4p-4F, 0x1.897426p-3F, 0x1.cb1b82p-3F}},
      {5, 5 / 5.0F, {0x1.be5f0cp-5F, 0x1.f41fd4p-3F, 0x1.9c4866p-2F}},
      {3, 3 / 5.0F, {0x1.54be42p-3F, 0x1.55a0dep-1F}},
      {9, 3.6F, {0x1.35db8cp-4F, 0x1.95ed7p-4F, 0x1.ec4b3cp-4F, 0x1.1459bp-3F, 0x1.1f3866p-3F}},
  };
  for (const Taps& known : kTaps) {
    const std::vector<float> taps = gaussian_taps(known.width, known.deviation);
    ASSERT_EQ(taps.size(), static_cast<std::size_t>(known.width));
    for (std::size_t i = 0; i < known.outer_half.size(); ++i) {
      EXPECT_EQ(taps[i], known.outer_half[i]) << known.width << " tap " << i;
      EXPECT_EQ(taps[taps.size() - 1 - i], known.outer_half[i]) << known.width << " tap " << i;
    }
  }
}

}  // namespace
}  // namespace hipvmaf
