// Squared errors on a GPU: blocks add their sums to the plane's.
#include "features/gpu_stage.hpp"
#include "features/psnr/psnr.hpp"
#include "features/psnr/psnr_math.hpp"
#include "features/psnr/psnr_strips_gpu.hpp"
#include "features/scored_planes.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::psnr {
namespace {

template <class Sample>
__global__ void __launch_bounds__(kStripThreads)
    sum_squared_errors(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted,
                       gpu::View1D<PsnrRaw> raw, int plane) {
  const auto add = [](std::uint64_t& sum, std::uint32_t r, std::uint32_t d) {
    sum += squared_difference(r, d);
  };
  const auto sum = strip_sums<std::uint64_t>(reference, distorted, add);
  if (threadIdx.x == 0) gpu::atomic_add(raw[0].sse[plane], sum);
}

template <class Sample>
class GpuSumStage final : public GpuStageOf<PsnrRaw> {
 public:
  GpuSumStage(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options, format)), format_(format) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window, gpu::View1D<PsnrRaw> raw) override {
    for (int p = 0; p < planes_; ++p) {
      const gpu::Size size{scored_width(format_, p), scored_height(format_, p)};
      const gpu::Reference<Sample> reference{
          window.current().reference.plane<Sample>(p).cropped(size)};
      const gpu::Distorted<Sample> distorted{
          window.current().distorted.plane<Sample>(p).cropped(size)};
      gpu::launch(stream, strips_of(size), kStripThreads, sum_squared_errors<Sample>, reference,
                  distorted, raw, p);
    }
  }

 private:
  int planes_;
  PictureFormat format_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuSumStage<std::uint8_t>>(options, format);
  return std::make_unique<GpuSumStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::psnr
