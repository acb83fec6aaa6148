#include <algorithm>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "features/ssim/float_ssim.hpp"
#include "features/ssim/float_ssim_math.hpp"

namespace hipvmaf::float_ssim {
namespace {

class Scores final : public ScalarStageOf<FloatSsimRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : decimation_(decimation_of(options, format)), scale_(options, format, 0) {}

 protected:
  void push(std::int64_t frame, const FloatSsimRaw& raw, ScoreSink& sink) override {
    const auto means = similarity::means_of(raw.sums, decimation_.width, decimation_.height);
    sink.emit(0, frame, scale_(static_cast<double>(means.similarity)));
    sink.emit(1, frame, static_cast<double>(means.luminance));
    sink.emit(2, frame, static_cast<double>(means.contrast));
    sink.emit(3, frame, static_cast<double>(means.structure));
  }

 private:
  Decimation decimation_;
  similarity::ScoreScale scale_;
};

}  // namespace

Decimation decimation_of(const OptionValues& options, const PictureFormat& format) {
  const int chosen = options.integer("scale");
  const int factor = chosen > 0 ? chosen : automatic_factor(std::min(format.width, format.height));
  return {factor, decimated_side(format.width, factor), decimated_side(format.height, factor)};
}

void check_format(const OptionValues& options, const PictureFormat& format) {
  const Decimation decimation = decimation_of(options, format);
  if (decimation.width < similarity::kWindow || decimation.height < similarity::kWindow) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("extractor float_ssim needs pictures of at least {0}x{0} after scaling "
                            "down, the videos are {1}, with scale={2} {3}x{4}; a smaller scale "
                            "helps",
                            similarity::kWindow, format.describe(), decimation.factor,
                            decimation.width, decimation.height));
  }
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::float_ssim
