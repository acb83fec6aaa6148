// What kernel sources (.hip) include: HIP's kernel language on every platform, launches, and the
// operations between threads. Nothing here assumes a wave size.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "gpu/stream.hpp"
#include "gpu/view.hpp"

#if defined(HIPVMAF_GPU_AMD)
#include <hip/hip_runtime.h>
#elif defined(HIPVMAF_GPU_NVIDIA)
#include <cuda_runtime.h>
#else
#include "gpu/emulator/kernel_language.hpp"
#endif

#if defined(HIPVMAF_GPU_EMULATED)
#define HIPVMAF_UNROLL
#define HIPVMAF_UNROLL_BY(count)
#else
/// Unrolls the loop that follows, so that arrays indexed by its counter stay in registers.
#define HIPVMAF_UNROLL _Pragma("unroll")
/// Unrolls the loop that follows by a number as it is written; 1 keeps compilers from unrolling.
#define HIPVMAF_PRAGMA(text) _Pragma(#text)
#define HIPVMAF_UNROLL_BY(count) HIPVMAF_PRAGMA(unroll count)
/// Declares a variable that the threads of a block share. It is not initialised.
#define HIPVMAF_SHARED(Type, name) __shared__ Type name
#endif

namespace hipvmaf::gpu {

/// Calls a kernel once per thread of the grid, in the stream's order. The arguments must have
/// exactly the types of the kernel's parameters.
template <class... Parameters, class... Arguments>
requires std::is_same_v<std::tuple<Parameters...>, std::tuple<Arguments...>>
void launch(Stream& stream, dim3 grid, dim3 block, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  static_assert((std::is_trivially_copyable_v<Parameters> && ...));
  stream.count_kernel();
#if defined(HIPVMAF_GPU_EMULATED)
  emulator::launch(stream.native(), grid, block, current_label(), [=] { kernel(arguments...); });
#else
  kernel<<<grid, block, 0, stream.native()>>>(arguments...);
  check(hipGetLastError(), "a kernel launch");
#endif
}

/// Blocks that cover `count` items with `per_block` each.
constexpr unsigned blocks_for(int count, int per_block) {
  return static_cast<unsigned>((count + per_block - 1) / per_block);
}

#if defined(HIPVMAF_GPU_EMULATED) || defined(__HIPCC__) || defined(__CUDACC__)

/// Place of the thread in its block.
__device__ inline int thread_rank() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

/// Threads that can exchange values directly. Waves consist of whole groups on every device.
inline constexpr int kGroup = 32;

/// The value of the thread `distance` further on in the group; the own one past its end. All
/// threads of the block call it.
template <class T>
__device__ T value_from_thread_after(T value, int distance) {
#if defined(HIPVMAF_GPU_NVIDIA)
  return __shfl_down_sync(0xFFFFFFFFU, value, static_cast<unsigned>(distance), kGroup);
#else
  return __shfl_down(value, static_cast<unsigned>(distance), kGroup);
#endif
}

/// An array that the threads of a block share.
template <class T, int kCount>
struct SharedArray {
  T values[kCount];
  __device__ T& operator[](int i) {
    require_index("shared index", i, kCount);
    return values[i];
  }
};

/// Several sums that are made together.
template <class T, int kCount>
struct Sums {
  T values[kCount];
  __device__ T& operator[](int i) { return values[i]; }
  __device__ Sums& operator+=(const Sums& other) {
    HIPVMAF_UNROLL
    for (int i = 0; i < kCount; ++i) values[i] += other.values[i];
    return *this;
  }
};

template <class T, int kCount>
__device__ Sums<T, kCount> value_from_thread_after(const Sums<T, kCount>& sums, int distance) {
  Sums<T, kCount> result;
  HIPVMAF_UNROLL
  for (int i = 0; i < kCount; ++i) {
    result[i] = value_from_thread_after(sums.values[i], distance);
  }
  return result;
}

/// Sum over the group, in its first thread: pairs 16 apart, then 8, 4, 2, 1, so it is the same on
/// every device.
template <class T>
__device__ T group_sum(T value) {
  for (int distance = kGroup / 2; distance > 0; distance /= 2) {
    value += value_from_thread_after(value, distance);
  }
  return value;
}

/// Sum over a block of kThreads threads, in thread 0: group_sum() of each group, then these in
/// order. kThreads is a multiple of kGroup. All threads of the block call it; it ends with no
/// barrier, so a second call needs one before it.
template <int kThreads, class T>
__device__ T block_sum(T value) {
  static_assert(kThreads % kGroup == 0);
  using Partials = SharedArray<T, kThreads / kGroup>;
  HIPVMAF_SHARED(Partials, partials);
  value = group_sum(value);
  const int rank = thread_rank();
  if (rank % kGroup == 0) partials[rank / kGroup] = value;
  __syncthreads();
  T sum{};
  if (rank == 0) {
    for (int g = 0; g < kThreads / kGroup; ++g) sum += partials[g];
  }
  return sum;
}

/// Adds to an integer that other blocks add to as well. Integers only: their sums do not depend on
/// the order.
__device__ inline void atomic_add(std::uint64_t& sum, std::uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum), static_cast<unsigned long long>(value));
}
__device__ inline void atomic_add(std::int64_t& sum, std::int64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum), static_cast<unsigned long long>(value));
}
__device__ inline void atomic_add(std::uint32_t& sum, std::uint32_t value) {
  atomicAdd(&sum, value);
}

#endif

}  // namespace hipvmaf::gpu
