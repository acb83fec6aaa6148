// Rounded squared errors on a GPU: each thread sums a column of a strip of rows, blocks add their
// sums to the frame's.
#include "features/float_psnr/float_psnr.hpp"
#include "features/gpu_stage.hpp"
#include "features/psnr/psnr_math.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::float_psnr {
namespace {

constexpr int kThreads = 256;
constexpr int kStripRows = 16;

template <class Sample>
__global__ void sum_rounded_errors(gpu::Reference<Sample> reference,
                                   gpu::Distorted<Sample> distorted,
                                   gpu::View1D<FloatPsnrRaw> raw) {
  const int x = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.y) * kStripRows;
  const int end = gpu::min(begin + kStripRows, reference.plane.height);
  std::uint64_t sum = 0;
  if (x < reference.plane.width) {
    for (int y = begin; y < end; ++y) {
      // Squares of shallow samples are as they are.
      sum += psnr::rounded_square(
          psnr::squared_difference(reference.plane(x, y), distorted.plane(x, y)));
    }
  }
  sum = gpu::block_sum<kThreads>(sum);
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
    const dim3 grid(gpu::blocks_for(size_.width, kThreads),
                    gpu::blocks_for(size_.height, kStripRows));
    gpu::launch(stream, grid, kThreads, sum_rounded_errors<Sample>, reference, distorted, raw);
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
