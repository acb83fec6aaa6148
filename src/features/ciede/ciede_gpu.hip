// CIEDE2000 on a GPU.
//
// Pixels are numbered row by row. A thread takes one: a loop would keep more constants at hand than
// AMD's devices have scalar registers. The differences are added in that order, binary32 terms in
// binary64.
#include <array>

#include "features/ciede/ciede.hpp"
#include "features/ciede/ciede_math.hpp"
#include "features/gpu_stage.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"
#include "gpu/ordered_sum.hpp"

namespace hipvmaf::ciede {
namespace {

constexpr int kThreads = 256;

template <class Sample>
struct Planes {
  gpu::View2D<const Sample> luma;
  gpu::View2D<const Sample> cb;
  gpu::View2D<const Sample> cr;
};

/// Both pictures, and how a pixel finds its chroma.
template <class Sample>
struct Pictures {
  Planes<Sample> reference;
  Planes<Sample> distorted;
  int column_shift;
  int row_shift;
};

struct Pixel {
  int luma;
  int cb;
  int cr;

  __device__ bool operator==(const Pixel& other) const {
    return luma == other.luma && cb == other.cb && cr == other.cr;
  }
};

template <class Sample>
__device__ Pixel pixel_of(const Planes<Sample>& planes, const Pictures<Sample>& pictures, int x,
                          int y) {
  const int column = x >> pictures.column_shift;
  const int row = y >> pictures.row_shift;
  return {planes.luma(x, y), planes.cb(column, row), planes.cr(column, row)};
}

template <class Sample>
__device__ float difference_at(const Pictures<Sample>& pictures, const SampleScale& scale,
                               const TabulatedPower& seventh_power, int x, int y) {
  const Pixel reference = pixel_of(pictures.reference, pictures, x, y);
  const Pixel distorted = pixel_of(pictures.distorted, pictures, x, y);
  if (reference == distorted) return 0;
  return difference(lab_of(reference.luma, reference.cb, reference.cr, scale),
                    lab_of(distorted.luma, distorted.cb, distorted.cr, scale), seventh_power);
}

template <class Sample>
__global__ void __launch_bounds__(kThreads)
    measure_pixels(Pictures<Sample> pictures, SampleScale scale, TabulatedPower seventh_power,
                   gpu::View1D<float> differences) {
  const int pixel = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (pixel >= differences.count) return;
  const int width = pictures.reference.luma.width;
  const int y = pixel / width;
  differences[pixel] = difference_at(pictures, scale, seventh_power, pixel - y * width, y);
}

template <class Sample>
class GpuDifferenceStage final : public GpuStageOf<CiedeRaw> {
 public:
  explicit GpuDifferenceStage(const PictureFormat& format)
      : format_(format),
        scale_(sample_scale(format.bit_depth)),
        power_exceptions_(gpu::make_table(power_exceptions())),
        sums_(std::array{format.width * format.height}) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<CiedeRaw> raw) override {
    const Pictures<Sample> pictures{planes_of(window.current().reference),
                                    planes_of(window.current().distorted),
                                    format_.chroma == ChromaFormat::yuv444 ? 0 : 1,
                                    format_.chroma == ChromaFormat::yuv420 ? 1 : 0};
    const auto differences = sums_.values(0);
    gpu::launch(stream, gpu::blocks_for(differences.count, kThreads), kThreads,
                measure_pixels<Sample>, pictures, scale_,
                TabulatedPower(power_exceptions_.view().readable()), differences);
    sums_.add(stream, {&raw.data->sum, 1});
  }

 private:
  [[nodiscard]] Planes<Sample> planes_of(const DevicePicture& picture) const {
    return {picture.plane<Sample>(0).cropped({format_.width, format_.height}),
            picture.plane<Sample>(1), picture.plane<Sample>(2)};
  }

  PictureFormat format_;
  SampleScale scale_;
  gpu::Buffer<PowerException> power_exceptions_;
  gpu::OrderedSums<gpu::OneSum<float, double>> sums_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& /*options*/,
                                         const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuDifferenceStage<std::uint8_t>>(format);
  return std::make_unique<GpuDifferenceStage<std::uint16_t>>(format);
}

}  // namespace hipvmaf::ciede
