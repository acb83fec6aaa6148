// Covariance of the 25 samples of a block.
#pragma once

#include <hipvmaf/picture.hpp>

#include "features/speed/speed_geometry.hpp"
#include "features/speed/speed_matrix.hpp"

namespace hipvmaf::speed {

/// Means of the block's samples (by rows of the block) over all positions of the window.
[[nodiscard]] Vector window_means(const PlaneView<const float>& details, const Geometry& geometry);

/// Their covariances over all positions of the window; symmetric to the bit.
[[nodiscard]] Matrix window_covariance(const PlaneView<const float>& details,
                                       const Geometry& geometry, const Vector& means);

}  // namespace hipvmaf::speed
