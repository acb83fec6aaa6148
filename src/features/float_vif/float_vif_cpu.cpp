#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "features/float_luma_math.hpp"
#include "features/float_vif/float_vif.hpp"
#include "features/float_vif/float_vif_filters.hpp"
#include "features/float_vif/float_vif_rows.hpp"
#include "features/resample/resample.hpp"

namespace hipvmaf::float_vif {
namespace {

/// A picture of one scale.
class Plane {
 public:
  explicit Plane(Size size)
      : size_(size),
        samples_(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height)) {}

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] float* row(int y) {
    return samples_.data() + static_cast<std::ptrdiff_t>(y) * size_.width;
  }
  [[nodiscard]] const float* row(int y) const {
    return samples_.data() + static_cast<std::ptrdiff_t>(y) * size_.width;
  }
  [[nodiscard]] PlaneView<const float> view() const {
    return {samples_.data(), size_.width, size_.height, size_.width};
  }

 private:
  Size size_;
  std::vector<float> samples_;
};

struct PlanePair {
  explicit PlanePair(Size size) : reference(size), distorted(size) {}

  Plane reference;
  Plane distorted;
};

/// A row with room for its mirrored ends.
class PaddedRow {
 public:
  PaddedRow(std::size_t width, std::size_t radius) : radius_(radius), values_(width + 2 * radius) {}
  [[nodiscard]] float* data() { return values_.data() + radius_; }

 private:
  std::size_t radius_;
  std::vector<float> values_;
};

/// Rows that a stage works in, as wide as its pictures.
struct RowScratch {
  RowScratch(std::size_t width, std::size_t radius)
      : vertical(kMoments, PaddedRow(width, radius)),
        filtered(kMoments, std::vector<float>(width)),
        kept(width),
        available(width) {}

  static constexpr std::size_t kMoments = 5;
  /// Two means, two products of a picture with itself and the product of both: results of the
  /// vertical pass, then of the horizontal one.
  std::vector<PaddedRow> vertical;
  std::vector<std::vector<float>> filtered;
  std::vector<float> kept, available;
};

/// Pictures of all scales, from the size at which they are compared.
std::vector<PlanePair> make_scales(Size size) {
  std::vector<PlanePair> scales;
  scales.reserve(kScales);
  for (int s = 0; s < kScales; ++s) scales.emplace_back(Size{size.width >> s, size.height >> s});
  return scales;
}

Sources rows_around(const Plane& plane, int y, int radius) {
  Sources rows{};
  for (int k = 0; k <= 2 * radius; ++k) {
    rows[static_cast<std::size_t>(k)] =
        plane.row(resample::mirrored(y - radius + k, plane.size().height));
  }
  return rows;
}

template <class Sample>
class CpuStage final : public PixelStageOf<FloatVifRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : unit_(luma_unit(format.bit_depth)),
        skips_scale0_(options.flag("vif_skip_scale0")),
        vision_(make_vision(options.real("vif_sigma_nsq"), options.real("vif_enhn_gain_limit"))),
        filters_(make_filters(options.real("vif_kernelscale"))),
        scales_(make_scales(compared_size(options, format))),
        rows_(static_cast<std::size_t>(scales_[0].reference.size().width),
              static_cast<std::size_t>(filters_[0].radius())) {
    const Size from{format.width, format.height};
    const Size to = scales_[0].reference.size();
    if (from == to) return;
    const auto method = resample::find_method(options.get<std::string>("vif_prescale_method"));
    resampler_.emplace(*method, from.width, from.height, to.width, to.height);
    unscaled_.emplace(from);
  }

 protected:
  FloatVifRaw measure(const FrameWindow& window) override {
    const Frame& frame = window.current();
    load(frame.reference.plane<Sample>(0), scales_[0].reference);
    load(frame.distorted.plane<Sample>(0), scales_[0].distorted);
    FloatVifRaw raw;
    for (std::size_t s = 0; s < kScales; ++s) {
      if (s > 0) {
        halve(scales_[s - 1].reference, filters_[s], scales_[s].reference);
        halve(scales_[s - 1].distorted, filters_[s], scales_[s].distorted);
      }
      if (s > 0 || !skips_scale0_) raw.sums[s] = measure_scale(scales_[s], filters_[s]);
    }
    return raw;
  }

 private:
  /// Makes the picture of scale 0.
  void load(const PlaneView<const Sample>& from, Plane& to) {
    Plane& unscaled = unscaled_ ? *unscaled_ : to;
    for (int y = 0; y < from.height; ++y)
      to_float_luma(from.row(y), from.width, unit_, kLumaOffset, unscaled.row(y));
    if (!resampler_) return;
    resampler_->begin(unscaled_->view());
    for (int y = 0; y < to.size().height; ++y) resampler_->make_row(y, to.row(y));
  }

  /// Filters a picture and keeps its even rows and columns.
  void halve(const Plane& from, const Filter& filter, Plane& to) {
    float* vertical = rows_.vertical[0].data();
    float* filtered = rows_.filtered[0].data();
    for (int y = 0; y < to.size().height; ++y) {
      filter_row(filter, rows_around(from, 2 * y, filter.radius()), from.size().width, vertical);
      filter_horizontally(filter, vertical, from.size().width, filtered);
      float* row = to.row(y);
      for (std::ptrdiff_t x = 0; x < to.size().width; ++x) row[x] = filtered[2 * x];
    }
  }

  FloatVifSums measure_scale(const PlanePair& pictures, const Filter& filter) {
    const auto [width, height] = pictures.reference.size();
    FloatVifSums sums;
    for (int y = 0; y < height; ++y) {
      filter_moments(pictures, filter, y);
      const auto& m = rows_.filtered;
      inform_row({m[0].data(), m[1].data(), m[2].data(), m[3].data(), m[4].data()}, vision_, width,
                 rows_.kept.data(), rows_.available.data());
      sums.kept += sum_row(rows_.kept.data(), width);
      sums.available += sum_row(rows_.available.data(), width);
    }
    return sums;
  }

  /// Both passes of all moments for row y.
  void filter_moments(const PlanePair& pictures, const Filter& filter, int y) {
    const int width = pictures.reference.size().width;
    const Sources reference = rows_around(pictures.reference, y, filter.radius());
    const Sources distorted = rows_around(pictures.distorted, y, filter.radius());
    auto& v = rows_.vertical;
    filter_row(filter, reference, width, v[0].data());
    filter_row(filter, distorted, width, v[1].data());
    filter_products(filter, reference, distorted, width, {v[2].data(), v[3].data(), v[4].data()});
    for (std::size_t i = 0; i < v.size(); ++i)
      filter_horizontally(filter, v[i].data(), width, rows_.filtered[i].data());
  }

  float unit_;
  bool skips_scale0_;
  Vision vision_;
  Filters filters_;
  std::vector<PlanePair> scales_;
  RowScratch rows_;
  /// Only if the pictures are compared at another size than theirs.
  std::optional<resample::Resampler> resampler_;
  std::optional<Plane> unscaled_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_vif
