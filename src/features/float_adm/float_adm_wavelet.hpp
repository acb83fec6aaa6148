// One level of the wavelet transform (Daubechies, four taps) in binary32, row by row.
#pragma once

#include <array>
#include <vector>

#include "features/adm/adm_geometry.hpp"

namespace hipvmaf::float_adm {

class RowTransform {
 public:
  /// At least 3 columns.
  explicit RowTransform(int input_width);

  /// Row y of the bands from the input rows 2y-1 .. 2y+2 (see mirrored()). H and D are written in
  /// the columns of `detail` only, which may be empty; V comes along with A in all columns.
  void run(const std::array<const float*, 4>& rows, adm::ColumnRange detail,
           const adm::BandRow<float>& bands);

 private:
  /// A row of a vertical filter's output, with one more column on the left and two on the right.
  using Line = std::vector<float>;

  void filter_down(const std::array<const float*, 4>& rows, bool with_detail);
  void filter_across(Line& line, adm::ColumnRange outputs, float* low, float* high);

  int width_;
  Line low_;
  Line high_;
  // A line with its even and its odd columns apart, so that the horizontal filters read contiguous
  // memory: odd_[n] is column 2n-1.
  Line even_;
  Line odd_;
};

}  // namespace hipvmaf::float_adm
