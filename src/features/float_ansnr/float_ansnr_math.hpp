// The two smoothing filters of `float_ansnr`. Products and sums are rounded to binary32 one by one,
// from left to right.
#pragma once

#include <array>
#include <cstddef>

#include "gpu/host_device.hpp"

namespace hipvmaf::float_ansnr {

inline constexpr int kReferenceRadius = 1;
inline constexpr int kDistortedRadius = 2;

/// The 3x3 filter is 1 2 1 (sixteenths) above and below, and twice that in the middle. All its
/// results are exact.
HIPVMAF_HD inline float smooth_reference_row(float s0, float s1, float s2) {
  return 0.0625F * s0 + 0.125F * s1 + 0.0625F * s2;
}
HIPVMAF_HD inline float smooth_reference(float above, float here, float below) {
  return above + 2.0F * here + below;
}

/// The 5x5 filter has three kinds of rows: outer (first and last), inner (second and fourth) and
/// middle. Its weights are 571ths that do not add up to exactly 1.
inline constexpr int kRowKinds = 3;

HIPVMAF_HD constexpr float weight(int parts) { return static_cast<float>(parts / 571.0); }

/// One row of the filter, on five samples.
template <int side, int next, int middle>
HIPVMAF_HD inline float smooth_row(float s0, float s1, float s2, float s3, float s4) {
  constexpr float a = weight(side);
  constexpr float b = weight(next);
  constexpr float c = weight(middle);
  return a * s0 + b * s1 + c * s2 + b * s3 + a * s4;
}
HIPVMAF_HD inline float smooth_outer_row(float s0, float s1, float s2, float s3, float s4) {
  return smooth_row<2, 7, 12>(s0, s1, s2, s3, s4);
}
HIPVMAF_HD inline float smooth_inner_row(float s0, float s1, float s2, float s3, float s4) {
  return smooth_row<7, 31, 52>(s0, s1, s2, s3, s4);
}
HIPVMAF_HD inline float smooth_middle_row(float s0, float s1, float s2, float s3, float s4) {
  return smooth_row<12, 52, 127>(s0, s1, s2, s3, s4);
}

}  // namespace hipvmaf::float_ansnr
