#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/ssim/ssim.hpp"
#include "features/ssim/ssim_rows.hpp"

namespace hipvmaf::ssim {
namespace {

/// Samples and products whose window sums are taken, in the order of SumRows.
constexpr std::size_t kMaps = 5;

template <class Sample>
class CpuStage final : public PixelStageOf<SsimRaw> {
 public:
  explicit CpuStage(const PictureFormat& format)
      : width_(static_cast<std::size_t>(format.width)),
        height_(format.height),
        stabilisers_(stabilisers_of(format.bit_depth)),
        outside_(width_),
        column_sums_(width_ + 2 * static_cast<std::size_t>(kRadius)),
        terms_(width_) {
    for (auto& rows : maps_) {
      for (Row& row : rows) row.resize(width_);
    }
    for (auto& row : sums_) row.resize(width_);
    for (int x = 0; x < format.width; ++x) weights_.push_back(inside_weight(x, format.width));
  }

 protected:
  SsimRaw measure(const FrameWindow& window) override {
    const auto reference = window.current().reference.plane<Sample>(0);
    const auto distorted = window.current().distorted.plane<Sample>(0);
    double total = 0;
    int ready = 0;  // rows whose samples and products are in maps_
    for (int y = 0; y < height_; ++y) {
      for (; ready < std::min(y + kRadius + 1, height_); ++ready)
        fill_maps(reference.row(ready), distorted.row(ready), slot_of(ready));
      for (std::size_t map = 0; map < kMaps; ++map) sum_windows(y, map);
      find_terms(
          {sums_[0].data(), sums_[1].data(), sums_[2].data(), sums_[3].data(), sums_[4].data()},
          weights_.data(), inside_weight(y, height_), stabilisers_, width_, terms_.data());
      for (const double term : terms_) total += term;
    }
    return {total};
  }

 private:
  using Real = RealOf<Sample>;
  using Row = std::vector<Real>;

  static std::size_t slot_of(int y) { return static_cast<std::size_t>(y) % kWindowRows; }

  void fill_maps(const Sample* reference, const Sample* distorted, std::size_t slot) {
    Real* r = maps_[0][slot].data();
    Real* d = maps_[1][slot].data();
    convert_row(reference, width_, r);
    convert_row(distorted, width_, d);
    multiply_row(r, r, width_, maps_[2][slot].data());
    multiply_row(r, d, width_, maps_[3][slot].data());
    multiply_row(d, d, width_, maps_[4][slot].data());
  }

  void sum_windows(int y, std::size_t map) {
    WindowRows<Real> rows;
    for (int k = -kRadius; k <= kRadius; ++k) {
      const bool inside = y + k >= 0 && y + k < height_;
      rows[static_cast<std::size_t>(k + kRadius)] =
          inside ? maps_[map][slot_of(y + k)].data() : outside_.data();
    }
    double* columns = column_sums_.data() + kRadius;
    sum_columns(rows, width_, columns);
    sum_row(columns, width_, sums_[map].data());
  }

  std::size_t width_;
  int height_;
  Stabilisers stabilisers_;
  std::vector<double> weights_;  ///< Of the columns.
  std::array<std::array<Row, kWindowRows>, kMaps> maps_;
  Row outside_;                      ///< Zeros, for rows outside the picture.
  std::vector<double> column_sums_;  ///< With kRadius zeros at both ends.
  std::array<std::vector<double>, kMaps> sums_;
  std::vector<double> terms_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues&, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(format);
  return std::make_unique<CpuStage<std::uint16_t>>(format);
}

}  // namespace hipvmaf::ssim
