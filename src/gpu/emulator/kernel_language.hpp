// HIP's kernel language for the emulator: kernels are plain functions that its threads call.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "gpu/emulator/grid.hpp"
#include "gpu/emulator/runtime.hpp"

#define __global__
#define __device__
#define __launch_bounds__(...)

/// Declares a variable that the threads of a block share. Each lambda has a type of its own, which
/// names the declaration.
#define HIPVMAF_SHARED(Type, name) \
  Type& name = ::hipvmaf::gpu::emulator::shared_variable<Type>([] {})

#define __syncthreads() ::hipvmaf::gpu::emulator::grid().barrier()

template <class T>
T atomicAdd(T* sum, T value) {
  return std::exchange(*sum, static_cast<T>(*sum + value));
}

namespace hipvmaf::gpu::emulator {

/// Queues a grid; `label` names it if something goes wrong.
void launch(Stream* stream, dim3 grid, dim3 block, std::string label, std::function<void()> thread);

template <class T, class Declaration>
T& shared_variable(Declaration) {
  static const char place = 0;
  return *static_cast<T*>(grid().shared().variable(&place, sizeof(T), alignof(T)));
}

/// The value of the lane `distance` further on, within groups of `width` lanes; the own one past
/// their ends.
template <class T>
T shuffle_down(T value, unsigned distance, int width = grid().wave_size()) {
  const int lane = grid().lane();
  const int within = lane % width + static_cast<int>(distance);
  const int from = within < width ? lane + static_cast<int>(distance) : lane;
  T result;
  grid().exchange(&value, &result, sizeof(T), from);
  return result;
}

}  // namespace hipvmaf::gpu::emulator

#define warpSize (::hipvmaf::gpu::emulator::grid().wave_size())
#define __shfl_down ::hipvmaf::gpu::emulator::shuffle_down
