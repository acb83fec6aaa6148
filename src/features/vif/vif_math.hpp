// Arithmetic of the fixed-point VIF, for host and device: filters, variances, and what a pixel adds
// to the sums of information. Everything is defined bit for bit, so that any backend that uses
// these functions gets the same integers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "gpu/host_device.hpp"

namespace hipvmaf::vif {

inline constexpr int kScales = 4;

/// A symmetric low-pass filter in units of 1/65536; tap(k) weighs the samples at distance k.
struct Filter {
  int radius;
  std::uint16_t taps[9];
};

/// The filter of each scale. Scale s is measured with kFilters[s], and made from scale s - 1 with
/// kFilters[s] too. The taps of each sum to 65536.
inline constexpr Filter kFilters[kScales] = {
    {8, {7784, 7455, 6547, 5274, 3896, 2640, 1640, 935, 489}},
    {4, {14692, 12590, 7925, 3663, 1244}},
    {2, {26386, 16004, 3571}},
    {1, {43728, 10904}},
};
inline constexpr int kLargestRadius = 8;

/// Calls f(k) for the distances k = 1 .. radius of the filter, unrolled at compile time.
template <int kScale, class F>
HIPVMAF_HD constexpr void for_each_distance(const F& f) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (f(std::integral_constant<std::size_t, k + 1>{}), ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(kFilters[kScale].radius)>{});
}

/// Smallest width and height: each of the four scales needs one sample more than its filter's
/// radius.
inline constexpr int kSmallestSide = 16;

/// Position of sample `i` of `n`, mirrored at the borders without repeating the border sample;
/// for i from -(n - 1) to 2 (n - 1).
HIPVMAF_HD constexpr int mirrored(int i, int n) {
  if (i < 0) return -i;
  return i < n ? i : 2 * (n - 1) - i;
}

/// How far the vertical pass shifts its sums down: those of samples and those of products.
struct Shifts {
  int mean;
  int product;
};

/// Scale 0 holds the samples as they are, the others hold units of 1/256 of an 8-bit step.
HIPVMAF_HD constexpr Shifts shifts_of(int scale, int bit_depth) {
  return scale == 0 ? Shifts{bit_depth, 2 * (bit_depth - 8)} : Shifts{16, 16};
}

HIPVMAF_HD constexpr std::uint32_t half_of_shifted(int shift) {
  return shift > 0 ? 1U << (shift - 1) : 0U;
}

/// Result of the vertical pass over samples.
HIPVMAF_HD constexpr std::uint16_t rounded_mean(std::uint32_t sum, int shift) {
  return static_cast<std::uint16_t>((sum + half_of_shifted(shift)) >> shift);
}

/// Variance or covariance, in units of 1/65536 of a squared 8-bit step, from the filtered product
/// and the filtered means (in units of 1/65536 of theirs). Rounding can make a variance slightly
/// negative.
HIPVMAF_HD inline std::int32_t covariance(std::uint32_t product, std::uint32_t mean_a,
                                          std::uint32_t mean_b) {
  const std::uint64_t means = std::uint64_t{mean_a} * mean_b + (std::uint64_t{1} << 31);
  return static_cast<std::int32_t>(product - static_cast<std::uint32_t>(means >> 32));
}

/// Variance of the neural noise, 2.0, in the units of covariance().
inline constexpr std::int32_t kNoise = 2 * 65536;

/// A pixel whose reference varies less than the noise counts by itself, without logarithms.
HIPVMAF_HD inline bool is_flat(std::int32_t variance_reference) {
  return variance_reference < kNoise;
}

/// Arguments of the logarithms of a pixel, whole numbers. The information that the reference holds
/// is log2(available / kNoise), what the distorted picture keeps of it is log2(kept / noise). All
/// are at least kNoise, and equal where there is no information.
struct Information {
  double available;
  double noise;
  double kept;
};

/// `value` or 0. A mask: compilers turn a conditional expression into branches and then do not
/// vectorise the loop around it.
HIPVMAF_HD inline double keep_if(bool condition, double value) {
  const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(condition);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & mask);
}

/// `gain_limit` bounds the credit for contrast that the distorted picture adds. The order of the
/// double operations, and that noise and signal are cut to whole numbers, are part of the
/// definition.
HIPVMAF_HD inline Information information(std::int32_t variance_reference,
                                          std::int32_t variance_distorted,
                                          std::int32_t covariance_both, double gain_limit) {
  constexpr double kTiny = 65536 * 1.0e-10;
  constexpr double kIntegerLimit = 2147483648.0;  // only samples above the nominal depth get there
  const double reference = variance_reference;
  const double distorted = variance_distorted;
  const double both = covariance_both;
  const double free_gain = both / (reference + kTiny);
  const double residual = distorted - free_gain * both;
  const double gain = free_gain < gain_limit ? free_gain : gain_limit;
  const double signal = (gain * gain) * reference;

  const bool textured = reference >= kNoise;
  const bool related = textured & (both > 0.0) & (distorted > 0.0);
  constexpr double kLeast = kNoise;
  const double noise =
      kLeast + static_cast<std::int32_t>(keep_if(related & (residual > 0.0), residual));
  return {.available = kLeast + keep_if(textured, reference),
          .noise = noise,
          .kept = noise +
                  static_cast<std::int32_t>(keep_if(related & (signal < kIntegerLimit), signal))};
}

/// What the logarithm of a whole number v >= 32768 is looked up by: its exponent and the 15 bits
/// after the leading one, which binary64 holds side by side. The bits below are left out.
HIPVMAF_HD inline std::uint32_t log_key(double v) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(v) >> 37);
}

/// 2048 log2(v), rounded, of the number with that key. `table` is log_table().data().
HIPVMAF_HD inline std::uint32_t fixed_log2(std::uint32_t key, const std::uint16_t* table) {
  constexpr std::uint32_t kExponentOf32768 = 1023 + 15;
  return table[key & 32767U] + 2048U * ((key >> 15) - kExponentOf32768);
}

}  // namespace hipvmaf::vif
