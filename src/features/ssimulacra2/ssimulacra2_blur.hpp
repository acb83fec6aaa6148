// The recursive Gaussian on CPUs: along the rows of a strip, one row per vector lane, and down the
// columns of a plane, one column per lane.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
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
      out[row] = (v0 + v1) + v2;
    }
    behind += kRows;
    ahead += kRows;
    out += kRows;
  }
}

/// Blurs the columns of a plane, a row per step.
class ColumnBlur {
 public:
  explicit ColumnBlur(int max_width)
      : states_(2 * kRecursions * static_cast<std::size_t>(max_width)) {}

  void start(int width) {
    width_ = static_cast<std::size_t>(width);
    for (std::size_t i = 0; i < 2 * kRecursions * width_; ++i) states_[i] = 0;
    newer_ = 0;
  }

  /// `behind` and `ahead` are the rows kBlurBehind before and kBlurAhead after the row that goes to
  /// `out`.
  void step(const float* behind, const float* ahead, float* __restrict out) {
    const std::size_t older = kRecursions - newer_;
    const float* last0 = states_.data() + newer_ * width_;
    const float* last1 = last0 + width_;
    const float* last2 = last1 + width_;
    float* __restrict next0 =
        states_.data() + older * width_;  // before the last, until overwritten
    float* __restrict next1 = next0 + width_;
    float* __restrict next2 = next1 + width_;
    for (std::size_t x = 0; x < width_; ++x) {
      const float drive = behind[x] + ahead[x];
      const float v0 = blur_step<0>(drive, last0[x], next0[x]);
      const float v1 = blur_step<1>(drive, last1[x], next1[x]);
      const float v2 = blur_step<2>(drive, last2[x], next2[x]);
      next0[x] = v0;
      next1[x] = v1;
      next2[x] = v2;
      out[x] = (v0 + v1) + v2;
    }
    newer_ = older;
  }

 private:
  std::size_t width_ = 0;
  // Rows of the last values and of those before, by turns in the first and second half.
  std::vector<float> states_;
  std::size_t newer_ = 0;
};

}  // namespace hipvmaf::ssimulacra2
