// The planes that float_motion compares: blurred ones, and those at half their size.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/motion/float_motion_math.hpp"

namespace hipvmaf::float_motion {

class PlanePool;

/// Samples in binary32, without padding between rows.
class FloatPlane {
 public:
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] float* row(int y) { return samples_.get() + offset(y); }
  [[nodiscard]] const float* row(int y) const { return samples_.get() + offset(y); }

 private:
  friend class PlanePool;

  using Memory = std::unique_ptr<float[]>;
  /// Planes' memory that waits for use.
  struct Idle {
    std::mutex mutex;
    std::vector<Memory> planes;
  };
  struct GiveBack {
    std::shared_ptr<Idle> idle;
    void operator()(float* samples) const;
  };

  FloatPlane(int width, int height, std::unique_ptr<float[], GiveBack> samples)
      : width_(width), height_(height), samples_(std::move(samples)) {}

  [[nodiscard]] std::size_t offset(int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
  }

  int width_;
  int height_;
  std::unique_ptr<float[], GiveBack> samples_;
};

/// Makes planes of one size, and takes their memory back, from any thread, for the next ones: fresh
/// memory for each frame costs more time than a blur. Planes may outlive it.
class PlanePool {
 public:
  PlanePool(int width, int height);
  /// A plane with undefined samples.
  [[nodiscard]] FloatPlane acquire() const;

 private:
  int width_;
  int height_;
  std::shared_ptr<FloatPlane::Idle> idle_;
};

/// Blurs one plane of pictures. Owns scratch rows and serves one thread at a time.
class Blur {
 public:
  /// `taps` is 1, 3 or 5; the scored part of the plane is at least 3x3.
  Blur(int taps, const PictureFormat& format, int plane);

  /// The scored part of the picture's plane, blurred.
  FloatPlane operator()(const Picture& picture);

 private:
  template <class Sample, int kTaps>
  FloatPlane blur(const Picture& picture);
  template <int kTaps>
  void filter_row(int y, FloatPlane& blurred);
  [[nodiscard]] float* centred_row(int y);

  int taps_;
  int plane_;
  std::size_t width_;
  float code_value_;
  PlanePool pool_;
  std::vector<float> centred_;   // the last `taps` rows
  std::vector<float> filtered_;  // one row after the vertical pass, with borders
};

/// Scales planes of one size to half of it.
class Halving {
 public:
  Halving(int width, int height);
  [[nodiscard]] FloatPlane operator()(const FloatPlane& plane) const;

 private:
  PlanePool pool_;
  std::vector<HalvedPosition> columns_;
  std::vector<HalvedPosition> rows_;
};

/// Sum of the absolute differences of two planes of equal size: within each row from left to right,
/// then row by row.
[[nodiscard]] float absolute_difference(const FloatPlane& a, const FloatPlane& b);

}  // namespace hipvmaf::float_motion
