#include "features/cambi/cambi_mask.hpp"

#include <algorithm>
#include <bit>

namespace hipvmaf::cambi {
namespace {

// Neighbours beyond the right edge count as equal.
void compare_with_neighbours(const std::uint16_t* row, const std::uint16_t* below, int width,
                             std::uint8_t* equal) {
  for (int x = 0; x + 1 < width; ++x) {
    equal[x] = static_cast<std::uint8_t>((row[x] == row[x + 1]) & (row[x] == below[x]));
  }
  equal[width - 1] = static_cast<std::uint8_t>(row[width - 1] == below[width - 1]);
}

void add_rows(const std::uint8_t* row, int width, std::uint8_t* sums) {
  for (int x = 0; x < width; ++x) sums[x] = static_cast<std::uint8_t>(sums[x] + row[x]);
}

void subtract_rows(const std::uint8_t* row, int width, std::uint8_t* sums) {
  for (int x = 0; x < width; ++x) sums[x] = static_cast<std::uint8_t>(sums[x] - row[x]);
}

// Compares the sum of seven neighbours with the threshold.
void threshold_row(const std::uint8_t* s, int width, std::uint8_t threshold, std::uint8_t* mask) {
  for (int x = 0; x < width; ++x) {
    const auto sum = static_cast<std::uint8_t>(s[x] + s[x + 1] + s[x + 2] + s[x + 3] + s[x + 4] +
                                               s[x + 5] + s[x + 6]);
    mask[x] = static_cast<std::uint8_t>(sum > threshold);
  }
}

}  // namespace

int flatness_threshold(Size size) {
  const auto blocks =
      static_cast<unsigned>(size.width / 64) * static_cast<unsigned>(size.height / 64);
  const int log2_blocks = blocks == 0 ? 0 : static_cast<int>(std::bit_width(blocks - 1));
  return (48 + 3 * (log2_blocks - 11)) / 2;
}

FlatnessMask::FlatnessMask(Size size)
    : size_(size),
      threshold_(flatness_threshold(size)),
      equal_(static_cast<std::size_t>(size.width) * kRows),
      column_sums_(static_cast<std::size_t>(size.width + 2 * kReach)) {}

std::uint8_t* FlatnessMask::equal_row(int y) {
  return equal_.data() + static_cast<std::ptrdiff_t>(y % kRows) * size_.width;
}

void FlatnessMask::add_row(const PlaneView<const std::uint16_t>& picture, int y) {
  std::uint8_t* equal = equal_row(y);
  const std::uint16_t* row = picture.row(y);
  // Those below the last row count as equal too.
  compare_with_neighbours(row, y + 1 < size_.height ? picture.row(y + 1) : row, size_.width, equal);
  add_rows(equal, size_.width, column_sums_.data() + kReach);
}

void FlatnessMask::run(const PlaneView<const std::uint16_t>& picture,
                       const PlaneView<std::uint8_t>& mask) {
  std::ranges::fill(column_sums_, std::uint8_t{0});
  for (int y = 0; y < std::min(kReach, size_.height); ++y) add_row(picture, y);
  for (int y = 0; y < size_.height; ++y) {
    if (y > kReach) {
      subtract_rows(equal_row(y - kReach - 1), size_.width, column_sums_.data() + kReach);
    }
    if (y + kReach < size_.height) add_row(picture, y + kReach);
    threshold_row(column_sums_.data(), size_.width, static_cast<std::uint8_t>(threshold_),
                  mask.row(y));
  }
}

}  // namespace hipvmaf::cambi
