#include <cmath>

#include "features/ssimulacra2/ssimulacra2.hpp"
#include "features/ssimulacra2/ssimulacra2_weights.hpp"

namespace hipvmaf::ssimulacra2 {
namespace {

class Scores final : public ScalarStageOf<Ssimulacra2Raw> {
 public:
  explicit Scores(const PictureFormat& format) {
    int width = format.width;
    int height = format.height;
    for (double& share : pixel_share_) {
      share = 1.0 / (static_cast<double>(width) * static_cast<double>(height));
      width = halved_side(width);
      height = halved_side(height);
    }
  }

 protected:
  void push(std::int64_t frame, const Ssimulacra2Raw& raw, ScoreSink& sink) override {
    sink.emit(0, frame, score_of(weighted_error(raw)));
  }

 private:
  [[nodiscard]] double weighted_error(const Ssimulacra2Raw& raw) const {
    double error = 0;
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      for (std::size_t scale = 0; scale < kScales; ++scale) {
        const Ssimulacra2Sums& sums = raw.sums[channel][scale];
        const Weights& weight = kWeights[channel][scale];
        const double share = pixel_share_[scale];
        for (std::size_t e = 0; e < 3; ++e) error += weight[e] * (share * sums.error[e]);
        for (std::size_t e = 0; e < 3; ++e)
          error += weight[3 + e] * std::sqrt(std::sqrt(share * sums.fourth_power[e]));
      }
    }
    return error;
  }

  static double score_of(double error) {
    const double scaled = error * 0.9562382616834844;
    const double bent = (2.326765642916932 * scaled - (0.020884521182843837 * scaled) * scaled) +
                        ((6.248496625763138e-05 * scaled) * scaled) * scaled;
    return bent > 0 ? 100.0 - 10.0 * std::pow(bent, 0.6276336467831387) : 100.0;
  }

  std::array<double, kScales> pixel_share_{};  // one over the pixels of each scale
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues&, const PictureFormat& format) {
  return std::make_unique<Scores>(format);
}

}  // namespace hipvmaf::ssimulacra2
