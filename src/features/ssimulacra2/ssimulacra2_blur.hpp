// The recursive Gaussian on CPUs: along the rows of a strip, one row per vector lane, and down the
// columns of a plane, one column per lane.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "features/ssimulacra2/ssimulacra2_math.hpp"
#include "features/ssimulacra2/ssimulacra2_strips.hpp"

namespace hipvmaf::ssimulacra2 {

/// Columns of zeros that blur_strip() needs before and after the columns of a strip.
inline constexpr int kPaddingBefore = kBlurAhead + kBlurBehind;
inline constexpr int kPaddingAfter = kBlurAhead;

/// Blurs the rows of a strip. `padded` is the strip with its padding; `out` takes kBlurAhead
/// columns without meaning and then those of the strip.
inline void blur_strip(const float* padded, int width, float* __restrict out) {
  constexpr int kRows = kStripRows;
  std::array<std::array<float, kRows>, kRecursions> last{};
  std::array<std::array<float, kRows>, kRecursions> before{};
  const float* behind = padded;
  const float* ahead = padded + kPaddingBefore * kRows;
  for (int step = 0; step < kBlurAhead + width; ++step) {
    for (std::size_t row = 0; row < kRows; ++row) {
      const float drive = behind[row] + ahead[row];
      const float v0 = blur_step<0>(drive, last[0][row], before[0][row]);
      const float v1 = blur_step<1>(drive, last[1][row], before[1][row]);
      const float v2 = blur_step<2>(drive, last[2][row], before[2][row]);
      before[0][row] = last[0][row];
      before[1][row] = last[1][row];
      before[2][row] = last[2][row];
      last[0][row] = v0;
      last[1][row] = v1;
      last[2][row] = v2;
      out[row] = blur_sum(v0, v1, v2);
    }
    behind += kRows;
    ahead += kRows;
    out += kRows;
  }
}

/// One step down all columns: replaces the values before the last by the next ones.
inline void blur_columns(const float* behind, const float* ahead, int width, const float* last0,
                         const float* last1, const float* last2, float* __restrict next0,
                         float* __restrict next1, float* __restrict next2, float* __restrict out) {
  for (int x = 0; x < width; ++x) {
    const float drive = behind[x] + ahead[x];
    const float v0 = blur_step<0>(drive, last0[x], next0[x]);
    const float v1 = blur_step<1>(drive, last1[x], next1[x]);
    const float v2 = blur_step<2>(drive, last2[x], next2[x]);
    next0[x] = v0;
    next1[x] = v1;
    next2[x] = v2;
    out[x] = blur_sum(v0, v1, v2);
  }
}

/// Blurs the columns of a plane, a row per step.
class ColumnBlur {
 public:
  explicit ColumnBlur(int max_width) {
    for (auto* rows : {&last_, &before_}) {
      for (auto& row : *rows) row.resize(static_cast<std::size_t>(max_width));
    }
  }

  /// Begins a plane.
  void start() {
    for (auto* rows : {&last_, &before_}) {
      for (auto& row : *rows) std::ranges::fill(row, 0.0F);
    }
  }

  /// `behind` and `ahead` are the rows kBlurBehind before and kBlurAhead after the row that goes to
  /// `out`.
  void step(const float* behind, const float* ahead, int width, float* out) {
    blur_columns(behind, ahead, width, last_[0].data(), last_[1].data(), last_[2].data(),
                 before_[0].data(), before_[1].data(), before_[2].data(), out);
    last_.swap(before_);
  }

 private:
  // A row of values of each recursion: the last ones, and those before.
  std::array<std::vector<float>, kRecursions> last_;
  std::array<std::vector<float>, kRecursions> before_;
};

}  // namespace hipvmaf::ssimulacra2
