// Per-sample arithmetic of the floating-point motion, for host and device. Every operation rounds
// to binary32, in the order written.
#pragma once

#include <cmath>

#include "gpu/host_device.hpp"

namespace hipvmaf::float_motion {

/// Sample as the blur takes it: in 8-bit code values, around 0. Exact.
HIPVMAF_HD inline float centred(int sample, float code_value) {
  return static_cast<float>(sample) * code_value - 128.0F;
}

/// One 8-bit code value's part of a native one; a power of two.
HIPVMAF_HD inline float code_value_of(int bit_depth) {
  return 1.0F / static_cast<float>(1 << (bit_depth - 8));
}

template <int kTaps>
struct Taps {
  float values[kTaps];
};

/// Gaussian taps by filter size, sigma = 1 for five and 0.6 for three; one tap leaves all as it is.
template <int kTaps>
HIPVMAF_HD constexpr Taps<kTaps> gaussian_taps() {
  if constexpr (kTaps == 1) return {{1.0F}};
  if constexpr (kTaps == 3) return {{0.166378498F, 0.667243004F, 0.166378498F}};
  if constexpr (kTaps == 5)
    return {{0.054488685F, 0.244201342F, 0.402619947F, 0.244201342F, 0.054488685F}};
}

/// Where the samples of an axis at half its size come from: between samples `low` and `high`, by
/// `fraction` nearer to `high`.
struct HalvedPosition {
  int low;
  int high;
  float fraction;
};

/// Length of an axis at half its size.
HIPVMAF_HD constexpr int halved_size(int size) { return (size + 1) / 2; }

HIPVMAF_HD inline HalvedPosition halved_position(int index, int size) {
  const float ratio = static_cast<float>(size) / static_cast<float>(halved_size(size));
  const double exact = (static_cast<double>(index) + 0.5) * static_cast<double>(ratio) - 0.5;
  const auto position = static_cast<float>(exact);
  const float low = std::floor(position);
  return {static_cast<int>(low), static_cast<int>(std::ceil(position)), position - low};
}

/// Bilinear interpolation between two rows.
HIPVMAF_HD inline float interpolate(const float* upper, const float* lower, float row_fraction,
                                    const HalvedPosition& column) {
  const float up = 1.0F - row_fraction;
  const float left = 1.0F - column.fraction;
  return up * left * upper[column.low] + up * column.fraction * upper[column.high] +
         row_fraction * left * lower[column.low] +
         row_fraction * column.fraction * lower[column.high];
}

}  // namespace hipvmaf::float_motion
