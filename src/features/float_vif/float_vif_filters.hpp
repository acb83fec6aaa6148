// Filters of the single-precision VIF and the picture sizes that they need.
#pragma once

#include <array>
#include <vector>

#include "features/float_vif/float_vif_math.hpp"

namespace hipvmaf::float_vif {

/// A symmetric low-pass filter with an odd number of taps.
struct Filter {
  std::vector<float> taps;

  [[nodiscard]] int width() const { return static_cast<int>(taps.size()); }
  [[nodiscard]] int radius() const { return width() / 2; }
};

using Filters = std::array<Filter, kScales>;

/// The filters of all scales for a kernel scale of the list.
[[nodiscard]] Filters make_filters(double kernel_scale);

/// Smallest width and height at scale 0: each scale needs one sample more than its filter's radius,
/// so that mirroring once reaches a sample.
[[nodiscard]] int smallest_side(const Filters& filters);

}  // namespace hipvmaf::float_vif
