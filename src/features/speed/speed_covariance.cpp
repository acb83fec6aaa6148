#include "features/speed/speed_covariance.hpp"

namespace hipvmaf::speed {
namespace {

float window_sum(const PlaneView<const float>& details, const Geometry& geometry, int row,
                 int column) {
  float sum = 0;
  for (int y = 0; y < geometry.window_rows(); ++y) {
    const float* samples = details.row(y + row) + column;
    for (int x = 0; x < geometry.window_columns(); ++x) sum += samples[x];
  }
  return sum;
}

using Deviations = std::array<double, kOrder>;

/// Deviations of the 25 samples at one position of the window from their means.
Deviations deviations_at(const PlaneView<const float>& details, int x, int y,
                         const Deviations& means) {
  Deviations deviations;
  std::size_t a = 0;
  for (int row = 0; row < kBlockSide; ++row) {
    const float* samples = details.row(y + row) + x;
    for (int column = 0; column < kBlockSide; ++column, ++a)
      deviations[a] = static_cast<double>(samples[column]) - means[a];
  }
  return deviations;
}

}  // namespace

Vector window_means(const PlaneView<const float>& details, const Geometry& geometry) {
  const auto positions = static_cast<float>(geometry.window_rows() * geometry.window_columns());
  Vector means;
  for (int a = 0; a < kBlockSamples; ++a) {
    means[static_cast<std::size_t>(a)] =
        window_sum(details, geometry, a / kBlockSide, a % kBlockSide) / positions;
  }
  return means;
}

Matrix window_covariance(const PlaneView<const float>& details, const Geometry& geometry,
                         const Vector& means) {
  Deviations wide_means;
  for (std::size_t a = 0; a < kOrder; ++a) wide_means[a] = static_cast<double>(means[a]);
  // Every entry adds its products in the order of the positions. Both halves of the symmetric
  // matrix are summed because whole rows vectorise better.
  std::array<Deviations, kOrder> sums{};
  for (int y = 0; y < geometry.window_rows(); ++y) {
    for (int x = 0; x < geometry.window_columns(); ++x) {
      const Deviations deviations = deviations_at(details, x, y, wide_means);
      for (std::size_t a = 0; a < kOrder; ++a) {
        for (std::size_t b = 0; b < kOrder; ++b) sums[a][b] += deviations[a] * deviations[b];
      }
    }
  }
  const auto positions = static_cast<double>(geometry.window_rows() * geometry.window_columns());
  Matrix covariance;
  for (std::size_t a = 0; a < kOrder; ++a) {
    for (std::size_t b = 0; b < kOrder; ++b)
      covariance[a][b] = static_cast<float>(sums[a][b] / positions);
  }
  return covariance;
}

}  // namespace hipvmaf::speed
