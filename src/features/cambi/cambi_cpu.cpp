#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "features/cambi/cambi.hpp"
#include "features/cambi/cambi_contrast.hpp"
#include "features/cambi/cambi_heatmaps.hpp"
#include "features/cambi/cambi_mask.hpp"
#include "features/cambi/cambi_pooling.hpp"
#include "features/cambi/cambi_preprocess.hpp"
#include "features/cambi/cambi_scales.hpp"

namespace hipvmaf::cambi {
namespace {

std::size_t area(Size size) {
  return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
}

/// A value of CambiRaw::deep_row. Deeper samples than the format says would make no sense as
/// levels, nor be safe as such.
std::uint32_t deep_row_of(const PlaneView<const std::uint16_t>& luma, int bit_depth) {
  if (bit_depth == 16) return 0;
  for (int y = 0; y < luma.height; ++y) {
    const std::uint16_t* row = luma.row(y);
    std::uint16_t all = 0;
    for (int x = 0; x < luma.width; ++x) all = static_cast<std::uint16_t>(all | row[x]);
    if (all > largest_sample(bit_depth)) return static_cast<std::uint32_t>(y) + 1;
  }
  return 0;
}

std::uint32_t deep_row_of(const PlaneView<const std::uint8_t>&, int) { return 0; }

/// Measures one of the two pictures.
class Analyser {
 public:
  Analyser(const Analysis& analysis, const Settings& settings, const PictureFormat& format)
      : size_(analysis.size),
        starts_at_half_size_(settings.starts_at_half_size),
        pooled_share_(settings.pooled_share),
        preprocessor_(format, size_, settings.smooths_dither),
        flatness_(size_),
        mode_filter_(size_.width),
        levels_(area(size_)),
        mask_(area(size_)),
        contrasts_(area(size_at_scale(size_, starts_at_half_size_, 0))),
        meter_(make_contrast_meter(size_at_scale(size_, starts_at_half_size_, 0).width,
                                   analysis.radius,
                                   visible_steps(settings.eotf, settings.visibility_threshold,
                                                 settings.luminance_threshold, settings.steps))) {}

  /// `heatmaps` may be null.
  template <class Sample>
  std::array<CambiSum, kScales> measure(const PlaneView<const Sample>& luma, std::int64_t frame,
                                        HeatmapOutput* heatmaps) {
    PlaneView<std::uint16_t> levels{levels_.data(), size_.width, size_.height, size_.width};
    PlaneView<std::uint8_t> mask{mask_.data(), size_.width, size_.height, size_.width};
    preprocessor_.run(luma, levels);
    flatness_.run(read_only(levels), mask);

    std::array<CambiSum, kScales> sums;
    for (int scale = 0; scale < kScales; ++scale) {
      if (scale > 0 || starts_at_half_size_) {
        keep_even(levels);
        keep_even(mask);
      }
      mode_filter_.run(levels);
      const Size size{levels.width, levels.height};
      const std::span contrasts = std::span(contrasts_).first(area(size));
      meter_->measure(read_only(levels), read_only(mask), contrasts);
      if (heatmaps != nullptr) heatmaps->write(scale, frame, contrasts);
      sums[static_cast<std::size_t>(scale)] =
          sum_of_largest(contrasts, pooled_count(pooled_share_, size));
    }
    return sums;
  }

 private:
  template <class Value>
  static PlaneView<const Value> read_only(const PlaneView<Value>& plane) {
    return {plane.data, plane.width, plane.height, plane.stride};
  }

  Size size_;
  bool starts_at_half_size_;
  double pooled_share_;
  Preprocessor preprocessor_;
  FlatnessMask flatness_;
  ModeFilter mode_filter_;
  std::vector<std::uint16_t> levels_;
  std::vector<std::uint8_t> mask_;
  std::vector<float> contrasts_;
  std::unique_ptr<ContrastMeter> meter_;
};

template <class Sample>
class CpuStage final : public PixelStageOf<CambiRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : CpuStage(options, format, effective_settings(options, format)) {}

 protected:
  CambiRaw measure(const FrameWindow& window) override {
    const Frame& frame = window.current();
    CambiRaw raw{};
    raw.deep_row[kDistorted] = deep_row_of(luma_of(frame.distorted), bit_depth_);
    if (reference_) raw.deep_row[kReference] = deep_row_of(luma_of(frame.reference), bit_depth_);
    if (raw.deep_row[kDistorted] != 0 || raw.deep_row[kReference] != 0) return raw;
    raw.distorted = distorted_.measure(luma_of(frame.distorted), frame.index,
                                       heatmaps_ ? &*heatmaps_ : nullptr);
    if (reference_) {
      raw.reference = reference_->measure(luma_of(frame.reference), frame.index, nullptr);
    }
    return raw;
  }

 private:
  CpuStage(const OptionValues& options, const PictureFormat& format, const Settings& settings)
      : bit_depth_(format.bit_depth), distorted_(settings.distorted, settings, format) {
    if (options.flag("full_ref")) reference_.emplace(settings.reference, settings, format);
    heatmaps_ = HeatmapOutput::of(options, settings);
  }

  static PlaneView<const Sample> luma_of(const Picture& picture) {
    return picture.plane<Sample>(0);
  }

  int bit_depth_;
  Analyser distorted_;
  std::optional<Analyser> reference_;
  std::optional<HeatmapOutput> heatmaps_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::cambi
