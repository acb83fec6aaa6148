// Arithmetic that float_ssim and float_ms_ssim share, for host and device: the window, and the
// luminance, contrast and structure terms of a pixel. Which operations are binary32 and which
// binary64 is part of the definition.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "gpu/host_device.hpp"

namespace hipvmaf::similarity {

/// Taps of the Gaussian window, the same in both directions. They sum to 1.000002 and are not
/// renormalised.
inline constexpr int kWindow = 11;
HIPVMAF_HD constexpr float window_tap(std::size_t k) {
  constexpr float kTaps[kWindow] = {0.001028F, 0.007599F, 0.036001F, 0.109361F,
                                    0.213006F, 0.266012F, 0.213006F, 0.109361F,
                                    0.036001F, 0.007599F, 0.001028F};
  return kTaps[k];
}

/// Sum of the products under the window in one direction: each rounded to binary32, added in
/// binary64 in the order of the taps. `sample(k)` is the one under tap k. A window-weighted mean is
/// such a sum over the columns of each row, then one over those of its rows.
template <class SampleAt>
HIPVMAF_HD inline float window_sum(const SampleAt& sample) {
  double sum = static_cast<double>(sample(0) * window_tap(0));
  // Unrolled here: loops in it would keep compilers from vectorising the loop around it.
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((sum += static_cast<double>(sample(k + 1) * window_tap(k + 1))), ...);
  }
  (std::make_index_sequence<kWindow - 1>{});
  return static_cast<float>(sum);
}

/// Side of the map that is measured: only windows inside the image count.
HIPVMAF_HD constexpr int map_side(int image_side) { return image_side - (kWindow - 1); }

/// Stabilising constants for a peak of 255, which all depths are scaled to.
inline constexpr float kK1 = 0.01F * 255.0F;
inline constexpr float kK2 = 0.03F * 255.0F;
inline constexpr float kC1 = kK1 * kK1;
inline constexpr float kC2 = kK2 * kK2;
inline constexpr float kC3 = kC2 / 2.0F;

/// Position of sample `i` of `n`, mirrored at the borders with the border sample repeated;
/// for i from -n to 2n - 1.
HIPVMAF_HD constexpr int mirrored(int i, int n) {
  if (i < 0) return -1 - i;
  return i < n ? i : 2 * n - 1 - i;
}

/// Window-weighted means around a pixel.
inline constexpr int kMoments = 5;
struct Moments {
  float reference;
  float distorted;
  float reference_squared;
  float distorted_squared;
  float product;
};

struct Terms {
  double similarity;  ///< luminance * contrast * structure
  double luminance;
  double contrast;
  double structure;
};

HIPVMAF_HD inline float at_least_zero(float value) { return value > 0.0F ? value : 0.0F; }

HIPVMAF_HD inline Terms terms_of(const Moments& means) {
  const float r = means.reference;
  const float d = means.distorted;
  // The window sums to slightly more than 1, so flat patches come out negative here.
  const float variance_r = at_least_zero(means.reference_squared - r * r);
  const float variance_d = at_least_zero(means.distorted_squared - d * d);
  const float covariance = means.product - r * d;
  const float deviations = std::sqrt(variance_r * variance_d);

  const double luminance =
      (2.0 * static_cast<double>(r) * static_cast<double>(d) + static_cast<double>(kC1)) /
      static_cast<double>((r * r + d * d) + kC1);
  const double contrast = (2.0 * static_cast<double>(deviations) + static_cast<double>(kC2)) /
                          static_cast<double>((variance_r + variance_d) + kC2);
  const bool is_noise = static_cast<int>(covariance < 0.0F) & static_cast<int>(deviations <= 0.0F);
  const float related = is_noise ? 0.0F : covariance;
  const auto structure = static_cast<double>((related + kC3) / (deviations + kC3));
  return {luminance * contrast * structure, luminance, contrast, structure};
}

/// A term in units of 2^-47. The terms of a row are summed as such integers, modulo 2^64: exact
/// for rows of up to 32768 terms, and the same in any order.
HIPVMAF_HD inline std::uint64_t fixed_point(double term) {
  constexpr double kOrigin = 48.0;  // doubles in [32, 64) are multiples of 2^-47
  return std::bit_cast<std::uint64_t>(kOrigin + term) - std::bit_cast<std::uint64_t>(kOrigin);
}

/// The number that a sum of fixed_point() stands for.
HIPVMAF_HD inline double from_fixed_point(std::uint64_t sum) {
  return static_cast<double>(static_cast<std::int64_t>(sum)) * 0x1p-47;
}

}  // namespace hipvmaf::similarity
