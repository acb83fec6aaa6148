// Error maps of one channel of one scale, and their sums.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "features/ssimulacra2/ssimulacra2.hpp"
#include "features/ssimulacra2/ssimulacra2_blur.hpp"
#include "features/ssimulacra2/ssimulacra2_weights.hpp"

namespace hipvmaf::ssimulacra2 {

/// Takes a channel of both pictures strip by strip, from the top, and sums its errors. The blur
/// needs few rows around each one, so only the latest strips are kept. Serves one thread at a time.
class ChannelMeter {
 public:
  explicit ChannelMeter(int max_width);

  /// Begins a scale.
  void start(int width, int height, Needs needs);
  /// The next strip; its last rows do not count if the plane ends before.
  void push(const float* reference, const float* distorted);
  /// Complete after the last strip.
  [[nodiscard]] const Ssimulacra2Sums& sums() const { return sums_; }

 private:
  // Planes that are blurred; the products only for the structural error.
  enum Plane : std::size_t { kMeanR, kMeanD, kSquareR, kSquareD, kProduct, kPlanes };
  static constexpr int kKeptRows = 3 * kStripRows;

  using Ring = std::vector<float>;  // row y of a plane is at y modulo kKeptRows

  [[nodiscard]] float* ring_row(Ring& ring, int y) const {
    return ring.data() + static_cast<std::size_t>(y % kKeptRows) * static_cast<std::size_t>(width_);
  }
  [[nodiscard]] std::span<ColumnBlur> active_columns() {
    return std::span(columns_).first(needs_.structure ? kPlanes : kSquareR);
  }
  void blur_into_ring(Ring& ring);
  void store_rows(const float* strip, Ring& ring) const;
  void advance(int y);
  void sum_row(int y);

  int width_ = 0;
  int height_ = 0;
  Needs needs_;
  int pushed_rows_ = 0;
  int next_row_ = 0;
  Ssimulacra2Sums sums_{};

  std::vector<float> padded_;   // the strip to be blurred
  std::vector<float> blurred_;  // and the result
  Ring reference_;
  Ring distorted_;
  std::array<Ring, kPlanes> rows_;  // blurred along the rows
  std::vector<ColumnBlur> columns_;
  std::vector<float> no_row_;                       // of zeros, beyond the borders
  std::array<std::vector<float>, kPlanes> smooth_;  // a row blurred in both directions
  std::array<std::vector<double>, 3> errors_;       // and its errors
};

}  // namespace hipvmaf::ssimulacra2
