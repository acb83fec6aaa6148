// Scaling on a GPU: the tables of an axis in device memory, and samples made from them one by one,
// where they are needed.
#pragma once

#include <cstddef>
#include <span>

#include "features/resample/resample.hpp"
#include "features/resample/resample_math.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::resample {

/// Tables of both axes; device memory.
struct Axes {
  AxisView columns;
  AxisView rows;
};

/// An AxisTable in device memory.
class DeviceAxis {
 public:
  DeviceAxis(Method method, int from, int to) : DeviceAxis(method, AxisTable(method, from, to)) {}

  [[nodiscard]] AxisView view() const {
    return {sources_.view().data, weights_.view().data, positions_};
  }

 private:
  DeviceAxis(Method method, const AxisTable& table)
      : sources_(gpu::make_table<int>({table.view().sources, entries(method, table)})),
        weights_(gpu::make_table<float>({table.view().weights, entries(method, table)})),
        positions_(table.view().positions) {}

  static std::size_t entries(Method method, const AxisTable& table) {
    return static_cast<std::size_t>(table.view().positions * tap_count(method));
  }

  gpu::Buffer<int> sources_;
  gpu::Buffer<float> weights_;
  std::ptrdiff_t positions_;
};

class DeviceAxes {
 public:
  DeviceAxes(Method method, gpu::Size from, gpu::Size to)
      : columns_(method, from.width, to.width), rows_(method, from.height, to.height) {}

  [[nodiscard]] Axes view() const { return {columns_.view(), rows_.view()}; }

 private:
  DeviceAxis columns_;
  DeviceAxis rows_;
};

/// Calls f.operator()<kMethod>().
template <class F>
void with_method(Method method, const F& f) {
  switch (method) {
    case Method::nearest:
      return f.template operator()<Method::nearest>();
    case Method::bilinear:
      return f.template operator()<Method::bilinear>();
    case Method::bicubic:
      return f.template operator()<Method::bicubic>();
    case Method::lanczos4:
      return f.template operator()<Method::lanczos4>();
  }
}

#if defined(HIPVMAF_GPU_EMULATED) || defined(__HIPCC__) || defined(__CUDACC__)

/// Sample (x, y) of the scaled picture; `source(x, y)` gives a sample of the picture itself.
template <Method kMethod, class Source>
__device__ float scaled_sample(const Source& source, const Axes& axes, int x, int y) {
  constexpr int taps = tap_count(kMethod);
  int rows[taps];
  float weights[taps];
  HIPVMAF_UNROLL
  for (int j = 0; j < taps; ++j) {
    const std::ptrdiff_t at = j * axes.rows.positions + y;
    rows[j] = axes.rows.sources[at];
    weights[j] = axes.rows.weights[at];
  }
  return resampled<kMethod>([&](int j, int column) { return source(column, rows[j]); }, weights,
                            axes.columns, x);
}

#endif

}  // namespace hipvmaf::resample
