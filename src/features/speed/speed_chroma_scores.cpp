#include "features/speed/speed_chroma.hpp"

namespace hipvmaf::speed_chroma {
namespace {

float mean_score(const speed::PlaneScore& cb, const speed::PlaneScore& cr) {
  if (cb.singular != cr.singular) return cb.singular != 0 ? cr.value : cb.value;
  return (cb.value + cr.value) / 2;
}

class Scores final : public ScalarStageOf<SpeedChromaRaw> {
 public:
  explicit Scores(const OptionValues& options) : highest_(options.real("speed_max_val")) {}

 protected:
  void push(std::int64_t frame, const SpeedChromaRaw& raw, ScoreSink& sink) override {
    const auto& [cb, cr] = raw.planes;
    sink.emit(kCb, frame, limited(cb.value));
    sink.emit(kCr, frame, limited(cr.value));
    sink.emit(kMean, frame, limited(mean_score(cb, cr)));
  }

 private:
  /// NaN becomes the highest score.
  [[nodiscard]] double limited(float value) const {
    const auto score = static_cast<double>(value);
    return score < highest_ ? score : highest_;
  }

  double highest_;
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options, const PictureFormat&) {
  return std::make_unique<Scores>(options);
}

}  // namespace hipvmaf::speed_chroma
