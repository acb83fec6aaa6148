// From a picture to the small picture that SpEED's statistics are of: prescale, low-pass and
// decimation by 16, removal of the local mean.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/float_luma_math.hpp"
#include "features/options.hpp"
#include "features/resample/resample.hpp"
#include "features/speed/speed_geometry.hpp"
#include "features/speed/speed_math.hpp"

namespace hipvmaf::speed {

/// A picture in single precision, made row by row when it is needed.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// The first `width` samples of row y, in 8-bit code values.
  virtual void read_row(int y, int width, float* out) const = 0;
};

/// A plane around mid-grey.
template <class Sample>
class CentredRows final : public RowSource {
 public:
  CentredRows(const PlaneView<const Sample>& plane, int bit_depth)
      : plane_(plane), unit_(luma_unit(bit_depth)) {}

  void read_row(int y, int width, float* out) const override {
    const Sample* row = plane_.row(y);
    for (int x = 0; x < width; ++x) out[x] = centred_sample(row[x], unit_);
  }

 private:
  PlaneView<const Sample> plane_;
  float unit_;
};

/// What a plane has lost since an earlier one.
template <class Sample>
class DifferenceRows final : public RowSource {
 public:
  DifferenceRows(const PlaneView<const Sample>& earlier, const PlaneView<const Sample>& current,
                 int bit_depth)
      : earlier_(earlier), current_(current), unit_(luma_unit(bit_depth)) {}

  void read_row(int y, int width, float* out) const override {
    const Sample* before = earlier_.row(y);
    const Sample* now = current_.row(y);
    for (int x = 0; x < width; ++x) out[x] = sample_difference(before[x], now[x], unit_);
  }

 private:
  PlaneView<const Sample> earlier_;
  PlaneView<const Sample> current_;
  float unit_;
};

/// Filters, for the kernel scale of the options.
[[nodiscard]] std::vector<float> low_pass_taps(const OptionValues& options);
[[nodiscard]] std::vector<float> local_mean_taps(const OptionValues& options);

/// Owns its scratch memory and serves one thread at a time.
class Decimator {
 public:
  Decimator(const OptionValues& options, const Geometry& geometry);

  /// The decimated picture less its local mean; valid until the next call.
  [[nodiscard]] PlaneView<const float> details_of(const RowSource& picture);

 private:
  void scale_source(const RowSource& picture);
  void read_scaled_row(const RowSource& picture, int y);
  void decimate(const RowSource& picture);
  void remove_local_mean();

  Geometry geometry_;
  std::vector<float> low_pass_;
  std::vector<float> local_mean_;
  std::optional<resample::Resampler> resampler_;
  std::vector<float> source_;  ///< The whole plane, if it is resampled.
  std::vector<float> row_;     ///< One row of the scaled plane.
  std::vector<float> vertical_;
  std::vector<float> decimated_;
  std::vector<float> details_;
};

}  // namespace hipvmaf::speed
