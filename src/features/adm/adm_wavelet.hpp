// One level of the fixed-point wavelet transform (Daubechies, four taps), row by row.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "features/adm/adm_scales.hpp"

namespace hipvmaf::adm {

/// Transforms rows of `Input`: picture samples (uint8_t, uint16_t), or the A band of scale 0
/// (int16_t) or a coarser one (int32_t).
template <class Input>
class RowTransform {
 public:
  static constexpr bool kPicture = std::is_unsigned_v<Input>;
  using Coefficient = std::conditional_t<kPicture, std::int16_t, std::int32_t>;

  /// At least 3 columns.
  RowTransform(int input_width, WaveletShifts shifts);

  /// Row y of the bands from the input rows 2y-1 .. 2y+2 (see mirrored()). Of the detail bands only
  /// the columns of `detail` are written, none if it is empty.
  void run(const std::array<const Input*, 4>& rows, ColumnRange detail,
           const BandRow<Coefficient>& bands);

 private:
  using Sum = std::conditional_t<kPicture, std::int32_t, std::int64_t>;

  void filter_down(const std::array<const Input*, 4>& rows, bool with_detail);
  void split(std::vector<Coefficient>& line, ColumnRange outputs);

  int width_;
  WaveletShifts shifts_;
  // Rows of the vertical filters' output, with one more column on the left and two on the right.
  std::vector<Coefficient> low_;
  std::vector<Coefficient> high_;
  // One of them with its even and its odd columns apart, so that the horizontal filters read
  // contiguous memory: odd_[n] is column 2n-1.
  std::vector<Coefficient> even_;
  std::vector<Coefficient> odd_;
};

extern template class RowTransform<std::uint8_t>;
extern template class RowTransform<std::uint16_t>;
extern template class RowTransform<std::int16_t>;
extern template class RowTransform<std::int32_t>;

}  // namespace hipvmaf::adm
