// From one scale to the next.
#pragma once

#include <cstdint>
#include <vector>

#include <hipvmaf/picture.hpp>

namespace hipvmaf::cambi {

/// Keeps the even rows and columns, in place; the view gets the new size and keeps its stride.
template <class Value>
void keep_even(PlaneView<Value>& plane) {
  plane.width = (plane.width + 1) / 2;
  plane.height = (plane.height + 1) / 2;
  for (int y = 0; y < plane.height; ++y) {
    const Value* from = plane.row(2 * y);
    Value* to = plane.row(y);
    for (int x = 0; x < plane.width; ++x) to[x] = from[2 * x];
  }
}

/// Replaces values by the mode of three neighbours: along rows, then along columns. The first and
/// last column are only filtered along the column, the first and last row not at all.
class ModeFilter {
 public:
  explicit ModeFilter(int largest_width);

  /// In place.
  void run(const PlaneView<std::uint16_t>& plane);

 private:
  int width_;
  std::vector<std::uint16_t> rows_;  ///< The latest three, filtered along the row.
};

}  // namespace hipvmaf::cambi
