// What code needs to know that is compiled for hosts and for GPUs, and in builds without a GPU.
#pragma once

/// Marks the functions that are compiled for the host and for GPUs from one source.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define HIPVMAF_HD __host__ __device__
#else
#define HIPVMAF_HD
#endif

namespace hipvmaf::gpu {

/// Whether this build has a GPU platform, the emulated one included (HIPVMAF_GPU).
#if defined(HIPVMAF_GPU_AMD) || defined(HIPVMAF_GPU_NVIDIA) || defined(HIPVMAF_GPU_EMULATED)
inline constexpr bool kBuilt = true;
#else
inline constexpr bool kBuilt = false;
#endif

/// By value, unlike std::min and its kin: device code cannot bind references to the host's
/// constants.
template <class T>
HIPVMAF_HD constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
HIPVMAF_HD constexpr T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
HIPVMAF_HD constexpr T clamp(T value, T low, T high) {
  return value < low ? low : (high < value ? high : value);
}

}  // namespace hipvmaf::gpu
