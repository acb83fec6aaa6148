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

/// An AxisView of device memory.
struct DeviceAxisView {
  gpu::View1D<const int> sources;
  gpu::View1D<const float> weights;
  int positions = 0;

  [[nodiscard]] HIPVMAF_HD int source(int tap, int position) const {
    return sources[tap * positions + position];
  }
  [[nodiscard]] HIPVMAF_HD float weight(int tap, int position) const {
    return weights[tap * positions + position];
  }
};

/// Tables of both axes.
struct Axes {
  DeviceAxisView columns;
  DeviceAxisView rows;
};

/// An AxisTable in device memory.
class DeviceAxis {
 public:
  DeviceAxis(Method method, int from, int to) : DeviceAxis(method, AxisTable(method, from, to)) {}

  [[nodiscard]] DeviceAxisView view() const {
    return {sources_.view().readable(), weights_.view().readable(), positions_};
  }

 private:
  DeviceAxis(Method method, const AxisTable& table)
      : sources_(gpu::make_table<int>({table.view().sources, entries(method, table)})),
        weights_(gpu::make_table<float>({table.view().weights, entries(method, table)})),
        positions_(static_cast<int>(table.view().positions)) {}

  static std::size_t entries(Method method, const AxisTable& table) {
    return static_cast<std::size_t>(table.view().positions * tap_count(method));
  }

  gpu::Buffer<int> sources_;
  gpu::Buffer<float> weights_;
  int positions_;
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
    rows[j] = axes.rows.source(j, y);
    weights[j] = axes.rows.weight(j, y);
  }
  return resampled<kMethod>([&](int j, int column) { return source(column, rows[j]); }, weights,
                            axes.columns, x);
}

#endif

}  // namespace hipvmaf::resample
