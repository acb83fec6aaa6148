// Exact sums over pairs of pixels on a GPU, for the extractors of the PSNR kind: each thread sums a
// column of a strip of rows, a block its threads. For kernel sources only.
#pragma once

#include <cstdint>

#include "gpu/kernel.hpp"

namespace hipvmaf::psnr {

inline constexpr int kStripThreads = 256;
inline constexpr int kStripRows = 16;

/// Blocks that cover pictures of that size.
inline dim3 strips_of(gpu::Size size) {
  return {gpu::blocks_for(size.width, kStripThreads), gpu::blocks_for(size.height, kStripRows)};
}

/// What `add(sums, reference sample, distorted sample)` makes of the pixels of a block, in thread
/// 0. All threads of the block call it, once.
template <class Sums, class Sample, class Add>
__device__ Sums strip_sums(const gpu::Reference<Sample>& reference,
                           const gpu::Distorted<Sample>& distorted, const Add& add) {
  const int x = static_cast<int>(blockIdx.x) * kStripThreads + static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.y) * kStripRows;
  const int end = gpu::min(begin + kStripRows, reference.plane.height);
  Sums sums{};
  if (x < reference.plane.width) {
    for (int y = begin; y < end; ++y) {
      add(sums, std::uint32_t{reference.plane(x, y)}, std::uint32_t{distorted.plane(x, y)});
    }
  }
  return gpu::block_sum<kStripThreads>(sums);
}

}  // namespace hipvmaf::psnr
