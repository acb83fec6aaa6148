// Strips: kStripRows rows of a plane, stored column by column. Row r of column x is at x *
// kStripRows + r, so that recursions along the rows run side by side in vector lanes.
#pragma once

#include <cstddef>
#include <vector>

namespace hipvmaf::ssimulacra2 {

inline constexpr int kStripRows = 8;

[[nodiscard]] constexpr std::size_t strip_size(int width) {
  return static_cast<std::size_t>(width) * kStripRows;
}
[[nodiscard]] constexpr int strip_count(int height) {
  return (height + kStripRows - 1) / kStripRows;
}

/// A plane made of strips; rows below the last one of the plane have unspecified values.
class StripPlane {
 public:
  StripPlane(int width, int height)
      : strip_size_(strip_size(width)),
        values_(strip_size_ * static_cast<std::size_t>(strip_count(height))) {}

  [[nodiscard]] float* strip(int index) {
    return values_.data() + strip_size_ * static_cast<std::size_t>(index);
  }

 private:
  std::size_t strip_size_;
  std::vector<float> values_;
};

}  // namespace hipvmaf::ssimulacra2
