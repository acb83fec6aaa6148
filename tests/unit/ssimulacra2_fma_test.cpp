#include "features/ssimulacra2/ssimulacra2_fma.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>

namespace hipvmaf {
namespace {

float rounded_twice(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) +
                            static_cast<double>(c));
}

TEST(Ssimulacra2Fma, RoundsOnceNearHalves) {
  // The product is 2^-24 and a little less or more, too little for binary64 to keep beside c.
  const float a = 0x1p-12F + 0x1p-27F;
  for (const float c : {1.0F, 1.0F + 0x1p-23F, -1.0F, -1.0F - 0x1p-23F}) {
    for (const float b : {0x1p-12F - 0x1p-27F, 0x1p-12F, 0x1p-12F + 0x1p-27F}) {
      for (const float sign : {1.0F, -1.0F}) {
        EXPECT_EQ(ssimulacra2::fused_multiply_add(sign * a, b, c), std::fma(sign * a, b, c))
            << sign * a << " * " << b << " + " << c;
      }
    }
  }
  EXPECT_NE(rounded_twice(a, 0x1p-12F - 0x1p-27F, 1.0F + 0x1p-23F),
            std::fma(a, 0x1p-12F - 0x1p-27F, 1.0F + 0x1p-23F))
      << "the case tests nothing";
}

TEST(Ssimulacra2Fma, EqualsTheLibraryOnRandomBits) {
  std::mt19937_64 random(5);
  const auto any_finite = [&] {
    for (;;) {
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      if (std::isfinite(value)) return value;
    }
  };
  for (int i = 0; i < 300000; ++i) {
    const float a = any_finite();
    const float b = any_finite();
    const float c = any_finite();
    ASSERT_EQ(std::bit_cast<std::uint32_t>(ssimulacra2::fused_multiply_add(a, b, c)),
              std::bit_cast<std::uint32_t>(std::fma(a, b, c)))
        << a << " * " << b << " + " << c;
  }
}

// Factors of few bits and addends of any distance make halves and near-halves frequent.
TEST(Ssimulacra2Fma, EqualsTheLibraryOnHalves) {
  std::mt19937_64 random(6);
  int differing = 0;
  for (int i = 0; i < 1000000; ++i) {
    const auto bits = random();
    const auto small = [&](unsigned shift, unsigned width) {
      return static_cast<float>((bits >> shift) & ((1U << width) - 1U));
    };
    const float near_one = 1.0F + std::ldexp(small(0, 4), -23);
    const float factor = 1.0F + std::ldexp(small(4, 3) - 3.0F, -23 + static_cast<int>(small(7, 4)));
    const float a = (bits >> 63U) != 0 ? factor : -factor;
    const float b = std::ldexp(2.0F - factor, -22 - static_cast<int>(small(11, 3)));
    const float c = near_one * std::ldexp(1.0F, static_cast<int>(small(14, 2)));
    ASSERT_EQ(ssimulacra2::fused_multiply_add(a, b, c), std::fma(a, b, c))
        << a << " * " << b << " + " << c;
    differing += rounded_twice(a, b, c) != std::fma(a, b, c) ? 1 : 0;
  }
  EXPECT_GT(differing, 1000) << "the cases test nothing";
}

}  // namespace
}  // namespace hipvmaf
