// Per-sample arithmetic of `float_adm`, for host and device. What is in binary32 and what in
// binary64 is part of the definition, and so is the order of sums; no multiply-add is fused.
#pragma once

#include <cmath>

#include "gpu/host_device.hpp"

namespace hipvmaf::float_adm {

/// Mid-grey, which is subtracted from luma.
inline constexpr float kLumaOffset = -128.0F;

// --- Wavelet: Daubechies' four taps, on samples 2n-1 .. 2n+2 for output n.

HIPVMAF_HD inline float low_pass(float s0, float s1, float s2, float s3) {
  return 0.482962913144690F * s0 + 0.836516303737469F * s1 + 0.224143868041857F * s2 +
         -0.129409522550921F * s3;
}
HIPVMAF_HD inline float high_pass(float s0, float s1, float s2, float s3) {
  return -0.129409522550921F * s0 + -0.224143868041857F * s1 + 0.836516303737469F * s2 +
         -0.482962913144690F * s3;
}

// --- Decoupling.

/// Whether the (H, V) gradients of reference (o) and distorted (t) differ by at most one degree:
/// enhanced contrast rather than another edge.
HIPVMAF_HD inline bool same_direction(float o_h, float o_v, float t_h, float t_v) {
  constexpr float kSquaredCosine = 0x1.ffd814p-1F;
  const float product = o_h * t_h + o_v * t_v;
  const float reference = o_h * o_h + o_v * o_v;
  const float distorted = t_h * t_h + t_v * t_v;
  return (product >= 0.0F) & (product * product >= kSquaredCosine * reference * distorted);
}

/// How much of the reference coefficient is still there in the distorted one: 0..1.
HIPVMAF_HD inline float kept_ratio(float reference, float distorted) {
  const float ratio = distorted / (reference + 1e-30F);
  const float positive = ratio > 0.0F ? ratio : 0.0F;
  return positive < 1.0F ? positive : 1.0F;
}

/// The part of the distorted coefficient that the reference explains: the reference times
/// kept_ratio(), or more under the gain limit (1 or more) where the distortion is an enhancement.
HIPVMAF_HD inline float restored(float ratio, float reference, float distorted, bool enhancement,
                                 double gain_limit) {
  // A part that is not zero has the sign of the distorted coefficient, so magnitudes suffice.
  const float kept = ratio * reference;
  const float magnitude = std::fabs(kept);
  const float allowed = std::fabs(distorted);
  const auto gained = static_cast<float>(static_cast<double>(magnitude) * gain_limit);
  const float limit = enhancement ? allowed : magnitude;
  return std::copysign(gained < limit ? gained : limit, kept);
}

// --- Masking and pooling.

/// Magnitude of a coefficient, weighted with the contrast sensitivity of its band.
HIPVMAF_HD inline float weighted_magnitude(float coefficient, float csf) {
  return std::fabs(coefficient * csf);
}

/// What a weighted coefficient of that magnitude adds to the threshold of the eight positions
/// around it.
HIPVMAF_HD inline float masks_neighbour(float magnitude) {
  return static_cast<float>(0.0333333351 * static_cast<double>(magnitude));
}

/// Adds what it adds to the threshold of its own position, with one rounding.
HIPVMAF_HD inline float with_centre(float threshold, float magnitude) {
  return static_cast<float>(static_cast<double>(threshold) +
                            0.0666666701 * static_cast<double>(magnitude));
}

// What a band adds to the threshold of a position is what the nine positions around it in the
// masker add, in raster order; the threshold is the sum of the bands' in the order H, V, D. It is
// made row by row, from masks_neighbour() of the positions beside and of the one in between.

HIPVMAF_HD inline float row_above(float left, float middle, float right) {
  return left + middle + right;
}
/// `magnitude` is that of the position itself.
HIPVMAF_HD inline float with_own_row(float above, float left, float magnitude, float right) {
  return with_centre(above + left, magnitude) + right;
}
HIPVMAF_HD inline float with_row_below(float threshold, float left, float middle, float right) {
  return threshold + left + middle + right;
}

/// What exceeds the threshold.
HIPVMAF_HD inline float unmasked(float magnitude, float threshold) {
  const float excess = magnitude - threshold;
  return excess > 0.0F ? excess : 0.0F;
}

HIPVMAF_HD inline float cube(float x) { return x * x * x; }

/// The host's power of binary32 numbers is within 0.52 units of the last place; that of binary64
/// comes closest to it on a GPU, whose own of binary32 is not as good.
HIPVMAF_HD inline float power(float x, float exponent) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return static_cast<float>(pow(static_cast<double>(x), static_cast<double>(exponent)));
#else
  return std::pow(x, exponent);
#endif
}

}  // namespace hipvmaf::float_adm
