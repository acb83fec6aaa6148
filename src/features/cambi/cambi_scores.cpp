#include <algorithm>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "features/cambi/cambi.hpp"
#include "features/cambi/cambi_heatmaps.hpp"
#include "features/cambi/cambi_settings.hpp"

namespace hipvmaf::cambi {
namespace {

/// Score of one of the two pictures.
class IndexOf {
 public:
  IndexOf(const Analysis& analysis, const Settings& settings)
      : window_pixels_(window_side(analysis.radius) * window_side(analysis.radius)) {
    for (int scale = 0; scale < kScales; ++scale) {
      const Size size = size_at_scale(analysis.size, settings.starts_at_half_size, scale);
      pooled_[static_cast<std::size_t>(scale)] =
          static_cast<double>(pooled_count(settings.pooled_share, size));
    }
  }

  [[nodiscard]] double operator()(const std::array<CambiSum, kScales>& sums) const {
    double weighted = 0;
    for (std::size_t scale = 0; scale < kScales; ++scale) {
      const double weight = 1 << (kScales - 1 - static_cast<int>(scale));
      weighted += to_double(sums[scale]) / pooled_[scale] * weight;
    }
    return weighted / window_pixels_;
  }

 private:
  // Both terms are exact, so the sum is rounded once.
  static double to_double(const CambiSum& sum) {
    return static_cast<double>(sum.units) +
           static_cast<double>(sum.fraction) / static_cast<double>(1 << kFractionBits);
  }

  double window_pixels_;
  std::array<double, kScales> pooled_{};
};

void require_depth(const CambiRaw& raw, int bit_depth, std::int64_t frame) {
  for (const Which which : {kDistorted, kReference}) {
    if (raw.deep_row[which] == 0) continue;
    throw Error(
        ErrorCode::bad_input,
        fmt::format("frame {}: row {} of the {} luma has samples above {}, the largest of "
                    "{} bits; check the bit depth of the input",
                    frame, raw.deep_row[which] - 1, which == kDistorted ? "distorted" : "reference",
                    largest_sample(bit_depth), bit_depth));
  }
}

class Scores final : public ScalarStageOf<CambiRaw> {
 public:
  Scores(const OptionValues& options, const Settings& settings, int bit_depth)
      : bit_depth_(bit_depth),
        distorted_(settings.distorted, settings),
        reference_(settings.reference, settings),
        limit_(options.real("cambi_max_val")) {
    if (const auto& folder = options.get<std::string>("heatmaps_path"); !folder.empty())
      heatmaps_ = HeatmapWriter::open(folder, settings.distorted.size);
  }

 protected:
  void push(std::int64_t frame, const CambiRaw& raw, ScoreSink& sink) override {
    require_depth(raw, bit_depth_, frame);
    const double distorted = distorted_(raw.distorted);
    const double reference = reference_(raw.reference);
    sink.emit(kCambi, frame, std::min(distorted, limit_));
    sink.emit(kSource, frame, std::min(reference, limit_));
    sink.emit(kFullReference, frame, std::min(std::max(0.0, distorted - reference), limit_));
  }

 private:
  int bit_depth_;
  IndexOf distorted_;
  IndexOf reference_;
  double limit_;
  std::shared_ptr<HeatmapWriter> heatmaps_;  ///< Kept open for the pixel stages.
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, effective_settings(options, format), format.bit_depth);
}

}  // namespace hipvmaf::cambi
