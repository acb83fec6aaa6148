#include "features/speed/speed_blocks.hpp"

#include <cstddef>

#include "features/speed/speed_covariance.hpp"
#include "features/speed/speed_eigen.hpp"
#include "features/speed/speed_math.hpp"

namespace hipvmaf::speed {

BlockModel::BlockModel(const Geometry& geometry, float noise)
    : geometry_(geometry),
      noise_(noise),
      samples_(geometry.blocks()),
      whitened_(geometry.blocks()) {}

bool BlockModel::measure(const PlaneView<const float>& details, BlockStatistics& out) {
  const Matrix covariance = window_covariance(details, geometry_, window_means(details, geometry_));
  const Vector eigenvalues = eigenvalues_of(covariance);
  if (!is_regular(eigenvalues)) return false;
  gather_blocks(details);
  if (!solve(covariance, samples_, whitened_)) return false;
  out.variances.resize(samples_.columns());
  out.entropies.resize(samples_.columns());
  measure_variances(out);
  measure_entropies(eigenvalues, out);
  return true;
}

void BlockModel::gather_blocks(const PlaneView<const float>& details) {
  for (int a = 0; a < kBlockSamples; ++a) {
    float* out = samples_.row(static_cast<std::size_t>(a));
    for (int by = 0; by < geometry_.block_rows(); ++by) {
      const float* row = details.row(kBlockSide * by + a / kBlockSide) + a % kBlockSide;
      for (int bx = 0; bx < geometry_.block_columns(); ++bx) *out++ = row[kBlockSide * bx];
    }
  }
}

void BlockModel::measure_variances(BlockStatistics& out) const {
  for (std::size_t i = 0; i < kOrder; ++i) {
    const float* x = whitened_.row(i);
    const float* y = samples_.row(i);
    for (std::size_t j = 0; j < out.variances.size(); ++j) {
      const float term = variance_term(x[j], y[j]);
      out.variances[j] = i == 0 ? term : out.variances[j] + term;
    }
  }
}

void BlockModel::measure_entropies(const Vector& eigenvalues, BlockStatistics& out) const {
  for (std::size_t j = 0; j < out.entropies.size(); ++j) {
    float entropy = 0;
    for (const float eigenvalue : eigenvalues)
      entropy = entropy_with(entropy, eigenvalue, out.variances[j], noise_);
    out.entropies[j] = entropy;
  }
}

}  // namespace hipvmaf::speed
