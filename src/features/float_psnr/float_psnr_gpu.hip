// Rounded squared errors on a GPU: blocks add their sums to the frame's.
#include "features/float_psnr/float_psnr.hpp"
#include "features/gpu_stage.hpp"
#include "features/psnr/psnr_math.hpp"
#include "features/psnr/psnr_strips_gpu.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::float_psnr {
namespace {

template <class Sample>
__global__ void __launch_bounds__(psnr::kStripThreads)
    sum_rounded_errors(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted,
                       gpu::View1D<FloatPsnrRaw> raw) {
  const auto add = [](std::uint64_t& sum, std::uint32_t r, std::uint32_t d) {
    sum += psnr::rounded_square(psnr::squared_difference(r, d));
  };
  const auto sum = psnr::strip_sums<std::uint64_t>(reference, distorted, add);
  if (threadIdx.x == 0) gpu::atomic_add(raw[0].sse, sum);
}

template <class Sample>
class GpuSumStage final : public GpuStageOf<FloatPsnrRaw> {
 public:
  explicit GpuSumStage(const PictureFormat& format) : size_{format.width, format.height} {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<FloatPsnrRaw> raw) override {
    const gpu::Reference<Sample> reference{
        window.current().reference.plane<Sample>(0).cropped(size_)};
    const gpu::Distorted<Sample> distorted{
        window.current().distorted.plane<Sample>(0).cropped(size_)};
    gpu::launch(stream, psnr::strips_of(size_), psnr::kStripThreads, sum_rounded_errors<Sample>,
                reference, distorted, raw);
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

}  // namespace hipvmaf::float_psnr
