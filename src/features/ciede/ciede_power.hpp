// The seventh power in binary32 as the host's powf has it, on devices too.
//
// The figures of CIEDE2000 contain powf(x, 7), and libraries do not always round to nearest: glibc
// is off for one x in 1500, all of them next to the middle between two numbers. Which ones is found
// out on the host, once.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "gpu/host_device.hpp"
#include "gpu/view.hpp"

namespace hipvmaf::ciede {

/// A mantissa for which powf rounds to the second nearest number.
struct PowerException {
  std::uint32_t mantissa;  ///< Without the leading one.
  std::uint32_t binades;   ///< Bit i: if x is in 2^(kFirstBinade + i) to twice that.
};

/// Where exceptions are looked for. Smaller chroma has no seventh power to speak of, larger does
/// not occur.
inline constexpr int kFirstBinade = -16;
inline constexpr int kBinades = 28;

/// Exceptions by mantissa; behind them one for no mantissa.
[[nodiscard]] std::span<const PowerException> power_exceptions();

/// x^7 with an error of about 2^-51, relative.
HIPVMAF_HD inline double wide_seventh_power(float x) {
  const auto wide = static_cast<double>(x);
  const double square = wide * wide;
  return square * square * square * wide;
}

/// Whether a value is within 1/128 of the last place from the middle of two binary32 numbers. What
/// powf rounds the wrong way is, by glibc at most 1/350.
HIPVMAF_HD inline bool is_near_middle(double value) {
  constexpr int kCutBits = 52 - 23;
  constexpr std::int64_t kMiddle = std::int64_t{1} << (kCutBits - 1);
  const std::int64_t cut = std::bit_cast<std::int64_t>(value) & (2 * kMiddle - 1);
  const std::int64_t distance = cut < kMiddle ? kMiddle - cut : cut - kMiddle;
  return distance < (kMiddle >> 6);
}

/// powf(x, 7) from the exceptions, for x >= 0.
class TabulatedPower {
 public:
  HIPVMAF_HD explicit TabulatedPower(gpu::View1D<const PowerException> exceptions)
      : exceptions_(exceptions) {}

  HIPVMAF_HD float operator()(float x) const {
    const double power = wide_seventh_power(x);
    const auto nearest = static_cast<float>(power);
    if (!is_near_middle(power) || !is_exception(std::bit_cast<std::uint32_t>(x))) return nearest;
    const int step = static_cast<double>(nearest) < power ? 1 : -1;
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(nearest) + step);
  }

 private:
  [[nodiscard]] HIPVMAF_HD bool is_exception(std::uint32_t bits) const {
    const int binade = static_cast<int>(bits >> 23) - 127 - kFirstBinade;
    if (binade < 0 || binade >= kBinades) return false;
    const std::uint32_t mantissa = bits & ((1U << 23) - 1);
    int low = 0;
    int high = exceptions_.count - 1;  // the last one is for no mantissa
    while (low < high) {
      const int middle = (low + high) / 2;
      if (exceptions_[middle].mantissa < mantissa) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const PowerException& found = exceptions_[low];
    return found.mantissa == mantissa && ((found.binades >> binade) & 1U) != 0;
  }

  gpu::View1D<const PowerException> exceptions_;
};

/// powf(x, 7) itself.
struct LibraryPower {
  HIPVMAF_HD float operator()(float x) const { return std::pow(x, 7.0F); }
};

}  // namespace hipvmaf::ciede
