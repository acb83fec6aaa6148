// Views of device memory: what kernels get. They can be copied around on the host, but only device
// code can read through them; in the emulator and in debug builds it does so with bounds checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gpu/host_device.hpp"

#if defined(HIPVMAF_GPU_EMULATED)
#include "gpu/emulator/grid.hpp"
#endif

namespace hipvmaf::gpu {

/// Ends the kernel (the emulator says where) if `index` is outside 0 .. extent - 1.
HIPVMAF_HD inline void require_index([[maybe_unused]] const char* what,
                                     [[maybe_unused]] std::int64_t index,
                                     [[maybe_unused]] std::int64_t extent) {
#if defined(HIPVMAF_GPU_EMULATED)
  if (index < 0 || index >= extent) emulator::out_of_bounds(what, index, extent);
#elif defined(NDEBUG)
#elif defined(__CUDA_ARCH__)
  if (index < 0 || index >= extent) __trap();
#else
  if (index < 0 || index >= extent) __builtin_trap();
#endif
}

struct Size {
  int width = 0;
  int height = 0;
};

/// `count` values side by side.
template <class T>
struct View1D {
  T* data = nullptr;
  int count = 0;

  HIPVMAF_HD T& operator[](int i) const {
    require_index("index", i, count);
    return data[i];
  }
  [[nodiscard]] HIPVMAF_HD View1D<const T> readable() const { return {data, count}; }
};

/// `height` rows of `width` values; a row begins `pitch` values after the one before.
template <class T>
struct View2D {
  T* data = nullptr;
  int width = 0;
  int height = 0;
  int pitch = 0;

  HIPVMAF_HD T& operator()(int x, int y) const {
    require_index("column", x, width);
    require_index("row", y, height);
    return data[static_cast<std::ptrdiff_t>(y) * pitch + x];
  }
  [[nodiscard]] HIPVMAF_HD View2D<const T> readable() const { return {data, width, height, pitch}; }
  /// The upper left part of that size.
  [[nodiscard]] HIPVMAF_HD View2D cropped(Size size) const {
    return {data, size.width, size.height, pitch};
  }
};

/// Planes of the two videos, so that they cannot take each other's place.
template <class T>
struct Reference {
  View2D<const T> plane;
};
template <class T>
struct Distorted {
  View2D<const T> plane;
};

}  // namespace hipvmaf::gpu
