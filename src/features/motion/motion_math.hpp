// Per-pixel arithmetic of the fixed-point motion filter, for host and device: a separable 5-tap
// Gaussian (sigma = 1) in units of 1/65536, vertical pass first.
#pragma once

#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::motion {

inline constexpr std::int32_t kOuterTap = 3571;
inline constexpr std::int32_t kInnerTap = 16004;
inline constexpr std::int32_t kCentreTap = 26386;
static_assert(2 * (kOuterTap + kInnerTap) + kCentreTap == 65536);

/// Samples that the filter needs on either side.
inline constexpr int kFilterRadius = 2;

/// Index of the sample that stands for `k`, at most kFilterRadius outside 0..size-1: reflected at
/// the border sample, which is not repeated. `size` > kFilterRadius.
HIPVMAF_HD constexpr int mirror(int k, int size) {
  if (k < 0) return -k;
  return k < size ? k : 2 * (size - 1) - k;
}

// How wide samples, sums of two differences and vertical sums are, by depth. Narrow types fill more
// vector lanes.
struct EightBits {
  using Sample = std::uint8_t;
  using Difference = std::int16_t;
  using Sum = std::int32_t;
};
struct UpTo14Bits {
  using Sample = std::uint16_t;
  using Difference = std::int16_t;
  using Sum = std::int32_t;
};
struct UpTo16Bits {
  using Sample = std::uint16_t;
  using Difference = std::int32_t;
  using Sum = std::int64_t;
};

/// Vertical pass at one pixel, scaled to 8-bit code values times 256, rounded towards minus
/// infinity after adding a half. `outer` and `inner` are the sums of the two samples that share the
/// tap. `Sum` holds 65537 * (2^bit_depth - 1); the result is within +-65535 for such differences.
template <class Sum>
HIPVMAF_HD constexpr std::int32_t filter_vertically(Sum outer, Sum inner, Sum centre,
                                                    int bit_depth) {
  const Sum half = Sum{1} << (bit_depth - 1);
  const Sum sum = kOuterTap * outer + kInnerTap * inner + kCentreTap * centre + half;
  return static_cast<std::int32_t>(sum >> bit_depth);
}

/// Horizontal pass at one pixel of vertical results: the filter's sum divided by 65536, rounded
/// like the vertical one. The sum needs 34 bits, but each of its terms fits 32: their high and low
/// halves are added apart, which vectorises twice as wide as 64-bit sums. Products of values that
/// only samples above the nominal depth lead to wrap.
HIPVMAF_HD constexpr std::int32_t filter_horizontally(std::int32_t outer, std::int32_t inner,
                                                      std::int32_t centre) {
  const auto times = [](std::int32_t tap, std::int32_t value) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(tap) *
                                     static_cast<std::uint32_t>(value));
  };
  const std::int32_t a = times(kOuterTap, outer);
  const std::int32_t b = times(kInnerTap, inner);
  const std::int32_t c = times(kCentreTap, centre);
  const std::int32_t low = (a & 0xFFFF) + (b & 0xFFFF) + (c & 0xFFFF) + 0x8000;
  return (a >> 16) + (b >> 16) + (c >> 16) + (low >> 16);
}

}  // namespace hipvmaf::motion
