#include <algorithm>
#include <cmath>

#include "features/float_ansnr/float_ansnr.hpp"
#include "features/float_luma_math.hpp"

namespace hipvmaf::float_ansnr {
namespace {

constexpr double kSmallestNoise = 1e-10;

class Scores final : public ScalarStageOf<FloatAnsnrRaw> {
 public:
  explicit Scores(const PictureFormat& format)
      : peak_signal_(luma_peak(format.bit_depth) * luma_peak(format.bit_depth) * format.width *
                     format.height),
        cap_(psnr_cap(format.bit_depth)) {}

 protected:
  void push(std::int64_t frame, const FloatAnsnrRaw& raw, ScoreSink& sink) override {
    // A ratio above the cap is kept: only the lack of any noise is replaced by it.
    const double ansnr =
        raw.noise == 0.0F ? cap_ : decibels(static_cast<double>(raw.signal / raw.noise));
    const double noise = std::max(static_cast<double>(raw.noise), kSmallestNoise);
    sink.emit(kAnsnr, frame, ansnr);
    sink.emit(kAnpsnr, frame, std::min(decibels(peak_signal_ / noise), cap_));
  }

 private:
  static double decibels(double ratio) { return 10.0 * std::log10(ratio); }

  double peak_signal_;
  double cap_;
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& /*options*/,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(format);
}

}  // namespace hipvmaf::float_ansnr
