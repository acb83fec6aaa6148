#include "features/speed/speed_score.hpp"

#include <cstddef>

namespace hipvmaf::speed {

float noise_of(const OptionValues& options) {
  return static_cast<float>(options.real(kNeuralNoiseOption.name));
}

float visible_entropy_of(const OptionValues& options) {
  const auto floor = static_cast<float>(options.real(kNoiseFloorOption.name));
  return static_cast<float>(kBlockSamples * gaussian_entropy((1 + floor) * noise_of(options)));
}

PairScorer::PairScorer(const OptionValues& options, Weighting weighting, int plane_width,
                       int plane_height)
    : weighting_(weighting),
      visible_entropy_(visible_entropy_of(options)),
      decimator_(options, geometry_of(options, plane_width, plane_height)),
      model_(geometry_of(options, plane_width, plane_height), noise_of(options)) {}

PlaneScore PairScorer::score(const RowSource& reference, const RowSource& distorted) {
  if (!model_.measure(decimator_.details_of(reference), reference_) ||
      !model_.measure(decimator_.details_of(distorted), distorted_))
    return {0, 1};
  return {mean_difference(), 0};
}

float PairScorer::mean_difference() const {
  float sum = 0;
  for (std::size_t j = 0; j < reference_.entropies.size(); ++j) {
    sum += weighted_difference(
        reference_.entropies[j], distorted_.entropies[j], visible_entropy_,
        weights_of(weighting_, reference_.variances[j], distorted_.variances[j]));
  }
  return sum / static_cast<float>(reference_.entropies.size());
}

}  // namespace hipvmaf::speed
