// Luma as the float_* extractors see it, for host and device: in 8-bit grey levels, whatever the
// depth, so a sample of B bits counts as sample / 2^(B-8). Exact in binary32.
#pragma once

#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf {

/// What a sample of the depth is multiplied by.
HIPVMAF_HD constexpr float luma_unit(int bit_depth) {
  return 1.0F / static_cast<float>(1 << (bit_depth - 8));
}

/// The largest value that samples of the depth stand for: 255 at 8 bit, then towards 256.
HIPVMAF_HD constexpr double luma_peak(int bit_depth) {
  return static_cast<double>((1 << bit_depth) - 1) / static_cast<double>(1 << (bit_depth - 8));
}

/// PSNR that stands for no error at all, in dB.
HIPVMAF_HD constexpr double psnr_cap(int bit_depth) { return 6 * bit_depth + 12; }

/// Converts a row of samples: out[x] = in[x] * unit + offset.
template <class Sample>
void to_float_luma(const Sample* in, int width, float unit, float offset, float* __restrict out) {
  for (int x = 0; x < width; ++x) out[x] = static_cast<float>(in[x]) * unit + offset;
}

}  // namespace hipvmaf
