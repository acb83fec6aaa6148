// Arithmetic of the integer SSIM, for host and device: its window and the term of a pixel.
#pragma once

#include "gpu/host_device.hpp"

namespace hipvmaf::ssim {

/// Gaussian window, the same in both directions: what weighs the samples at that distance, at most
/// kRadius. Taps outside the picture are dropped, those inside are not renormalised.
inline constexpr int kRadius = 4;
HIPVMAF_HD constexpr int window_tap(int distance) {
  constexpr int kTaps[kRadius + 1] = {68, 55, 28, 9, 2};
  return kTaps[distance];
}

/// Sum of the taps around position `i` of `n` that lie inside; 256 away from the borders.
HIPVMAF_HD constexpr int inside_weight(int i, int n) {
  int sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) {
    if (i + k >= 0 && i + k < n) sum += window_tap(k < 0 ? -k : k);
  }
  return sum;
}

/// Window sums around a pixel. All are integers below 2^49, so a double holds them exactly.
struct Sums {
  double weight;  ///< Of the taps inside the picture: at most 65536.
  double reference;
  double distorted;
  double reference_squared;
  double product;
  double distorted_squared;
};

/// What keeps the quotients stable where there is nothing to compare, per squared weight.
struct Stabilisers {
  double luminance;
  double structure;
};

HIPVMAF_HD constexpr Stabilisers stabilisers_of(int bit_depth) {
  const double peak = (1 << bit_depth) - 1;
  return {peak * peak * (0.01 * 0.01), peak * peak * (0.03 * 0.03)};
}

/// Similarity around a pixel times the weight of its window. The order of the operations is part of
/// the definition: from 12 bits on the products are rounded.
HIPVMAF_HD inline double term_of(const Sums& sums, const Stabilisers& stabilisers) {
  const double weight = sums.weight;
  const double c1 = stabilisers.luminance * weight * weight;
  const double c2 = stabilisers.structure * weight * weight;
  const double rr = sums.reference * sums.reference;
  const double rd = sums.reference * sums.distorted;
  const double dd = sums.distorted * sums.distorted;
  const double numerator = weight * (2.0 * rd + c1) * (c2 + 2.0 * (sums.product * weight - rd));
  const double denominator = (rr + dd + c1) * (sums.reference_squared * weight - rr +
                                               sums.distorted_squared * weight - dd + c2);
  return numerator / denominator;
}

}  // namespace hipvmaf::ssim
