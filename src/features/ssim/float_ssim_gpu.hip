// float_ssim on a GPU: a launch scales both pictures down, each thread makes a sample; then they
// are measured as similarity_gpu.hpp says.
#include "features/gpu_stage.hpp"
#include "features/ssim/float_ssim.hpp"
#include "features/ssim/float_ssim_math.hpp"
#include "features/ssim/similarity_gpu.hpp"

namespace hipvmaf::float_ssim {
namespace {

constexpr int kThreads = 128;

/// Makes a sample of the smaller picture.
template <class Sample>
__device__ float decimated(const gpu::View2D<const Sample>& from, int factor, float weight, int x,
                           int y) {
  double sum = 0;
  for (int v = 0; v < factor; ++v) {
    const int row = similarity::mirrored(first_sample(y, factor) + v, from.height);
    for (int u = 0; u < factor; ++u) {
      const int column = similarity::mirrored(first_sample(x, factor) + u, from.width);
      sum += static_cast<double>(static_cast<float>(from(column, row)) * weight);
    }
  }
  return static_cast<float>(sum);
}

/// Blocks with a z of 0 make the reference.
template <class Sample>
__global__ void __launch_bounds__(kThreads)
    decimate(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted, int factor,
             float weight, gpu::View2D<float> small_reference, gpu::View2D<float> small_distorted) {
  const int x = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y);
  if (x >= small_reference.width) return;
  if (blockIdx.z == 0) {
    small_reference(x, y) = decimated(reference.plane, factor, weight, x, y);
  } else {
    small_distorted(x, y) = decimated(distorted.plane, factor, weight, x, y);
  }
}

template <class Sample>
class GpuStageOfLuma final : public GpuStageOf<FloatSsimRaw> {
 public:
  GpuStageOfLuma(const OptionValues& options, const PictureFormat& format)
      : decimation_(decimation_of(options, format)),
        weight_(sample_weight(decimation_.factor, format.bit_depth)),
        reference_(decimation_.width, decimation_.height),
        distorted_(decimation_.width, decimation_.height),
        rows_(std::array{decimation_.height}) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<FloatSsimRaw> raw) override {
    const gpu::Reference<Sample> reference{window.current().reference.plane<Sample>(0)};
    const gpu::Distorted<Sample> distorted{window.current().distorted.plane<Sample>(0)};
    const dim3 grid(gpu::blocks_for(decimation_.width, kThreads),
                    static_cast<unsigned>(decimation_.height), 2);
    gpu::launch(stream, grid, kThreads, decimate<Sample>, reference, distorted, decimation_.factor,
                weight_, reference_.view(), distorted_.view());
    rows_.clear(stream);
    similarity::measure<float>(
        stream,
        {{reference_.view().readable()}, {distorted_.view().readable()}, 1.0F, rows_.rows(0)});
    rows_.add(stream, {&raw.data->sums, 1});
  }

 private:
  Decimation decimation_;
  float weight_;
  gpu::Buffer2D<float> reference_;
  gpu::Buffer2D<float> distorted_;
  similarity::MapRows rows_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuStageOfLuma<std::uint8_t>>(options, format);
  return std::make_unique<GpuStageOfLuma<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_ssim
