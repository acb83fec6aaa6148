// Sums of binary32 terms in binary64, term by term in order, in parallel and yet to the last bit,
// for host and device.
//
// While a sum stays between two powers of two, it is a multiple of a fixed unit (the last place),
// and adding a term adds the term's nearest multiple of the unit, whatever the sum. Only if the
// term lies half-way between two multiples does the sum matter: its last bit has to become even. So
// what a run of terms adds depends on no more than the last bit of the sum before it, and such runs
// can be joined.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::ciede {

/// What a run of terms adds to a sum, in units of its last place. Not below kTooMuch (and otherwise
/// without meaning) if the sum leaves its power of two for certain.
struct Increment {
  std::int64_t if_even;  ///< Where the sum before has an even last place.
  std::int64_t if_odd;

  [[nodiscard]] HIPVMAF_HD std::int64_t of(std::int64_t sum) const {
    return (sum & 1) == 0 ? if_even : if_odd;
  }
};

/// A power of two in units of the last place of the sums that have reached it.
inline constexpr std::int64_t kTooMuch = std::int64_t{1} << 52;
/// Terms of a run at most: the increment of each is at most kTooMuch.
inline constexpr int kMaxRun = 1 << 10;

/// The increment of the terms of `first` and then of `second`.
HIPVMAF_HD inline Increment joined(const Increment& first, const Increment& second) {
  return {first.if_even + second.of(first.if_even), first.if_odd + second.of(1 + first.if_odd)};
}

/// Bits of a sum, not negative. Adding an increment to them adds it to the sum.
HIPVMAF_HD inline std::int64_t bits_of(double sum) { return std::bit_cast<std::int64_t>(sum); }
HIPVMAF_HD inline double sum_of(std::int64_t bits) { return std::bit_cast<double>(bits); }
/// Which power of two the sum has reached; 0 only for a sum of 0.
HIPVMAF_HD inline int power_of(std::int64_t sum_bits) { return static_cast<int>(sum_bits >> 52); }

/// Adds an increment that holds for sums that have reached `power`; false, and nothing is done, if
/// the sum has reached another one before or after.
HIPVMAF_HD inline bool add(const Increment& increment, int power, std::int64_t& sum_bits) {
  const std::int64_t units = increment.of(sum_bits);
  if (power_of(sum_bits) != power || units >= kTooMuch) return false;
  if (power_of(sum_bits + units) != power) return false;
  sum_bits += units;
  return true;
}

/// Increment of one term, not negative, where the sum has reached `power`.
HIPVMAF_HD inline Increment increment_of(float term, int power) {
  const auto bits = std::bit_cast<std::int32_t>(term);
  const int exponent = bits >> 23;
  const std::int64_t leading = exponent > 0 ? 1 << 23 : 0;
  const std::int64_t digits = (bits & ((1 << 23) - 1)) | leading;
  // The term is digits * 2^(max(exponent, 1) - 150), the sum's last place 2^(power - 1075).
  const int shift = power - 925 - (exponent > 0 ? exponent : 1);
  if (digits == 0 || shift > 25) return {0, 0};  // below half a unit
  if (shift <= 0) {
    const std::int64_t units = shift < -28 ? kTooMuch : digits << -shift;
    return {units, units};
  }
  const std::int64_t units = digits >> shift;
  const std::int64_t rest = digits - (units << shift);
  const std::int64_t half = std::int64_t{1} << (shift - 1);
  if (rest == half) return {units + (units & 1), units + ((units + 1) & 1)};
  const std::int64_t rounded = units + (rest > half ? 1 : 0);
  return {rounded, rounded};
}

}  // namespace hipvmaf::ciede
