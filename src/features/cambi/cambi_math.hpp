// Per-pixel arithmetic of CAMBI, for host and device.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::cambi {

inline constexpr int kScales = 5;

/// Largest number of contrast steps, 2^5.
inline constexpr int kMostSteps = 32;

/// Weight of a contrast of d steps; place 0 is unused.
inline constexpr std::array<std::uint8_t, kMostSteps + 1> kStepWeights{
    0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8,
    8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

/// Largest weight. Weights never decrease with the steps.
inline constexpr int kLargestWeight = kStepWeights.back();

/// A sample of `bit_depth` bits at 10 bit, 0 .. 1024: rounding may lead past 1023.
HIPVMAF_HD constexpr std::uint16_t to_ten_bits(std::uint32_t sample, int bit_depth) {
  if (bit_depth <= 10) return static_cast<std::uint16_t>(sample << (10 - bit_depth));
  return static_cast<std::uint16_t>((sample + (1U << (bit_depth - 11))) >> (bit_depth - 10));
}

/// The value that occurs at least twice, or the smallest if all differ.
HIPVMAF_HD constexpr std::uint16_t mode_of(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  const std::uint16_t low = a < b ? a : b;
  const std::uint16_t lowest = low < c ? low : c;
  const std::uint16_t of_bc = b == c ? b : lowest;
  return a == b || a == c ? a : of_bc;
}

/// Contrast of a pixel with pixels some steps away: `own` and `other` are how many pixels of the
/// window have its level and the other one. The product is exact in Product and is rounded to
/// binary32 before it is multiplied by `reciprocal`, which stands for 1 / (own + other).
template <class Product>
HIPVMAF_HD constexpr float contrast(Product weight, Product own, Product other, float reciprocal) {
  return static_cast<float>(weight * own * other) * reciprocal;
}

/// Bits after the point of a contrast. Every contrast is 0 or at least 0.5, so none has more.
inline constexpr int kFractionBits = 24;

/// A contrast as an integer, exactly.
HIPVMAF_HD constexpr std::uint64_t fixed_contrast(float contrast) {
  return static_cast<std::uint64_t>(
      static_cast<std::int64_t>(contrast * static_cast<float>(1 << kFractionBits)));
}

}  // namespace hipvmaf::cambi
