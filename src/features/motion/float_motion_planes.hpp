// The planes that float_motion compares: blurred ones, and those at half their size.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/motion/float_motion_math.hpp"

namespace hipvmaf::float_motion {

/// Samples in binary32, without padding between rows; not initialised.
class FloatPlane {
 public:
  FloatPlane(int width, int height)
      : width_(width),
        height_(height),
        samples_(std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(width) *
                                                         static_cast<std::size_t>(height))) {}

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] float* row(int y) { return samples_.get() + offset(y); }
  [[nodiscard]] const float* row(int y) const { return samples_.get() + offset(y); }

 private:
  [[nodiscard]] std::size_t offset(int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
  }

  int width_;
  int height_;
  std::unique_ptr<float[]> samples_;
};

/// Blurs planes of pictures. Owns scratch rows and serves one thread at a time.
class Blur {
 public:
  /// `taps` is 1, 3 or 5, `max_width` the largest width of a plane.
  Blur(int taps, int max_width, int bit_depth);

  /// The scored part of a plane of the picture, at least 3x3, blurred.
  FloatPlane operator()(const Picture& picture, int plane);

 private:
  template <class Sample, int kTaps>
  FloatPlane blur(const Picture& picture, int plane);
  template <int kTaps>
  void filter_row(int y, FloatPlane& plane);
  [[nodiscard]] float* centred_row(int y);

  int taps_;
  float code_value_;
  std::size_t row_samples_;
  std::vector<float> centred_;   // the last `taps` rows
  std::vector<float> filtered_;  // one row after the vertical pass, with borders
};

/// Scales planes of one size to half of it.
class Halving {
 public:
  Halving(int width, int height);
  [[nodiscard]] FloatPlane operator()(const FloatPlane& plane) const;

 private:
  std::vector<HalvedPosition> columns_;
  std::vector<HalvedPosition> rows_;
};

/// Sum of the absolute differences of two planes of equal size: within each row from left to right,
/// then row by row.
[[nodiscard]] float absolute_difference(const FloatPlane& a, const FloatPlane& b);

}  // namespace hipvmaf::float_motion
