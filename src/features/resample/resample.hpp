// Scaling of single-precision planes, as the prescale options of float_vif and of the SpEED metrics
// define it (not of general use: bilinear enlarging extrapolates at the left and top border).
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/resample/resample_math.hpp"

namespace hipvmaf::resample {

/// Names of the methods, for messages.
inline constexpr std::string_view kMethodNames = "nearest, bilinear, bicubic or lanczos4";

/// Nothing if no method has this name.
[[nodiscard]] std::optional<Method> find_method(std::string_view name);

/// Width or height of a picture scaled by `scale`, rounded to the nearest sample.
[[nodiscard]] int scaled_side(int side, double scale);

/// Smallest width and height that a method can scale: the taps may pass the border by no more than
/// the picture's size.
[[nodiscard]] int smallest_source_side(Method method);

/// Taps of all output positions along one axis.
class AxisTable {
 public:
  /// From `from` to `to` samples; 1/4 <= from / to, and from >= smallest_source_side(method).
  AxisTable(Method method, int from, int to);

  [[nodiscard]] AxisView view() const {
    return {sources_.data(), weights_.data(), static_cast<std::ptrdiff_t>(positions_)};
  }

 private:
  void set(int tap, std::size_t position, int source, float weight);
  void set_bilinear(std::size_t position, float at, int from);
  void set_window(Method method, std::size_t position, float at, int from);

  std::size_t positions_;
  std::vector<int> sources_;
  std::vector<float> weights_;
};

/// Scales planes of one size to another, row by row. Owns its scratch memory and serves one thread
/// at a time.
class Resampler {
 public:
  /// Sizes in samples, at least 1; see AxisTable for the limits.
  Resampler(Method method, int from_width, int from_height, int to_width, int to_height);

  /// Turns to a plane of the source size, which must stay as it is until the last of its rows is
  /// made.
  void begin(const PlaneView<const float>& from);
  /// Row y of the scaled plane, to_width samples. Rows in ascending order are the fastest.
  void make_row(int y, float* out);

 private:
  static constexpr int kNone = -1;

  /// The samples of a source row under each tap of each output column, laid out like
  /// AxisView::sources: fetched once for all output rows that the row is a part of, so that their
  /// sums run over contiguous memory.
  struct SpreadRow {
    int source = kNone;
    std::vector<float> samples;
  };

  [[nodiscard]] const float* spread(int source);
  template <Method kMethod>
  void make_row_by(int y, float* out);

  Method method_;
  AxisTable columns_;
  AxisTable rows_;
  PlaneView<const float> from_;
  /// Row r is at r % kMostTaps: the rows of a window are neighbours, so they do not collide.
  std::array<SpreadRow, kMostTaps> spread_;
  std::vector<float> weight_sums_;
};

}  // namespace hipvmaf::resample
