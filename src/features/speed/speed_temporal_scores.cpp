#include "features/speed/speed_temporal.hpp"

namespace hipvmaf::speed_temporal {
namespace {

class Scores final : public ScalarStageOf<SpeedTemporalRaw> {
 protected:
  void push(std::int64_t frame, const SpeedTemporalRaw& raw, ScoreSink& sink) override {
    sink.emit(0, frame, static_cast<double>(raw.luma.value));
  }
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues&, const PictureFormat&) {
  return std::make_unique<Scores>();
}

}  // namespace hipvmaf::speed_temporal
