// Arithmetic of the single-precision VIF, for host and device: what the moments around a pixel say
// about the information that it holds. Which operations are single and which are double precision,
// and their order, are part of the definition, so that any backend gets the same bits.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::float_vif {

inline constexpr int kScales = 4;

/// Taps of each scale's filter at kernel scale 1. Scale s is measured with its filter, and made
/// from scale s - 1 with that filter too.
inline constexpr int kFilterWidths[kScales] = {17, 9, 5, 3};
/// Smallest width and height at kernel scale 1 and without scaling (see smallest_side()): mirroring
/// around the border of scale 3 needs a second sample.
inline constexpr int kSmallestSide = 2 << (kScales - 1);
/// Taps of the widest filter: 17 times the largest kernel scale, 360 / 97.
inline constexpr int kWidestFilter = 65;

/// Mid-grey, which is subtracted from luma (float_luma_math.hpp).
inline constexpr float kLumaOffset = -128.0F;

/// Filtered samples and products of samples around a pixel.
struct Moments {
  float mean_reference;
  float mean_distorted;
  float product_reference;
  float product_distorted;
  float product_both;
};

/// What the options say about the model of vision.
struct Vision {
  double noise = 2;        ///< Variance of the neural noise.
  float flat_below = 2;    ///< Variances of the reference below the noise: those below this float.
  float flat_loss = 0;     ///< Information lost per distorted variance where the reference is flat.
  float gain_limit = 100;  ///< Upper limit of the credit for contrast that the distortion adds.
};

/// `noise` from 0 to 5.
[[nodiscard]] constexpr Vision make_vision(double noise, double gain_limit) {
  const auto nearest = static_cast<float>(noise);
  const bool too_low = static_cast<double>(nearest) < noise;
  const auto next = std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) + 1);
  return {.noise = noise,
          .flat_below = too_low ? next : nearest,
          .flat_loss = static_cast<float>(static_cast<double>(nearest * nearest) / 65025.0),
          .gain_limit = static_cast<float>(gain_limit)};
}

/// condition ? a : b. Masks: compilers turn a conditional expression into branches around the
/// arithmetic of one side, and then do not vectorise the loop around it.
HIPVMAF_HD inline float select(bool condition, float a, float b) {
  const std::uint32_t mask = std::uint32_t{0} - static_cast<std::uint32_t>(condition);
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(a) & mask) |
                              (std::bit_cast<std::uint32_t>(b) & ~mask));
}

/// Logarithm to base 2 from the exponent and a polynomial of the mantissa. Infinity gives 128. NaN,
/// whose mantissa differs between processors, counts as the one of x86.
HIPVMAF_HD inline float approximate_log2(float x) {
  constexpr float kPolynomial[] = {-0.012671635276421F, 0.064841182402670F,  -0.157048836463065F,
                                   0.257167726303123F,  -0.353800560300520F, 0.480131410397451F,
                                   -0.721314327952201F, 1.442694803896991F};
  constexpr std::uint32_t kMantissa = 0x7FFFFFU;
  constexpr std::uint32_t kOne = 0x3F800000U;
  const auto bits =
      std::bit_cast<std::uint32_t>(select(x == x, x, std::bit_cast<float>(0x7FC00000U)));
  const auto exponent = static_cast<float>(static_cast<std::int32_t>((bits >> 23) & 0xFFU) - 127);
  const float z = std::bit_cast<float>((bits & kMantissa) | kOne) - 1;
  float value = kPolynomial[0];
  for (int i = 1; i < 8; ++i) value = value * z + kPolynomial[i];
  return exponent + value * z;
}

/// Information of a pixel in bits: what the distorted picture keeps, and what the reference holds.
struct Information {
  float kept;
  float available;

  HIPVMAF_HD Information& operator+=(const Information& more) {
    kept += more.kept;
    available += more.available;
    return *this;
  }
};

HIPVMAF_HD inline Information information(const Moments& m, const Vision& vision) {
  constexpr float kTiny = 1.0e-10F;
  const float rough_reference = m.product_reference - m.mean_reference * m.mean_reference;
  const float rough_distorted = m.product_distorted - m.mean_distorted * m.mean_distorted;
  const float both = m.product_both - m.mean_reference * m.mean_distorted;
  const float reference = select(rough_reference > 0, rough_reference, 0);
  const float distorted = select(rough_distorted > 0, rough_distorted, 0);

  // The distorted picture is gain * reference + residual.
  const float free_gain = both / (reference + kTiny);
  const float free_residual = distorted - free_gain * both;
  const bool even_reference = reference < kTiny;
  const bool even_distorted = distorted < kTiny;
  const float signal = select(even_reference, 0, reference);
  const float signed_gain = select(even_reference | even_distorted, 0, free_gain);
  const bool opposed = signed_gain < 0;
  const float gain =
      select(opposed, 0, select(signed_gain < vision.gain_limit, signed_gain, vision.gain_limit));
  const float residual =
      select(even_distorted, 0, select(even_reference | opposed, distorted, free_residual));
  const float noise = select(residual > kTiny, residual, kTiny);

  const auto kept_signal = static_cast<double>((gain * gain) * signal);
  const double kept_ratio = kept_signal / (static_cast<double>(noise) + vision.noise);
  const double available_ratio = static_cast<double>(signal) / vision.noise;
  const float kept = approximate_log2(static_cast<float>(1 + kept_ratio));
  const float available = approximate_log2(static_cast<float>(1 + available_ratio));
  const bool flat = signal < vision.flat_below;
  return {.kept = select(flat, 1 - distorted * vision.flat_loss, select(both < 0, 0, kept)),
          .available = select(flat, 1, available)};
}

}  // namespace hipvmaf::float_vif
