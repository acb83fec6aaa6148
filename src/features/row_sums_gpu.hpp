// Sums of planes whose order is part of the result, on a GPU: along each row from the left, then
// over the rows from the top, every addition rounded. Rows do not depend on each other, so a block
// adds up kSummedRows of them, one per thread, while all its threads bring the terms. For kernel
// sources only.
#pragma once

#include "gpu/kernel.hpp"

namespace hipvmaf {

inline constexpr int kRowSumThreads = 128;
/// Rows of a block, and columns that it takes to shared memory at a time, one per thread.
inline constexpr int kSummedRows = 16;
inline constexpr int kSummedColumns = kRowSumThreads;

/// Planes that are summed side by side; those of height 0 are left out. A `Term` is a number or
/// several that are added likewise, with 0 as its default value.
template <class Term, int kPlanes>
struct SummedPlanes {
  gpu::View2D<const Term> planes[kPlanes];

  /// Compares instead of indexing, which would copy the views to slow memory.
  __device__ gpu::View2D<const Term> of(int index) const {
    gpu::View2D<const Term> found = planes[0];
    HIPVMAF_UNROLL
    for (int p = 1; p < kPlanes; ++p) {
      if (p == index) found = planes[p];
    }
    return found;
  }
};

/// A row of blocks per plane: the sum of row y of plane p goes to (y, first + p) of `row_sums`.
template <class Term, int kPlanes>
__global__ void __launch_bounds__(kRowSumThreads)
    sum_rows(SummedPlanes<Term, kPlanes> planes, int first, gpu::View2D<Term> row_sums) {
  constexpr int kPitch = kSummedColumns + 1;  // so that a column's rows are in different banks
  using Chunk = gpu::SharedArray<Term, kSummedRows * kPitch>;
  HIPVMAF_SHARED(Chunk, chunk);
  const int index = static_cast<int>(blockIdx.y);
  const gpu::View2D<const Term> plane = planes.of(index);
  const int rank = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.x) * kSummedRows;
  if (first_row >= plane.height) return;

  const int rows = gpu::min(kSummedRows, plane.height - first_row);
  Term loaded[kSummedRows];
  const auto load = [&](int x) {
    HIPVMAF_UNROLL
    for (int r = 0; r < kSummedRows; ++r) {
      loaded[r] = x < plane.width && r < rows ? plane(x, first_row + r) : Term{};
    }
  };
  load(rank);
  Term sum{};
  for (int begin = 0; begin < plane.width; begin += kSummedColumns) {
    HIPVMAF_UNROLL
    for (int r = 0; r < kSummedRows; ++r) chunk[r * kPitch + rank] = loaded[r];
    __syncthreads();
    load(begin + kSummedColumns + rank);  // read now, so that adding hides how long it takes
    if (rank < kSummedRows) {
      // The zeros behind the last column change nothing: sums that begin at +0 are never -0.
      HIPVMAF_UNROLL_BY(16)
      for (int c = 0; c < kSummedColumns; ++c) sum += chunk[rank * kPitch + c];
    }
    __syncthreads();
  }
  if (rank < rows) row_sums(first_row + rank, first + index) = sum;
}

/// row_sums(begin, index) + row_sums(begin + 1, index) + ... of `count` rows, in thread 0. All
/// kRowSumThreads threads of the block call it; it ends with a barrier.
template <class Term>
__device__ Term sum_of_rows(const gpu::View2D<const Term>& row_sums, int index, int begin,
                            int count) {
  using Chunk = gpu::SharedArray<Term, kRowSumThreads>;
  HIPVMAF_SHARED(Chunk, chunk);
  const int rank = static_cast<int>(threadIdx.x);
  const auto load = [&](int row) {
    return row + rank < count ? row_sums(begin + row + rank, index) : Term{};
  };
  Term loaded = load(0);
  Term sum{};
  for (int row = 0; row < count; row += kRowSumThreads) {
    chunk[rank] = loaded;
    __syncthreads();
    loaded = load(row + kRowSumThreads);
    if (rank == 0) {
      HIPVMAF_UNROLL_BY(16)
      for (int i = 0; i < kRowSumThreads; ++i) sum += chunk[i];
    }
    __syncthreads();
  }
  return sum;
}

/// Queues sum_rows(). `row_sums` is as wide as the highest plane or wider.
template <class Term, int kPlanes>
void queue_row_sums(gpu::Stream& stream, const SummedPlanes<Term, kPlanes>& planes, int first,
                    const gpu::View2D<Term>& row_sums) {
  int rows = 0;
  for (const auto& plane : planes.planes) rows = gpu::max(rows, plane.height);
  const dim3 grid(gpu::blocks_for(rows, kSummedRows), kPlanes);
  gpu::launch(stream, grid, kRowSumThreads, sum_rows<Term, kPlanes>, planes, first, row_sums);
}

}  // namespace hipvmaf
