// What SpEED takes from one picture: the variance and the entropy of every block.
#pragma once

#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/speed/speed_geometry.hpp"
#include "features/speed/speed_matrix.hpp"
#include "features/speed/speed_solve.hpp"

namespace hipvmaf::speed {

/// Of all blocks, by rows.
struct BlockStatistics {
  std::vector<float> variances;  ///< In units of the picture's covariance.
  std::vector<float> entropies;  ///< In bits, with neural noise.
};

/// Owns its scratch memory and serves one thread at a time.
class BlockModel {
 public:
  BlockModel(const Geometry& geometry, float noise);

  /// False, with unspecified statistics, if the covariance has no usable inverse.
  [[nodiscard]] bool measure(const PlaneView<const float>& details, BlockStatistics& out);

 private:
  void gather_blocks(const PlaneView<const float>& details);
  void measure_variances(BlockStatistics& out) const;
  void measure_entropies(const Vector& eigenvalues, BlockStatistics& out) const;

  Geometry geometry_;
  float noise_;
  BlockColumns samples_;
  BlockColumns whitened_;
};

}  // namespace hipvmaf::speed
