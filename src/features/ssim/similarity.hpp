// Mean luminance, contrast and structure similarity of two images: what float_ssim measures once
// and float_ms_ssim on each scale.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "features/ssim/similarity_math.hpp"

namespace hipvmaf {

/// Sums of the terms over the windows inside an image. Within a row they are added exactly
/// (similarity::fixed_point), the sums of rows in binary64 from the first row to the last.
struct SimilaritySums {
  double similarity = 0;
  double luminance = 0;
  double contrast = 0;
  double structure = 0;

  bool operator==(const SimilaritySums&) const = default;
};

namespace similarity {

/// Means of the terms; binary32 by definition.
struct Means {
  float similarity;
  float luminance;
  float contrast;
  float structure;
};

/// `width` and `height` are those of the image.
[[nodiscard]] Means means_of(const SimilaritySums& sums, int width, int height);

/// Measures image pairs row by row, in memory for a few rows.
class Meter {
 public:
  /// For images of at most `width` columns.
  explicit Meter(int width);

  /// Begins with an image pair of that width, at least kWindow.
  void begin(int width);
  /// Takes the next row of the images.
  void add_row(const float* reference, const float* distorted);
  /// Sums of the windows that are complete.
  [[nodiscard]] const SimilaritySums& sums() const { return sums_; }

 private:
  using Row = std::vector<float>;

  void add_map_row();

  std::size_t width_ = 0;
  std::size_t map_width_ = 0;
  std::size_t rows_ = 0;
  SimilaritySums sums_;
  std::array<Row, 3> products_;
  /// Horizontally filtered rows of each moment; row y is at y % kWindow.
  std::array<std::array<Row, kWindow>, kMoments> filtered_;
  std::array<Row, kMoments> moments_;
};

}  // namespace similarity
}  // namespace hipvmaf
