#include <cmath>
#include <fmt/format.h>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/ssim/float_ms_ssim.hpp"

namespace hipvmaf::float_ms_ssim {
namespace {

using Means = std::array<similarity::Means, kScales>;

/// Exponents of the scales, binary32 by definition. Luminance counts on the last scale only.
constexpr std::array<float, kScales> kLuminanceExponents{0, 0, 0, 0, 0.1333F};
constexpr std::array<float, kScales> kContrastExponents{0.0448F, 0.2856F, 0.3001F, 0.2363F,
                                                        0.1333F};
constexpr const auto& kStructureExponents = kContrastExponents;

double power(float mean, float exponent) {
  return std::pow(static_cast<double>(mean), static_cast<double>(exponent));
}

/// NaN where the mean structure of a scale is negative.
double score_of(const Means& means) {
  double score = 1;
  for (std::size_t s = 0; s < kScales; ++s) {
    score *= power(means[s].luminance, kLuminanceExponents[s]) *
             power(means[s].contrast, kContrastExponents[s]) *
             power(means[s].structure, kStructureExponents[s]);
  }
  return score;
}

class Scores final : public ScalarStageOf<FloatMsSsimRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format) : format_(format) {
    for (int p = 0; p < measured_planes(options, format); ++p)
      scales_.emplace_back(options, format, p);
  }

 protected:
  void push(std::int64_t frame, const FloatMsSsimRaw& raw, ScoreSink& sink) override {
    const Means luma = means_of(raw, 0);
    sink.emit(0, frame, scales_[0](score_of(luma)));
    for (std::size_t s = 0; s < kScales; ++s) {
      const int scale = static_cast<int>(s);
      sink.emit(kLuminanceFeature + scale, frame, static_cast<double>(luma[s].luminance));
      sink.emit(kContrastFeature + scale, frame, static_cast<double>(luma[s].contrast));
      sink.emit(kStructureFeature + scale, frame, static_cast<double>(luma[s].structure));
    }
    for (std::size_t p = 1; p < scales_.size(); ++p) {
      sink.emit(kChromaFeature + static_cast<int>(p) - 1, frame,
                scales_[p](score_of(means_of(raw, p))));
    }
  }

 private:
  [[nodiscard]] Means means_of(const FloatMsSsimRaw& raw, std::size_t plane) const {
    int width = format_.plane_width(static_cast<int>(plane));
    int height = format_.plane_height(static_cast<int>(plane));
    Means means;
    for (std::size_t s = 0; s < kScales; ++s) {
      means[s] = similarity::means_of(raw.sums[plane][s], width, height);
      width = halved_side(width);
      height = halved_side(height);
    }
    return means;
  }

  PictureFormat format_;
  std::vector<similarity::ScoreScale> scales_;  ///< One per plane that is measured.
};

}  // namespace

bool measures_chroma(const OptionValues& options, const PictureFormat& format) {
  return options.flag("enable_chroma") && format.chroma != ChromaFormat::yuv400;
}

int measured_planes(const OptionValues& options, const PictureFormat& format) {
  return measures_chroma(options, format) ? 3 : 1;
}

void check_format(const OptionValues& options, const PictureFormat& format) {
  const int last_plane = measured_planes(options, format) - 1;
  if (format.plane_width(last_plane) < kSmallestSide ||
      format.plane_height(last_plane) < kSmallestSide) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("extractor float_ms_ssim needs chroma planes of at least {0}x{0}, the "
                            "videos are {1}; float_ms_ssim=enable_chroma=false measures luma alone",
                            kSmallestSide, format.describe()));
  }
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::float_ms_ssim
