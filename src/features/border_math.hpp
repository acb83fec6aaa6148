// The border rule that several filters share, for host and device.
#pragma once

#include "gpu/host_device.hpp"

namespace hipvmaf {

/// Index of the sample that stands for one outside 0..count-1: mirrored around the first sample on
/// the near side, around the edge behind the last one on the far side. Holds as far outside as
/// there are other samples.
HIPVMAF_HD constexpr int mirrored(int index, int count) {
  if (index < 0) return -index;
  return index < count ? index : 2 * count - 1 - index;
}

}  // namespace hipvmaf
