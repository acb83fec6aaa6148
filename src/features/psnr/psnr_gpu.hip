// Squared errors on a GPU: each thread sums a column of a strip of rows, blocks add their sums to
// the plane's.
#include "features/gpu_stage.hpp"
#include "features/psnr/psnr.hpp"
#include "features/psnr/psnr_math.hpp"
#include "features/scored_planes.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::psnr {
namespace {

constexpr int kThreads = 256;
constexpr int kStripRows = 16;

template <class Sample>
__global__ void sum_squared_errors(gpu::Reference<Sample> reference,
                                   gpu::Distorted<Sample> distorted, gpu::View1D<PsnrRaw> raw,
                                   int plane) {
  const int x = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.y) * kStripRows;
  const int end = gpu::min(begin + kStripRows, reference.plane.height);
  std::uint64_t sum = 0;
  if (x < reference.plane.width) {
    for (int y = begin; y < end; ++y) {
      sum += squared_difference(reference.plane(x, y), distorted.plane(x, y));
    }
  }
  sum = gpu::block_sum<kThreads>(sum);
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
      const dim3 grid(gpu::blocks_for(reference.plane.width, kThreads),
                      gpu::blocks_for(reference.plane.height, kStripRows));
      gpu::launch(stream, grid, kThreads, sum_squared_errors<Sample>, reference, distorted, raw, p);
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
