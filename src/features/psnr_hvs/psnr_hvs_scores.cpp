#include <cmath>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/scored_planes.hpp"

namespace hipvmaf::psnr_hvs {
namespace {

double decibels(double error) { return 10.0 * (-1.0 * std::log10(error)); }

class Scores final : public ScalarStageOf<PsnrHvsRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options)) {
    const int peak = (1 << format.bit_depth) - 1;
    squared_peak_ = static_cast<float>(peak * peak);
    for (int p = 0; p < planes_; ++p) {
      coefficients_[static_cast<std::size_t>(p)] =
          static_cast<float>(kBlockSize * blocks_along(scored_width(format, p)) *
                             blocks_along(scored_height(format, p)));
    }
  }

 protected:
  void push(std::int64_t frame, const PsnrHvsRaw& raw, ScoreSink& sink) override {
    std::array<double, 3> mean{};
    for (int p = 0; p < planes_; ++p) {
      const auto plane = static_cast<std::size_t>(p);
      mean[plane] = static_cast<double>((raw.error[plane] / coefficients_[plane]) / squared_peak_);
      sink.emit(p, frame, decibels(mean[plane]));
    }
    const double weighted = planes_ == 1 ? mean[0] : mean[0] * 0.8 + 0.1 * (mean[1] + mean[2]);
    sink.emit(kMeanFeature, frame, decibels(weighted));
  }

 private:
  int planes_;
  float squared_peak_ = 0;
  std::array<float, 3> coefficients_{};
};

}  // namespace

int measured_planes(const OptionValues& options) { return options.flag("enable_chroma") ? 3 : 1; }

void check_format(const OptionValues& options, const PictureFormat& format) {
  const int last_plane = measured_planes(options) - 1;
  if (scored_width(format, last_plane) < kBlockSide ||
      scored_height(format, last_plane) < kBlockSide) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("extractor psnr_hvs needs chroma planes of at least {0}x{0}, the "
                            "videos are {1}; psnr_hvs=enable_chroma=false measures luma alone",
                            kBlockSide, format.describe()));
  }
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::psnr_hvs
