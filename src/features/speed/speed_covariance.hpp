// Covariance of the 25 samples of a block.
#pragma once

#include <hipvmaf/picture.hpp>

#include "features/speed/speed_geometry.hpp"
#include "features/speed/speed_matrix.hpp"

namespace hipvmaf::speed {

/// Means of the block's samples (by rows of the block) over all positions of the window: 25 sums
/// that are independent of each other, each of them in one single-precision accumulator, by rows.
[[nodiscard]] Vector window_means(const PlaneView<const float>& details, const Geometry& geometry);

/// Their covariances over all positions of the window; symmetric to the bit. Every entry is a sum
/// of products of double-precision deviations, by rows, rounded to single precision once: another
/// order gives the same entry unless it lies next to a rounding boundary.
[[nodiscard]] Matrix window_covariance(const PlaneView<const float>& details,
                                       const Geometry& geometry, const Vector& means);

}  // namespace hipvmaf::speed
