// Decimation of SpEED's pictures on a GPU.
#pragma once

#include <array>
#include <optional>

#include "features/options.hpp"
#include "features/resample/resample_gpu.hpp"
#include "features/speed/speed_geometry.hpp"
#include "features/speed/speed_math.hpp"
#include "gpu/buffer.hpp"
#include "gpu/view.hpp"

namespace hipvmaf::speed {

/// Pictures that are measured together, at most: Cb and Cr of reference and distorted.
inline constexpr int kMostPictures = 4;

/// A picture in single precision: a plane around mid-grey or, with a plane to subtract, what the
/// plane has lost since.
template <class Sample>
struct DeviceSource {
  gpu::View2D<const Sample> plane;
  gpu::View2D<const Sample> subtracted;
  float unit = 1;

  HIPVMAF_HD float operator()(int x, int y) const {
    return subtracted.data == nullptr ? centred_sample(plane(x, y), unit)
                                      : sample_difference(plane(x, y), subtracted(x, y), unit);
  }
};

template <class Sample>
using DeviceSources = std::array<DeviceSource<Sample>, kMostPictures>;

/// Pictures of one size, below each other.
template <class T>
struct StackedPictures {
  gpu::View2D<T> stack;
  int height;  ///< Of a picture.

  [[nodiscard]] HIPVMAF_HD gpu::View2D<T> picture(int i) const {
    return {stack.data + static_cast<std::ptrdiff_t>(i) * height * stack.pitch, stack.width, height,
            stack.pitch};
  }
  [[nodiscard]] HIPVMAF_HD StackedPictures<const T> readable() const {
    return {stack.readable(), height};
  }
};

/// Owns its scratch memory on the device.
class GpuDecimator {
 public:
  GpuDecimator(const OptionValues& options, const Geometry& geometry, int pictures);

  /// Queues the work that makes the decimated pictures less their local means, which are valid
  /// until the next call's work begins. As many of the sources are read as there are pictures.
  template <class Sample>
  StackedPictures<const float> enqueue(gpu::Stream& stream, const DeviceSources<Sample>& sources);

 private:
  template <class Sample>
  void decimate(gpu::Stream& stream, const DeviceSources<Sample>& sources);
  void remove_local_means(gpu::Stream& stream);

  Geometry geometry_;
  int pictures_;
  gpu::Buffer<float> low_pass_;
  gpu::Buffer<float> local_mean_;
  std::optional<resample::Method> method_;
  std::optional<resample::DeviceAxes> axes_;
  gpu::Buffer2D<float> decimated_;
  gpu::Buffer2D<float> details_;
};

}  // namespace hipvmaf::speed
