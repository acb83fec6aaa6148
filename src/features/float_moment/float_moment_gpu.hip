// Sums of samples and of their rounded squares on a GPU: blocks add their sums to the frame's.
#include "features/float_moment/float_moment.hpp"
#include "features/gpu_stage.hpp"
#include "features/psnr/psnr_math.hpp"
#include "features/psnr/psnr_strips_gpu.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::float_moment {
namespace {

/// Indices of the sums.
enum { kReferenceSamples, kReferenceSquares, kDistortedSamples, kDistortedSquares, kSumCount };
using MomentSums = gpu::Sums<std::uint64_t, kSumCount>;

template <class Sample>
__global__ void __launch_bounds__(psnr::kStripThreads)
    sum_moments(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted,
                gpu::View1D<FloatMomentRaw> raw) {
  const auto add = [](MomentSums& sums, std::uint32_t r, std::uint32_t d) {
    sums[kReferenceSamples] += r;
    sums[kReferenceSquares] += psnr::rounded_square(r * r);
    sums[kDistortedSamples] += d;
    sums[kDistortedSquares] += psnr::rounded_square(d * d);
  };
  MomentSums sums = psnr::strip_sums<MomentSums>(reference, distorted, add);
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
    gpu::launch(stream, psnr::strips_of(size_), psnr::kStripThreads, sum_moments<Sample>, reference,
                distorted, raw);
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
