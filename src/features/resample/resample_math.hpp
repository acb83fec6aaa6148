// Arithmetic of picture scaling, for host and device. What a method takes from which source samples
// is in tables per axis (resample.hpp), made on the host; what is left per output sample is a sum
// of single-precision products in a fixed order, so that every backend gets the same bits.
#pragma once

#include <cstddef>

#include "gpu/host_device.hpp"

namespace hipvmaf::resample {

enum class Method { nearest, bilinear, bicubic, lanczos4 };

inline constexpr int kMostTaps = 8;

/// Source samples per axis that an output sample is made from. (Lanczos windows are defined with
/// nine, from four before to four behind, but the weight of the first is always 0.)
HIPVMAF_HD constexpr int tap_count(Method method) {
  switch (method) {
    case Method::nearest:
      return 1;
    case Method::bilinear:
      return 2;
    case Method::bicubic:
      return 4;
    case Method::lanczos4:
      break;
  }
  return kMostTaps;
}

/// Position of sample `i` of `n`, mirrored at the borders without repeating the border sample;
/// for i from -(n - 1) to 2 (n - 1).
HIPVMAF_HD constexpr int mirrored(int i, int n) {
  if (i < 0) return -i;
  return i < n ? i : 2 * (n - 1) - i;
}

/// Where the taps of an axis are: tap t of output position i is at [t * positions + i]. Host
/// memory; resample_gpu.hpp has the device's counterpart.
struct AxisView {
  const int* sources = nullptr;  ///< Place of the source sample.
  const float* weights = nullptr;
  std::ptrdiff_t positions = 0;  ///< Output samples along the axis.

  [[nodiscard]] int source(int tap, int position) const {
    return sources[tap * positions + position];
  }
  [[nodiscard]] float weight(int tap, int position) const {
    return weights[tap * positions + position];
  }
};

/// What an output sample is made from: sums over its taps, rows outside, columns inside, each from
/// the first tap on.
struct TapSums {
  float samples = 0;  ///< Of the weighted source samples.
  float weights = 0;
};

HIPVMAF_HD inline void add_tap(float sample, float row_weight, float column_weight, TapSums& sums) {
  const float weight = column_weight * row_weight;
  sums.weights += weight;
  sums.samples += sample * weight;
}

/// Whether a method divides by the sum of the weights: those of Lanczos do not sum to 1. (Neither
/// do the bicubic ones, quite, but they stay as they are.)
HIPVMAF_HD constexpr bool normalises(Method method) { return method == Method::lanczos4; }

/// Output sample of column x. `source(j, column)` is a sample of the j-th of the tap_count(kMethod)
/// source rows, whose weights are `row_weights`; `columns` is a view of an axis.
template <Method kMethod, class Source, class Axis>
HIPVMAF_HD inline float resampled(const Source& source, const float* row_weights,
                                  const Axis& columns, int x) {
  constexpr int taps = tap_count(kMethod);
  TapSums sums;
  for (int j = 0; j < taps; ++j) {
    for (int i = 0; i < taps; ++i) {
      add_tap(source(j, columns.source(i, x)), row_weights[j], columns.weight(i, x), sums);
    }
  }
  return normalises(kMethod) ? sums.samples / sums.weights : sums.samples;
}

}  // namespace hipvmaf::resample
