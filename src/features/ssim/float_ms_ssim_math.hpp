// How float_ms_ssim halves a picture, for host and device: the tables and sizes of its low-pass
// filter.
#pragma once

#include "gpu/host_device.hpp"

namespace hipvmaf::float_ms_ssim {

inline constexpr int kScales = 5;

/// Smallest width and height: the last scale, rounded down, holds one 11x11 window.
inline constexpr int kSmallestSide = 11 << (kScales - 1);

HIPVMAF_HD constexpr int halved_side(int side) { return side / 2 + side % 2; }

/// The filter reaches this many samples to each side; its centre is every second sample of every
/// second row, and beyond the borders the picture is mirrored (similarity::mirrored).
inline constexpr int kRadius = 4;

/// Tap of the filter at a distance of that many rows and columns from its centre. It is not
/// separable. Products are rounded to binary32 and added in binary64, row by row from the top left
/// on; the sum is rounded to binary32.
HIPVMAF_HD constexpr float low_pass_tap(int rows, int columns) {
  constexpr float kTaps[kRadius + 1][kRadius + 1] = {
      {0.363505F, 0.160885F, -0.047149F, -0.010146F, 0.016114F},
      {0.160885F, 0.071207F, -0.020867F, -0.004490F, 0.007132F},
      {-0.047149F, -0.020867F, 0.006115F, 0.001316F, -0.002090F},
      {-0.010146F, -0.004490F, 0.001316F, 0.000283F, -0.000450F},
      {0.016114F, 0.007132F, -0.002090F, -0.000450F, 0.000714F},
  };
  return kTaps[rows][columns];
}

}  // namespace hipvmaf::float_ms_ssim
