// How the GPU stages of `adm` and `float_adm` share out the bands of a scale among blocks and
// threads: a block takes a tile; each thread owns a band column of it, or of the margin around it,
// and walks down the rows. For kernel sources only.
#pragma once

#include "features/adm/adm_geometry.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::adm {

/// Threads on either side of a tile: one for the wavelet, one for the masking.
inline constexpr int kTileMargin = 2;

template <int threads, int rows>
struct TileShape {
  static constexpr int kThreads = threads;
  static constexpr int kColumns = threads - 2 * kTileMargin;
  static constexpr int kRows = rows;

  static dim3 grid(const ScaleGeometry& scale) {
    return {gpu::blocks_for(scale.width, kColumns), gpu::blocks_for(scale.height, kRows)};
  }
};

/// The rows of a block.
struct TileRows {
  int first = 0;
  int end = 0;
  // Those that are scored; unless `measures`, none.
  bool measures = false;
  int first_scored = 0;
  int end_scored = 0;

  // What is walked down: rows above and below the scored ones mask them. These are mirrored() at
  // the edges of the band.
  int first_walked = 0;
  int end_walked = 0;

  [[nodiscard]] __device__ bool own(int i) const { return i >= first && i < end; }
  [[nodiscard]] __device__ bool score(int i) const {
    return measures && i >= first_scored && i < end_scored;
  }
  [[nodiscard]] __device__ bool mask(int i) const {
    return measures && i >= first_scored - 1 && i <= end_scored;
  }
};

/// `measures`: whether the scale is scored at all.
template <class Shape>
__device__ TileRows tile_rows(const ScaleGeometry& scale, bool measures) {
  const int first_column = static_cast<int>(blockIdx.x) * Shape::kColumns;
  TileRows rows;
  rows.first = static_cast<int>(blockIdx.y) * Shape::kRows;
  rows.end = gpu::min(rows.first + Shape::kRows, scale.height);
  rows.first_scored = gpu::max(rows.first, scale.top);
  rows.end_scored = gpu::min(rows.end, scale.height - scale.top);
  rows.measures = measures && rows.first_scored < rows.end_scored &&
                  first_column < scale.width - scale.left &&
                  first_column + Shape::kColumns > scale.left;
  rows.first_walked = rows.measures ? gpu::min(rows.first, rows.first_scored - 1) : rows.first;
  rows.end_walked = rows.measures ? gpu::max(rows.end, rows.end_scored + 1) : rows.end;
  return rows;
}

/// The band column of a thread.
struct TileColumn {
  int rank = 0;
  int x = 0;
  bool owned = false;   // by this thread: it is in the tile and not in the margin
  bool masks = false;   // is scored or masks one that is
  bool scored = false;  // and owned
  // Threads of the columns beside it, mirrored() at the edges of the band.
  int left = 0;
  int right = 0;
  // Input columns 2x and 2x + 1, mirrored(); some others for columns that are not used.
  int even_input = 0;
  int odd_input = 0;
};

template <class Shape>
__device__ TileColumn tile_column(const ScaleGeometry& scale) {
  TileColumn column;
  const int rank = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * Shape::kColumns + rank - kTileMargin;
  column.rank = rank;
  column.x = x;
  column.owned = rank >= kTileMargin && rank < Shape::kThreads - kTileMargin && x < scale.width;
  column.masks = rank > 0 && rank < Shape::kThreads - 1 && x >= gpu::max(scale.left - 1, 0) &&
                 x < gpu::min(scale.width - scale.left + 1, scale.width);
  column.scored = column.owned && x >= scale.left && x < scale.width - scale.left;
  column.left = column.scored ? rank + mirrored(x - 1, scale.width) - x : rank;
  column.right = column.scored ? rank + mirrored(x + 1, scale.width) - x : rank;
  const int input = gpu::clamp(2 * x, -2, scale.input_width + 1);
  column.even_input = mirrored(input, scale.input_width);
  column.odd_input = mirrored(input + 1, scale.input_width);
  return column;
}

/// The input rows 2y-1 .. 2y+2 of band row y, in the two input columns of a thread.
template <class Value>
struct InputWindow {
  Value even[4];
  Value odd[4];

  /// `follows`: the window is at row y - 1. `load` makes a value from an input sample.
  template <class Input, class Load>
  __device__ void move_to(int y, bool follows, const gpu::View2D<const Input>& plane,
                          const TileColumn& column, const Load& load) {
    if (follows) {
      HIPVMAF_UNROLL
      for (int k = 0; k < 2; ++k) {
        even[k] = even[k + 2];
        odd[k] = odd[k + 2];
      }
    }
    HIPVMAF_UNROLL
    for (int k = 0; k < 4; ++k) {
      if (follows && k < 2) continue;
      const int row = mirrored(2 * y - 1 + k, plane.height);
      even[k] = load(plane(column.even_input, row));
      odd[k] = load(plane(column.odd_input, row));
    }
  }
};

/// Those of both pictures.
template <class Value>
struct InputWindows {
  InputWindow<Value> reference{};
  InputWindow<Value> distorted{};
  int y = -2;  // no row of a band follows it

  /// Row i, mirrored() at the edges of the band.
  template <class Input, class Load>
  __device__ void move_to(int i, const ScaleGeometry& scale,
                          const gpu::Reference<Input>& reference_input,
                          const gpu::Distorted<Input>& distorted_input, const TileColumn& column,
                          const Load& load) {
    const int row = mirrored(i, scale.height);
    const bool follows = row == y + 1;
    reference.move_to(row, follows, reference_input.plane, column, load);
    distorted.move_to(row, follows, distorted_input.plane, column, load);
    y = row;
  }
};

}  // namespace hipvmaf::adm
