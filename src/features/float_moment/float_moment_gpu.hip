// Sums of samples and of their rounded squares on a GPU: each thread sums a column of a strip of
// rows of both pictures, blocks add their sums to the frame's.
#include "features/float_moment/float_moment.hpp"
#include "features/gpu_stage.hpp"
#include "features/psnr/psnr_math.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::float_moment {
namespace {

constexpr int kThreads = 256;
constexpr int kStripRows = 16;

/// Indices of the sums.
enum { kReferenceSamples, kReferenceSquares, kDistortedSamples, kDistortedSquares, kSumCount };
using MomentSums = gpu::Sums<std::uint64_t, kSumCount>;

template <class Sample>
__global__ void sum_moments(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted,
                            gpu::View1D<FloatMomentRaw> raw) {
  const int x = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.y) * kStripRows;
  const int end = gpu::min(begin + kStripRows, reference.plane.height);
  MomentSums sums{};
  if (x < reference.plane.width) {
    for (int y = begin; y < end; ++y) {
      const std::uint32_t r = reference.plane(x, y);
      const std::uint32_t d = distorted.plane(x, y);
      sums[kReferenceSamples] += r;
      sums[kReferenceSquares] += psnr::rounded_square(r * r);
      sums[kDistortedSamples] += d;
      sums[kDistortedSquares] += psnr::rounded_square(d * d);
    }
  }
  sums = gpu::block_sum<kThreads>(sums);
  if (threadIdx.x == 0) {
    FloatMomentRaw& total = raw[0];
    gpu::atomic_add(total.reference.samples, sums[kReferenceSamples]);
    gpu::atomic_add(total.reference.squares, sums[kReferenceSquares]);
    gpu::atomic_add(total.distorted.samples, sums[kDistortedSamples]);
    gpu::atomic_add(total.distorted.squares, sums[kDistortedSquares]);
  }
}

template <class Sample>
class GpuSumStage final : public GpuStageOf<FloatMomentRaw> {
 public:
  explicit GpuSumStage(const PictureFormat& format) : size_{format.width, format.height} {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<FloatMomentRaw> raw) override {
    const gpu::Reference<Sample> reference{
        window.current().reference.plane<Sample>(0).cropped(size_)};
    const gpu::Distorted<Sample> distorted{
        window.current().distorted.plane<Sample>(0).cropped(size_)};
    const dim3 grid(gpu::blocks_for(size_.width, kThreads),
                    gpu::blocks_for(size_.height, kStripRows));
    gpu::launch(stream, grid, kThreads, sum_moments<Sample>, reference, distorted, raw);
  }

 private:
  gpu::Size size_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& /*options*/,
                                         const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuSumStage<std::uint8_t>>(format);
  return std::make_unique<GpuSumStage<std::uint16_t>>(format);
}

}  // namespace hipvmaf::float_moment
