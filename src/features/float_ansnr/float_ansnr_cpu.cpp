#include <algorithm>
#include <vector>

#include "features/border_math.hpp"
#include "features/float_ansnr/float_ansnr.hpp"
#include "features/float_ansnr/float_ansnr_math.hpp"
#include "features/float_luma_math.hpp"

namespace hipvmaf::float_ansnr {
namespace {

using Row = std::vector<float>;

/// Luma around mid-grey.
constexpr float kOffset = -128.0F;

/// Rows that are kept, enough for the larger filter.
constexpr int kKept = 2 * kDistortedRadius + 1;

std::size_t slot_of(int y) { return static_cast<std::size_t>(y % kKept); }

/// Filters both pictures row by row. Every picture row is filtered across once for each kind of
/// filter row; an output row adds up the results of the rows around it.
template <class Sample>
class CpuStage final : public PixelStageOf<FloatAnsnrRaw> {
 public:
  explicit CpuStage(const PictureFormat& format)
      : width_(format.width),
        height_(format.height),
        unit_(luma_unit(format.bit_depth)),
        luma_(static_cast<std::size_t>(width_ + 2 * kDistortedRadius)) {
    const auto width = static_cast<std::size_t>(width_);
    for (Row& row : reference_) row.resize(width);
    for (auto* rows : {&outer_, &inner_, &middle_}) {
      for (Row& row : *rows) row.resize(width);
    }
    signal_.resize(width);
    noise_.resize(width);
  }

 protected:
  FloatAnsnrRaw measure(const FrameWindow& window) override {
    const auto reference = window.current().reference.plane<Sample>(0);
    const auto distorted = window.current().distorted.plane<Sample>(0);
    FloatAnsnrRaw sums{};
    int next = 0;
    for (int y = 0; y < height_; ++y) {
      for (; next <= std::min(y + kDistortedRadius, height_ - 1); ++next) {
        filter_reference(reference.row(next), next);
        filter_distorted(distorted.row(next), next);
      }
      compare_row(y);
      add_row(sums);
    }
    return sums;
  }

 private:
  /// The row as floats, continued at both ends; the pointer is to its first sample.
  const float* load(const Sample* samples) {
    float* row = luma_.data() + kDistortedRadius;
    to_float_luma(samples, width_, unit_, kOffset, row);
    for (int i = 1; i <= kDistortedRadius; ++i) {
      row[-i] = row[mirrored(-i, width_)];
      row[width_ - 1 + i] = row[mirrored(width_ - 1 + i, width_)];
    }
    return row;
  }

  void filter_reference(const Sample* samples, int y) {
    const float* in = load(samples);
    float* __restrict out = reference_[slot_of(y)].data();
    for (int x = 0; x < width_; ++x) out[x] = smooth_reference_row(in[x - 1], in[x], in[x + 1]);
  }

  void filter_distorted(const Sample* samples, int y) {
    const float* in = load(samples);
    float* __restrict outer = outer_[slot_of(y)].data();
    float* __restrict inner = inner_[slot_of(y)].data();
    float* __restrict middle = middle_[slot_of(y)].data();
    for (int x = 0; x < width_; ++x) {
      outer[x] = smooth_outer_row(in[x - 2], in[x - 1], in[x], in[x + 1], in[x + 2]);
      inner[x] = smooth_inner_row(in[x - 2], in[x - 1], in[x], in[x + 1], in[x + 2]);
      middle[x] = smooth_middle_row(in[x - 2], in[x - 1], in[x], in[x + 1], in[x + 2]);
    }
  }

  /// Squares of signal and noise along row y.
  void compare_row(int y) {
    const auto at = [&](const std::array<Row, kKept>& rows, int row) {
      return rows[slot_of(mirrored(row, height_))].data();
    };
    const float* ref_above = at(reference_, y - 1);
    const float* ref_here = at(reference_, y);
    const float* ref_below = at(reference_, y + 1);
    const float* outer_above = at(outer_, y - 2);
    const float* inner_above = at(inner_, y - 1);
    const float* here = at(middle_, y);
    const float* inner_below = at(inner_, y + 1);
    const float* outer_below = at(outer_, y + 2);
    float* __restrict signal = signal_.data();
    float* __restrict noise = noise_.data();
    for (int x = 0; x < width_; ++x) {
      const float smooth = smooth_reference(ref_above[x], ref_here[x], ref_below[x]);
      const float smoother =
          outer_above[x] + inner_above[x] + here[x] + inner_below[x] + outer_below[x];
      const float difference = smooth - smoother;
      signal[x] = smooth * smooth;
      noise[x] = difference * difference;
    }
  }

  void add_row(FloatAnsnrRaw& sums) const {
    FloatAnsnrRaw row{};
    for (std::size_t x = 0; x < signal_.size(); ++x) {
      row.signal += signal_[x];
      row.noise += noise_[x];
    }
    sums.signal += row.signal;
    sums.noise += row.noise;
  }

  int width_;
  int height_;
  float unit_;
  Row luma_;
  std::array<Row, kKept> reference_;
  std::array<Row, kKept> outer_;
  std::array<Row, kKept> inner_;
  std::array<Row, kKept> middle_;
  Row signal_;
  Row noise_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& /*options*/,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(format);
  return std::make_unique<CpuStage<std::uint16_t>>(format);
}

}  // namespace hipvmaf::float_ansnr
