// Per-pixel arithmetic of CAMBI, for host and device.
#pragma once

#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::cambi {

inline constexpr int kScales = 5;

/// Largest number of contrast steps, 2^5.
inline constexpr int kMostSteps = 32;

/// Weight of a contrast of 1 .. kMostSteps steps: one more from each of these steps on. Not a
/// table, which device code could not index.
HIPVMAF_HD constexpr int step_weight(int steps) {
  return (steps >= 1) + (steps >= 2) + (steps >= 3) + (steps >= 4) + (steps >= 6) + (steps >= 8) +
         (steps >= 12) + (steps >= 16) + (steps >= 23);
}

/// Largest weight. Weights never decrease with the steps.
inline constexpr int kLargestWeight = step_weight(kMostSteps);

/// A sample of `bit_depth` bits at 10 bit, 0 .. 1024: rounding may lead past 1023.
HIPVMAF_HD constexpr std::uint16_t to_ten_bits(std::uint32_t sample, int bit_depth) {
  if (bit_depth <= 10) return static_cast<std::uint16_t>(sample << (10 - bit_depth));
  return static_cast<std::uint16_t>((sample + (1U << (bit_depth - 11))) >> (bit_depth - 10));
}

/// The largest sample of `bit_depth` bits.
HIPVMAF_HD constexpr int largest_sample(int bit_depth) { return (1 << bit_depth) - 1; }

/// Mean of a level and its neighbours to the right, below and between.
HIPVMAF_HD constexpr std::uint16_t smoothed(int level, int right, int below, int between) {
  return static_cast<std::uint16_t>((level + right + below + between) >> 2);
}

/// Likewise in the last column or the last row, where there is one neighbour only.
HIPVMAF_HD constexpr std::uint16_t smoothed(int level, int neighbour) {
  return static_cast<std::uint16_t>((level + neighbour) >> 1);
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
inline constexpr std::uint64_t kFractionMask = (1U << kFractionBits) - 1;

/// A contrast as an integer, exactly.
HIPVMAF_HD constexpr std::uint64_t fixed_contrast(float contrast) {
  return static_cast<std::uint64_t>(
      static_cast<std::int64_t>(contrast * static_cast<float>(1 << kFractionBits)));
}

/// Pixel of a heatmap; `factor` brings the largest contrast to the end of the range. Contrasts
/// beyond it wrap.
HIPVMAF_HD constexpr std::uint16_t heatmap_pixel(float contrast, double factor) {
  return static_cast<std::uint16_t>(
      static_cast<std::uint64_t>(factor * static_cast<double>(contrast)));
}

// ---- Selection of the largest contrasts ----
//
// Floats that are not negative are ordered as their bits are, so the count-th largest is found
// digit by digit, the highest first: of 11, 11 and 10 bits.

inline constexpr int kDigitCount = 3;
inline constexpr std::uint32_t kDigitValues = 1U << 11;

HIPVMAF_HD constexpr int digit_shift(int digit) {
  if (digit == 0) return 21;
  return digit == 1 ? 10 : 0;
}

/// Mask of the bits above a digit.
HIPVMAF_HD constexpr std::uint32_t bits_above(int digit) {
  return digit == 0 ? 0 : ~std::uint32_t{0} << digit_shift(digit - 1);
}

HIPVMAF_HD constexpr std::uint32_t digit_of(std::uint32_t bits, int digit) {
  return (bits & ~bits_above(digit)) >> digit_shift(digit);
}

}  // namespace hipvmaf::cambi
