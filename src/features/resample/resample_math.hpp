// Arithmetic of picture scaling, for host and device. What a method takes from which source samples
// is in tables per axis (resample.hpp), made on the host; what is left per output sample is a sum
// of single-precision products in a fixed order, so that every backend gets the same bits.
#pragma once

#include <cstddef>

#include "gpu/host_device.hpp"

namespace hipvmaf::resample {

enum class Method { nearest, bilinear, bicubic, lanczos4 };

inline constexpr int kMostTaps = 9;

/// Source samples per axis that an output sample is made from.
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

/// Where the taps of an axis are: tap t of output position i is at [t * positions + i].
struct AxisView {
  const int* sources = nullptr;  ///< Place of the source sample.
  const float* weights = nullptr;
  std::ptrdiff_t positions = 0;  ///< Output samples along the axis.
};

/// Output sample of column x. `rows` and `row_weights` are the tap_count(kMethod) source rows of
/// its row. Lanczos weights do not sum to 1 and are divided by their sum; bicubic ones stay as they
/// are.
template <Method kMethod>
HIPVMAF_HD inline float resampled(const float* const* rows, const float* row_weights,
                                  const AxisView& columns, std::ptrdiff_t x) {
  constexpr int taps = tap_count(kMethod);
  float sum = 0;
  float weights = 0;
  for (int j = 0; j < taps; ++j) {
    for (int i = 0; i < taps; ++i) {
      const std::ptrdiff_t at = i * columns.positions + x;
      const float weight = columns.weights[at] * row_weights[j];
      weights += weight;
      sum += rows[j][columns.sources[at]] * weight;
    }
  }
  return kMethod == Method::lanczos4 ? sum / weights : sum;
}

}  // namespace hipvmaf::resample
