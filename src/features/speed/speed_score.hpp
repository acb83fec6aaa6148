// The SpEED score of a pair of pictures.
#pragma once

#include "features/speed/speed.hpp"
#include "features/speed/speed_blocks.hpp"
#include "features/speed/speed_decimation.hpp"
#include "features/speed/speed_math.hpp"

namespace hipvmaf::speed {

/// Variance of the neural noise.
[[nodiscard]] float noise_of(const OptionValues& options);

/// Entropy of a block that is nothing but neural noise, raised by the floor: blocks with less in
/// both pictures do not count.
[[nodiscard]] float visible_entropy_of(const OptionValues& options);

/// Owns its scratch memory and serves one thread at a time.
class PairScorer {
 public:
  /// For planes of one size. Options that both extractors have are read from `options`.
  PairScorer(const OptionValues& options, Weighting weighting, int plane_width, int plane_height);

  [[nodiscard]] PlaneScore score(const RowSource& reference, const RowSource& distorted);

 private:
  [[nodiscard]] float mean_difference() const;

  Weighting weighting_;
  float visible_entropy_;
  Decimator decimator_;
  BlockModel model_;
  BlockStatistics reference_;
  BlockStatistics distorted_;
};

}  // namespace hipvmaf::speed
