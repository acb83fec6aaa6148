// How float_ssim scales pictures down, for host and device: each sample of the smaller picture is
// the mean of a square of the larger one. The products of samples and weight are rounded to
// binary32; their sums in binary64 are exact, so any order gives the same result.
#pragma once

#include "features/float_luma_math.hpp"
#include "gpu/host_device.hpp"

namespace hipvmaf::float_ssim {

/// Factor for a picture with that shorter side.
HIPVMAF_HD constexpr int automatic_factor(int shorter_side) {
  const int rounded = (shorter_side + 128) / 256;
  return rounded > 1 ? rounded : 1;
}

/// Side of the smaller picture.
HIPVMAF_HD constexpr int decimated_side(int side, int factor) {
  return factor == 1 ? side : side / factor + side % 2;
}

/// First sample of the square that belongs to sample `i` of the smaller picture; may lie outside
/// (similarity::mirrored).
HIPVMAF_HD constexpr int first_sample(int i, int factor) { return factor * i - factor / 2; }

/// Weight of every sample of the square. The scale of the sample depth is a power of two, so it
/// does not change the rounding of the products.
HIPVMAF_HD constexpr float sample_weight(int factor, int bit_depth) {
  return 1.0F / static_cast<float>(factor * factor) * luma_unit(bit_depth);
}

}  // namespace hipvmaf::float_ssim
