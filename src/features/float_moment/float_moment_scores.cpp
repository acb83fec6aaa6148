#include <cmath>

#include "features/float_moment/float_moment.hpp"

namespace hipvmaf::float_moment {
namespace {

class Scores final : public ScalarStageOf<FloatMomentRaw> {
 public:
  explicit Scores(const PictureFormat& format)
      : extra_bits_(format.bit_depth - 8),
        samples_(static_cast<double>(format.width) * static_cast<double>(format.height)) {}

 protected:
  void push(std::int64_t frame, const FloatMomentRaw& raw, ScoreSink& sink) override {
    sink.emit(kReference1st, frame, mean(raw.reference.samples, extra_bits_));
    sink.emit(kDistorted1st, frame, mean(raw.distorted.samples, extra_bits_));
    sink.emit(kReference2nd, frame, mean(raw.reference.squares, 2 * extra_bits_));
    sink.emit(kDistorted2nd, frame, mean(raw.distorted.squares, 2 * extra_bits_));
  }

 private:
  [[nodiscard]] double mean(std::uint64_t sum, int fraction_bits) const {
    return std::ldexp(static_cast<double>(sum), -fraction_bits) / samples_;
  }

  int extra_bits_;  // of a sample, below the 8-bit grey level
  double samples_;
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& /*options*/,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(format);
}

}  // namespace hipvmaf::float_moment
