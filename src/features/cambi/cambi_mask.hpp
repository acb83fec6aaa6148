// Finds the flat areas, the only ones where banding is looked for.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/cambi/cambi_settings.hpp"

namespace hipvmaf::cambi {

/// How many pixels of a 7x7 square have to equal their neighbours for its centre to count as flat:
/// more than this. Grows with the picture.
[[nodiscard]] int flatness_threshold(Size size);

class FlatnessMask {
 public:
  explicit FlatnessMask(Size size);

  /// Sets mask to 1 where the picture is flat and to 0 elsewhere. Both have the size given before.
  void run(const PlaneView<const std::uint16_t>& picture, const PlaneView<std::uint8_t>& mask);

 private:
  static constexpr int kReach = 3;  ///< Of the square around a pixel.
  static constexpr int kRows = 2 * kReach + 1;

  [[nodiscard]] std::uint8_t* equal_row(int y);
  void add_row(const PlaneView<const std::uint16_t>& picture, int y);

  Size size_;
  int threshold_;
  /// Of the latest kRows rows: 1 where a pixel equals its right and lower neighbours.
  std::vector<std::uint8_t> equal_;
  /// Sums of equal_ over the rows around the current one, with kReach zeros on either side.
  std::vector<std::uint8_t> column_sums_;
};

}  // namespace hipvmaf::cambi
