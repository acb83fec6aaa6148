#include "features/ssim/ssim.hpp"
#include "features/ssim/ssim_math.hpp"

namespace hipvmaf::ssim {
namespace {

/// Sum of the weights of all positions along a side; exact.
double total_weight(int side) {
  double sum = 0;
  for (int i = 0; i < side; ++i) sum += inside_weight(i, side);
  return sum;
}

class Scores final : public ScalarStageOf<SsimRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : weight_(total_weight(format.width) * total_weight(format.height)),
        scale_(options, format, 0) {}

 protected:
  void push(std::int64_t frame, const SsimRaw& raw, ScoreSink& sink) override {
    sink.emit(0, frame, scale_(raw.weighted_similarity / weight_));
  }

 private:
  double weight_;
  similarity::ScoreScale scale_;
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::ssim
