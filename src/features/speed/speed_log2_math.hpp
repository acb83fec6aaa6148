// The logarithm of SpEED, for host and device. It is made of additions, multiplications and
// divisions only, so that every compiler, processor and device gives the same bits; those of
// libraries differ in the last place.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "gpu/host_device.hpp"

namespace hipvmaf::speed {

/// log2(x) with a relative error below 4e-16, for x that are not subnormal.
HIPVMAF_HD inline double log2_of(double x) {
  using Limits = std::numeric_limits<double>;
  if (x == 0) return -Limits::infinity();
  if (x < 0) return Limits::quiet_NaN();
  if (!(x < Limits::infinity())) return x;  // infinite, or not a number

  // x is 2^exponent * m, with m from sqrt(1/2) to sqrt(2).
  constexpr std::int64_t kRootOfHalf = 0x3FE6A09E667F3BCD;
  const auto bits = std::bit_cast<std::int64_t>(x);
  const std::int64_t exponent = (bits - kRootOfHalf) >> 52;
  const auto m = std::bit_cast<double>(bits - exponent * (std::int64_t{1} << 52));

  // ln m = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...); |s| < 0.172, and what the terms left out add
  // is below 1e-18 of the sum.
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double series = 1.0 / 21.0;
  series = series * z + 1.0 / 19.0;
  series = series * z + 1.0 / 17.0;
  series = series * z + 1.0 / 15.0;
  series = series * z + 1.0 / 13.0;
  series = series * z + 1.0 / 11.0;
  series = series * z + 1.0 / 9.0;
  series = series * z + 1.0 / 7.0;
  series = series * z + 1.0 / 5.0;
  series = series * z + 1.0 / 3.0;
  constexpr double kTwoOverLn2 = 2.8853900817779268147;
  return static_cast<double>(exponent) + (s + s * z * series) * kTwoOverLn2;
}

}  // namespace hipvmaf::speed
