// Sums of luminance, contrast and structure similarity on a GPU, for float_ssim and float_ms_ssim.
// For kernel sources only.
//
// A block takes a tile of kTileColumns columns and kTileRows rows of the map. Each thread owns a
// column and walks down the rows of the images below it: it sums the window horizontally, from a
// row that lies in shared memory, keeps the last kWindow results in registers, and sums them
// vertically. Groups of threads add their terms to the sums of the map's rows, which are integers;
// a last launch adds the rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/ssim/similarity.hpp"
#include "features/ssim/similarity_math.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::similarity {

inline constexpr int kThreads = 128;
inline constexpr int kTileColumns = kThreads;
inline constexpr int kTileRows = 32;

enum { kSimilarity, kLuminance, kContrast, kStructure, kTermCount };

/// Sums of the terms of a row of the map, as fixed_point() gives them.
using RowSums = gpu::Sums<std::uint64_t, kTermCount>;

/// An image pair to be measured.
template <class Sample>
struct Map {
  gpu::Reference<Sample> reference;
  gpu::Distorted<Sample> distorted;
  float unit;  // what samples are multiplied by
  gpu::View1D<RowSums> rows;
};

/// Horizontal sums of the last rows, of one column and one moment.
struct Column {
  float rows[kWindow];

  __device__ void push(float next) {
    HIPVMAF_UNROLL
    for (int i = 0; i + 1 < kWindow; ++i) rows[i] = rows[i + 1];
    rows[kWindow - 1] = next;
  }
  [[nodiscard]] __device__ float filtered() const {
    return window_sum([this](std::size_t k) { return rows[k]; });
  }
};

/// Samples of the columns under a tile. Two rows: threads that are ahead fill one while others read
/// the other.
inline constexpr int kRowSamples = kTileColumns + kWindow - 1;
using SharedRows = gpu::SharedArray<float, 2 * kRowSamples>;

/// Horizontal pass: the sum over the products of samples at and behind a place.
__device__ inline float filtered_samples(SharedRows& row, int at) {
  return window_sum([&](std::size_t k) { return row[at + static_cast<int>(k)]; });
}
__device__ inline float filtered_products(SharedRows& a, SharedRows& b, int at) {
  return window_sum(
      [&](std::size_t k) { return a[at + static_cast<int>(k)] * b[at + static_cast<int>(k)]; });
}

template <class Sample>
__device__ void load_sample(const Map<Sample>& map, int x, int y, SharedRows& r, SharedRows& d,
                            int at) {
  const int column = gpu::min(x, map.reference.plane.width - 1);
  r[at] = static_cast<float>(map.reference.plane(column, y)) * map.unit;
  d[at] = static_cast<float>(map.distorted.plane(column, y)) * map.unit;
}

__device__ inline RowSums fixed_terms(const Moments& means) {
  const Terms terms = terms_of(means);
  return {{fixed_point(terms.similarity), fixed_point(terms.luminance), fixed_point(terms.contrast),
           fixed_point(terms.structure)}};
}

/// All threads of the block call it.
template <class Sample>
__device__ void measure_tile(const Map<Sample>& map) {
  HIPVMAF_SHARED(SharedRows, shared_r);
  HIPVMAF_SHARED(SharedRows, shared_d);
  const int map_width = map_side(map.reference.plane.width);
  const int first_row = static_cast<int>(blockIdx.y) * kTileRows;
  const int rows = gpu::min(kTileRows, map_side(map.reference.plane.height) - first_row);
  const int rank = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kTileColumns + rank;
  Column r{};
  Column d{};
  Column rr{};
  Column dd{};
  Column rd{};
  HIPVMAF_UNROLL_BY(1)
  for (int i = 0; i < rows + kWindow - 1; ++i) {
    const int at = i % 2 * kRowSamples + rank;
    load_sample(map, x, first_row + i, shared_r, shared_d, at);
    if (rank < kRowSamples - kThreads) {
      load_sample(map, x + kThreads, first_row + i, shared_r, shared_d, at + kThreads);
    }
    __syncthreads();
    r.push(filtered_samples(shared_r, at));
    d.push(filtered_samples(shared_d, at));
    rr.push(filtered_products(shared_r, shared_r, at));
    dd.push(filtered_products(shared_d, shared_d, at));
    rd.push(filtered_products(shared_r, shared_d, at));
    if (i < kWindow - 1) continue;
    RowSums sums{};
    if (x < map_width) {
      sums = fixed_terms({r.filtered(), d.filtered(), rr.filtered(), dd.filtered(), rd.filtered()});
    }
    sums = gpu::group_sum(sums);
    if (rank % gpu::kGroup == 0) {
      RowSums& row = map.rows[first_row + i - (kWindow - 1)];
      HIPVMAF_UNROLL
      for (int k = 0; k < kTermCount; ++k) gpu::atomic_add(row[k], sums[k]);
    }
  }
}

