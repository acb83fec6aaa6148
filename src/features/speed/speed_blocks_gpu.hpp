// Variances and entropies of SpEED's blocks on a GPU.
#pragma once

#include <cstdint>

#include "features/speed/speed_decimation_gpu.hpp"
#include "features/speed/speed_geometry.hpp"
#include "features/speed/speed_math.hpp"
#include "gpu/buffer.hpp"

namespace hipvmaf::speed {

/// A 25x25 matrix, by rows.
struct DeviceMatrix {
  float elements[kBlockSamples * kBlockSamples];

  HIPVMAF_HD float& operator()(int row, int column) {
    return elements[row * kBlockSamples + column];
  }
  HIPVMAF_HD float operator()(int row, int column) const {
    return elements[row * kBlockSamples + column];
  }
};

/// What is known of a picture's blocks before they are looked at one by one.
struct PictureModel {
  float means[kBlockSamples];
  DeviceMatrix covariance;
  float eigenvalues[kBlockSamples];
  DeviceMatrix transposed_q;  ///< Of the covariance's QR decomposition.
  DeviceMatrix upper;         ///< The upper triangular factor.
  std::uint32_t irregular;    ///< 1 if an eigenvalue is too small, else 0.
  std::uint32_t no_pivot;     ///< 1 if `upper` cannot be divided by, else 0.

  [[nodiscard]] HIPVMAF_HD bool singular() const { return irregular != 0 || no_pivot != 0; }
};

/// Of all pictures; their blocks are rows. Unspecified for pictures with a singular model.
struct DeviceBlockStatistics {
  gpu::View1D<const PictureModel> models;
  gpu::View2D<const float> variances;
  gpu::View2D<const float> entropies;
};

/// Owns its scratch memory on the device.
class GpuBlockModel {
 public:
  GpuBlockModel(const Geometry& geometry, float noise, int pictures);

  /// Queues the work that makes the statistics, which are valid until the next call's work begins.
  DeviceBlockStatistics enqueue(gpu::Stream& stream, const StackedPictures<const float>& details);

 private:
  Geometry geometry_;
  float noise_;
  gpu::Buffer<PictureModel> models_;
  gpu::Buffer2D<float> variances_;
  gpu::Buffer2D<float> entropies_;
};

}  // namespace hipvmaf::speed
