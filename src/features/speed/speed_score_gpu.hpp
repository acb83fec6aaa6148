// The SpEED scores of pairs of pictures on a GPU.
#pragma once

#include "features/speed/speed.hpp"
#include "features/speed/speed_blocks_gpu.hpp"
#include "features/speed/speed_decimation_gpu.hpp"
#include "features/speed/speed_math.hpp"
#include "gpu/stream.hpp"
#include "gpu/view.hpp"

namespace hipvmaf::speed {

/// Owns its scratch memory on the device.
class GpuPairScorer {
 public:
  /// For so many pairs of planes of one size.
  GpuPairScorer(const OptionValues& options, Weighting weighting, gpu::Size plane, int pairs);

  /// Queues the work that scores the pairs, a reference and a distorted source each.
  template <class Sample>
  void enqueue(gpu::Stream& stream, const DeviceSources<Sample>& sources,
               gpu::View1D<PlaneScore> scores);

 private:
  Weighting weighting_;
  float visible_entropy_;
  int blocks_;
  GpuDecimator decimator_;
  GpuBlockModel model_;
};

}  // namespace hipvmaf::speed