template <class Sample>
__global__ void __launch_bounds__(kThreads) measure_map(Map<Sample> map) {
  measure_tile(map);
}

/// What rows of all maps belong to one of them.
struct Rows {
  int first;
  int count;
};

/// A block per map adds its rows from the first to the last.
template <int kBlock>
__global__ void __launch_bounds__(kBlock)
    add_rows(gpu::View1D<const RowSums> rows, gpu::View1D<const Rows> maps,
             gpu::View1D<SimilaritySums> totals) {
  using Tile = gpu::SharedArray<double, kBlock * kTermCount>;
  using Totals = gpu::SharedArray<double, kTermCount>;
  HIPVMAF_SHARED(Tile, tile);
  HIPVMAF_SHARED(Totals, sums);
  const int map = static_cast<int>(blockIdx.x);
  const int rank = static_cast<int>(threadIdx.x);
  const Rows own = maps[map];
  double sum = 0;  // of one term, in each of the first threads
  for (int begin = 0; begin < own.count; begin += kBlock) {
    const int count = gpu::min(kBlock, own.count - begin);
    if (rank < count) {
      const RowSums row = rows[own.first + begin + rank];
      HIPVMAF_UNROLL
      for (int k = 0; k < kTermCount; ++k) {
        tile[rank * kTermCount + k] = from_fixed_point(row.values[k]);
      }
    }
    __syncthreads();
    if (rank < kTermCount) {
      HIPVMAF_UNROLL_BY(8)
      for (int i = 0; i < count; ++i) sum += tile[i * kTermCount + rank];
    }
    __syncthreads();
  }
  if (rank < kTermCount) sums[rank] = sum;
  __syncthreads();
  if (rank == 0) {
    totals[map] = {sums[kSimilarity], sums[kLuminance], sums[kContrast], sums[kStructure]};
  }
}

/// The sums of the rows of several maps.
class MapRows {
 public:
  /// `heights`: of the images of each map.
  explicit MapRows(std::span<const int> heights) {
    int first = 0;
    for (const int height : heights) {
      maps_.push_back({first, map_side(height)});
      first += map_side(height);
    }
    rows_ = gpu::Buffer<RowSums>(first);
    device_maps_ = gpu::make_table<Rows>(maps_);
  }

  /// Queues what comes before the measurements of a frame.
  void clear(gpu::Stream& stream) const { stream.clear(rows_.view()); }
  [[nodiscard]] gpu::View1D<RowSums> rows(int map) const {
    const Rows& own = maps_[static_cast<std::size_t>(map)];
    return {rows_.view().data + own.first, own.count};
  }
  /// Queues what comes after them.
  void add(gpu::Stream& stream, gpu::View1D<SimilaritySums> totals) const {
    gpu::launch(stream, static_cast<unsigned>(maps_.size()), kThreads, add_rows<kThreads>,
                rows_.view().readable(), device_maps_.view().readable(), totals);
  }

 private:
  std::vector<Rows> maps_;
  gpu::Buffer<RowSums> rows_;
  gpu::Buffer<Rows> device_maps_;
};

/// Queues the measurement of one map.
template <class Sample>
void measure(gpu::Stream& stream, const Map<Sample>& map) {
  const dim3 grid(gpu::blocks_for(map_side(map.reference.plane.width), kTileColumns),
                  gpu::blocks_for(map_side(map.reference.plane.height), kTileRows));
  gpu::launch(stream, grid, kThreads, measure_map<Sample>, map);
}

}  // namespace hipvmaf::similarity
