#include <algorithm>
#include <cmath>

#include "features/float_luma_math.hpp"
#include "features/float_psnr/float_psnr.hpp"

namespace hipvmaf::float_psnr {
namespace {

constexpr double kSmallestMse = 1e-10;

class Scores final : public ScalarStageOf<FloatPsnrRaw> {
 public:
  explicit Scores(const PictureFormat& format)
      : unit_exponent_(-2 * (format.bit_depth - 8)),
        samples_(static_cast<double>(format.width) * static_cast<double>(format.height)),
        peak_(luma_peak(format.bit_depth)),
        cap_(psnr_cap(format.bit_depth)) {}

 protected:
  void push(std::int64_t frame, const FloatPsnrRaw& raw, ScoreSink& sink) override {
    const double mse = std::ldexp(static_cast<double>(raw.sse), unit_exponent_) / samples_;
    const double psnr = 10.0 * std::log10(peak_ * peak_ / std::max(mse, kSmallestMse));
    sink.emit(0, frame, std::min(psnr, cap_));
  }

 private:
  int unit_exponent_;  // from squared code values to squared 8-bit grey levels
  double samples_;
  double peak_;
  double cap_;
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& /*options*/,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(format);
}

}  // namespace hipvmaf::float_psnr
