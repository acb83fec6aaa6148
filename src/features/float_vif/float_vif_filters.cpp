#include "features/float_vif/float_vif_filters.hpp"

#include <algorithm>
#include <cstddef>

#include "features/gaussian/scaled_gaussian.hpp"

namespace hipvmaf::float_vif {

Filters make_filters(double kernel_scale) {
  Filters filters;
  for (std::size_t s = 0; s < kScales; ++s) {
    const int width = scaled_filter_width(kFilterWidths[s], static_cast<float>(kernel_scale));
    filters[s].taps = gaussian_taps(width, static_cast<float>(width) / 5);
  }
  return filters;
}

int smallest_side(const Filters& filters) {
  int side = 0;
  for (std::size_t s = 0; s < kScales; ++s) side = std::max(side, (filters[s].radius() + 1) << s);
  return side;
}

}  // namespace hipvmaf::float_vif
