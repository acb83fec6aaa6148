// PSNR-HVS on a GPU: a launch per plane finds the terms of all blocks of pixels, then those of a
// plane are added in order.
//
// A block of threads takes kBlocks neighbouring blocks of both pictures. First each thread loads
// one sample of every block. Then each thread has a block of one picture to itself, in shared
// memory, and analyses it: these sums are sequential. At last each thread finds the terms of one
// coefficient of every block.
#include <vector>

#include "features/gpu_stage.hpp"
#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/psnr_hvs/psnr_hvs_math.hpp"
#include "features/psnr_hvs/psnr_hvs_tables.hpp"
#include "features/scored_planes.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"
#include "gpu/ordered_sum.hpp"

namespace hipvmaf::psnr_hvs {
namespace {

constexpr int kBlocks = 32;
constexpr int kThreads = 2 * kBlocks;
static_assert(kThreads == kBlockSize);

/// Coefficient k of the block of thread t is at k * kLanes + t. One more than there are threads:
/// then also the coefficients of one block lie in different memory banks.
constexpr int kLanes = kThreads + 1;
using SharedBlocks = gpu::SharedArray<std::int32_t, kBlockSize * kLanes>;

/// What a launch measures.
struct Job {
  int plane;
  int columns;  // of blocks
  int peak;
};

template <class Sample>
__device__ void load_sample(const gpu::View2D<const Sample>& plane, const Job& job, int k,
                            SharedBlocks& samples, int lane) {
  const int first = static_cast<int>(blockIdx.x) * kBlocks;
  const int y = kBlockStep * static_cast<int>(blockIdx.y) + k / kBlockSide;
  HIPVMAF_UNROLL_BY(4)
  for (int b = 0; b < kBlocks; ++b) {
    // Beyond the last block, that one again.
    const int x = kBlockStep * gpu::min(first + b, job.columns - 1) + k % kBlockSide;
    samples[k * kLanes + lane + b] = plane(x, y) & job.peak;
  }
}

template <int kSide>
__device__ float deviation_of(const std::int32_t* square) {
  return squared_deviation<kSide, kLanes>(square, square_mean<kSide, kLanes>(square));
}

/// Turns the samples of a block into coefficients; returns what the block masks.
__device__ float analyse_block(std::int32_t* block, const float* masking) {
  const float whole = deviation_of<kBlockSide>(block);
  const float top_left = deviation_of<kBlockSide / 2>(block + quadrant_start(0) * kLanes);
  const float bottom_left = deviation_of<kBlockSide / 2>(block + quadrant_start(1) * kLanes);
  const float top_right = deviation_of<kBlockSide / 2>(block + quadrant_start(2) * kLanes);
  const float bottom_right = deviation_of<kBlockSide / 2>(block + quadrant_start(3) * kLanes);
  // Columns first: the rounding of the transform makes the order matter.
  HIPVMAF_UNROLL_BY(1)
  for (int j = 0; j < kBlockSide; ++j) transform8<kBlockSide * kLanes>(block + j * kLanes);
  HIPVMAF_UNROLL_BY(1)
  for (int i = 0; i < kBlockSide; ++i) transform8<kLanes>(block + i * kBlockSide * kLanes);
  return masking_threshold(masking_energy<kLanes>(block, masking),
                           variance_ratio(whole, top_left, bottom_left, top_right, bottom_right));
}

template <class Sample>
__global__ void __launch_bounds__(kThreads)
    find_terms(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted, Job job,
               gpu::View2D<const float> sensitivity_table, gpu::View2D<const float> masking_table,
               gpu::View1D<float> terms) {
  using Thresholds = gpu::SharedArray<float, kThreads>;
  using Masking = gpu::SharedArray<float, kBlockSize>;
  HIPVMAF_SHARED(SharedBlocks, blocks);
  HIPVMAF_SHARED(Thresholds, thresholds);
  HIPVMAF_SHARED(Masking, masking);
  const int k = static_cast<int>(threadIdx.x);
  const float sensitivity = sensitivity_table(k, job.plane);
  masking[k] = masking_table(k, job.plane);
  load_sample(reference.plane, job, k, blocks, 0);
  load_sample(distorted.plane, job, k, blocks, kBlocks);
  __syncthreads();
  thresholds[k] = analyse_block(blocks.values + k, masking.values);
  __syncthreads();
  const int first = static_cast<int>(blockIdx.x) * kBlocks;
  const int count = gpu::min(kBlocks, job.columns - first);
  const int begin = (static_cast<int>(blockIdx.y) * job.columns + first) * kBlockSize;
  for (int b = 0; b < count; ++b) {
    const std::int32_t r = blocks[k * kLanes + b];
    const std::int32_t d = blocks[k * kLanes + kBlocks + b];
    const float threshold = block_threshold(thresholds[b], thresholds[kBlocks + b]);
    terms[begin + b * kBlockSize + k] =
        k == 0 ? dc_term(r, d, sensitivity) : ac_term(r, d, sensitivity, masking[k], threshold);
  }
}

/// The weights of all planes, a row each.
class DeviceWeights {
 public:
  explicit DeviceWeights(const std::array<Weights, 3>& weights)
      : table_(gpu::make_table<float>(in_one_row(weights))) {}
  [[nodiscard]] gpu::View2D<const float> view() const {
    return {table_.view().data, kBlockSize, 3, kBlockSize};
  }

 private:
  static std::vector<float> in_one_row(const std::array<Weights, 3>& weights) {
    std::vector<float> row;
    for (const Weights& plane : weights) row.insert(row.end(), plane.begin(), plane.end());
    return row;
  }

  gpu::Buffer<float> table_;
};

template <class Sample>
class GpuTermsStage final : public GpuStageOf<PsnrHvsRaw> {
 public:
  GpuTermsStage(const OptionValues& options, const PictureFormat& format)
      : format_(format),
        planes_(measured_planes(options)),
        sensitivity_(kSensitivity),
        masking_(kMasking),
        sums_(term_counts()) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<PsnrHvsRaw> raw) override {
    for (int p = 0; p < planes_; ++p) {
      const Job job{p, columns_of(p), (1 << format_.bit_depth) - 1};
      const gpu::Reference<Sample> reference{window.current().reference.plane<Sample>(p)};
      const gpu::Distorted<Sample> distorted{window.current().distorted.plane<Sample>(p)};
      const dim3 grid(gpu::blocks_for(job.columns, kBlocks), static_cast<unsigned>(rows_of(p)));
      gpu::launch(stream, grid, kThreads, find_terms<Sample>, reference, distorted, job,
                  sensitivity_.view(), masking_.view(), sums_.values(p));
    }
    sums_.add(stream, {raw.data->error.data(), planes_});
  }

 private:
  [[nodiscard]] int columns_of(int plane) const {
    return blocks_along(scored_width(format_, plane));
  }
  [[nodiscard]] int rows_of(int plane) const { return blocks_along(scored_height(format_, plane)); }
  [[nodiscard]] std::vector<int> term_counts() const {
    std::vector<int> counts;
    for (int p = 0; p < planes_; ++p) counts.push_back(columns_of(p) * rows_of(p) * kBlockSize);
    return counts;
  }

  PictureFormat format_;
  int planes_;
  DeviceWeights sensitivity_;
  DeviceWeights masking_;
  gpu::OrderedSums<gpu::OneSum<float>> sums_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuTermsStage<std::uint8_t>>(options, format);
  return std::make_unique<GpuTermsStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::psnr_hvs
