#include <cmath>

#include "features/ciede/ciede.hpp"

namespace hipvmaf::ciede {
namespace {

class Scores final : public ScalarStageOf<CiedeRaw> {
 public:
  explicit Scores(const PictureFormat& format)
      : pixels_(static_cast<double>(format.width) * static_cast<double>(format.height)) {}

 protected:
  void push(std::int64_t frame, const CiedeRaw& raw, ScoreSink& sink) override {
    sink.emit(0, frame, 45.0 - 20.0 * std::log10(raw.sum / pixels_));
  }

 private:
  double pixels_;
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues&, const PictureFormat& format) {
  return std::make_unique<Scores>(format);
}

}  // namespace hipvmaf::ciede
