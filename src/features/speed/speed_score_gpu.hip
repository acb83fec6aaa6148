// The scores from the statistics of all blocks: a thread block per pair of pictures, whose threads
// compare the blocks and whose first one adds what they find, in order.
#include <bit>
#include <cstdint>

#include "features/speed/speed_score.hpp"
#include "features/speed/speed_score_gpu.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::speed {
namespace {

constexpr int kThreads = 256;

/// How blocks are compared.
struct Comparison {
  Weighting weighting;
  float visible_entropy;
  int blocks;
};

/// NaN, whose bits differ between processors, as the one that the CPU stage comes to.
__device__ float with_known_nan(float value) {
  return value == value ? value : std::bit_cast<float>(std::uint32_t{0x7FC00000});
}

__global__ void __launch_bounds__(kThreads)
    compare_blocks(DeviceBlockStatistics statistics, Comparison comparison,
                   gpu::View1D<PlaneScore> scores) {
  using SharedTerms = gpu::SharedArray<float, kThreads>;
  HIPVMAF_SHARED(SharedTerms, terms);
  const int rank = static_cast<int>(threadIdx.x);
  const auto pair = static_cast<int>(blockIdx.x);
  const int r = 2 * pair;
  const int d = 2 * pair + 1;
  const bool singular = statistics.models[r].singular() || statistics.models[d].singular();
  const int blocks = singular ? 0 : comparison.blocks;
  float sum = 0;
  for (int first = 0; first < blocks; first += kThreads) {
    const int block = first + rank;
    if (block < blocks) {
      const Weights weights = weights_of(comparison.weighting, statistics.variances(block, r),
                                         statistics.variances(block, d));
      terms[rank] =
          weighted_difference(statistics.entropies(block, r), statistics.entropies(block, d),
                              comparison.visible_entropy, weights);
    }
    __syncthreads();
    if (rank == 0) {
      const int count = gpu::min(kThreads, blocks - first);
      for (int i = 0; i < count; ++i) sum += terms[i];
    }
    __syncthreads();
  }
  if (rank > 0) return;
  if (singular) {
    scores[pair] = {0, 1};
  } else {
    scores[pair] = {with_known_nan(sum / static_cast<float>(blocks)), 0};
  }
}

}  // namespace

GpuPairScorer::GpuPairScorer(const OptionValues& options, Weighting weighting, gpu::Size plane,
                             int pairs)
    : weighting_(weighting),
      visible_entropy_(visible_entropy_of(options)),
      blocks_(geometry_of(options, plane.width, plane.height).blocks()),
      decimator_(options, geometry_of(options, plane.width, plane.height), 2 * pairs),
      model_(geometry_of(options, plane.width, plane.height), noise_of(options), 2 * pairs) {}

template <class Sample>
void GpuPairScorer::enqueue(gpu::Stream& stream, const DeviceSources<Sample>& sources,
                            gpu::View1D<PlaneScore> scores) {
  const DeviceBlockStatistics statistics =
      model_.enqueue(stream, decimator_.enqueue(stream, sources));
  gpu::launch(stream, static_cast<unsigned>(scores.count), kThreads, compare_blocks, statistics,
              Comparison{weighting_, visible_entropy_, blocks_}, scores);
}

template void GpuPairScorer::enqueue(gpu::Stream&, const DeviceSources<std::uint8_t>&,
                                     gpu::View1D<PlaneScore>);
template void GpuPairScorer::enqueue(gpu::Stream&, const DeviceSources<std::uint16_t>&,
                                     gpu::View1D<PlaneScore>);

}  // namespace hipvmaf::speed
