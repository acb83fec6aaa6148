#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "features/scored_planes.hpp"
#include "features/vif/vif.hpp"

namespace hipvmaf::vif {
namespace {

/// Information kept and available of one scale.
struct Ratio {
  float kept = 0;
  float available = 0;
};

Ratio ratio_of(const VifSums& sums) {
  const auto flat_pixels = static_cast<double>(sums.flat_pixels);
  // A flat pixel holds one bit, less four times its distorted variance over 255 squared.
  const double flat_loss = (static_cast<double>(sums.flat_variance) / 16384.0) / 65025.0;
  const double kept = static_cast<double>(sums.kept_log2) / 2048.0 + (flat_pixels - flat_loss);
  const double available = static_cast<double>(sums.available_log2) / 2048.0 + flat_pixels;
  return {static_cast<float>(kept), static_cast<float>(available)};
}

class Scores final : public ScalarStageOf<VifRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options, format)),
        first_scale_(measures_scale(options, 0, 0) ? 0 : 1) {}

 protected:
  void push(std::int64_t frame, const VifRaw& raw, ScoreSink& sink) override {
    std::array<Ratio, kScales> luma;
    for (std::size_t s = 0; s < kScales; ++s) {
      const bool measured = static_cast<int>(s) >= first_scale_;
      luma[s] = measured ? ratio_of(raw.sums[0][s]) : Ratio{0, -1};
      sink.emit(static_cast<int>(s), frame,
                measured ? static_cast<double>(luma[s].kept / luma[s].available) : 0.0);
    }
    for (int p = 1; p < planes_; ++p) emit_chroma(p, frame, raw, sink);
    emit_sums(luma, frame, sink);
  }

 private:
  static void emit_chroma(int plane, std::int64_t frame, const VifRaw& raw, ScoreSink& sink) {
    for (int s = 0; s < kScales; ++s) {
      const Ratio ratio =
          ratio_of(raw.sums[static_cast<std::size_t>(plane)][static_cast<std::size_t>(s)]);
      // Unlike those of luma, these quotients are taken in double precision.
      const auto available = static_cast<double>(ratio.available);
      sink.emit(kScales * plane + s, frame,
                available == 0 ? 1.0 : static_cast<double>(ratio.kept) / available);
    }
  }

  void emit_sums(const std::array<Ratio, kScales>& scales, std::int64_t frame,
                 ScoreSink& sink) const {
    double kept = 0;
    double available = 0;
    for (std::size_t s = static_cast<std::size_t>(first_scale_); s < kScales; ++s) {
      kept += static_cast<double>(scales[s].kept);
      available += static_cast<double>(scales[s].available);
    }
    sink.emit(kTotalFeature, frame, available == 0 ? 1.0 : kept / available);
    sink.emit(kTotalFeature + 1, frame, kept);
    sink.emit(kTotalFeature + 2, frame, available);
    int feature = kSumFeatures;
    for (const Ratio& ratio : scales) {
      sink.emit(feature++, frame, static_cast<double>(ratio.kept));
      sink.emit(feature++, frame, static_cast<double>(ratio.available));
    }
  }

  int planes_;
  int first_scale_;
};

}  // namespace

bool measures_chroma(const OptionValues& options, const PictureFormat& format) {
  return options.flag("enable_chroma") && format.chroma != ChromaFormat::yuv400;
}

int measured_planes(const OptionValues& options, const PictureFormat& format) {
  return measures_chroma(options, format) ? 3 : 1;
}

bool measures_scale(const OptionValues& options, int plane, int scale) {
  return plane > 0 || scale > 0 || !options.flag("vif_skip_scale0");
}

void check_format(const OptionValues& options, const PictureFormat& format) {
  const int last_plane = measured_planes(options, format) - 1;
  if (scored_width(format, last_plane) < kSmallestSide ||
      scored_height(format, last_plane) < kSmallestSide) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("extractor vif with enable_chroma needs chroma planes of at least "
                            "{0}x{0}, the videos are {1}; without it vif measures luma alone",
                            kSmallestSide, format.describe()));
  }
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::vif
