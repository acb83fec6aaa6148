// float_ms_ssim on a GPU: a launch per step halves both pictures, then the scales are measured as
// similarity_gpu.hpp says.
//
// A block that halves makes kTileColumns x kTileRows samples, one per thread. It lays what they are
// made of in shared memory, mirrored at the borders, even and odd columns apart, so that
// neighbouring threads read neighbouring values.
#include "features/float_luma_math.hpp"
#include "features/gpu_stage.hpp"
#include "features/ssim/float_ms_ssim.hpp"
#include "features/ssim/float_ms_ssim_math.hpp"
#include "features/ssim/similarity_gpu.hpp"

namespace hipvmaf::float_ms_ssim {
namespace {

constexpr int kTileColumns = 32;
constexpr int kTileRows = 8;
constexpr int kThreads = kTileColumns * kTileRows;

/// Samples of the larger picture under a tile.
struct Under {
  static constexpr int kRows = 2 * (kTileRows - 1) + 2 * kRadius + 1;
  static constexpr int kPairs = kTileColumns + kRadius;  // of columns
  gpu::SharedArray<float, kRows * 2 * kPairs> samples;

  __device__ float& operator()(int column, int row) {
    return samples[(2 * row + column % 2) * kPairs + column / 2];
  }
};

template <class Sample>
__device__ void load(const gpu::View2D<const Sample>& from, float unit, Under& under) {
  const int left = 2 * kTileColumns * static_cast<int>(blockIdx.x) - kRadius;
  const int top = 2 * kTileRows * static_cast<int>(blockIdx.y) - kRadius;
  HIPVMAF_UNROLL_BY(1)
  for (int i = static_cast<int>(threadIdx.x); i < Under::kRows * 2 * Under::kPairs; i += kThreads) {
    const int column = i % (2 * Under::kPairs);
    const int row = i / (2 * Under::kPairs);
    // What lies further out is not used, but must be readable.
    const int x =
        similarity::mirrored(gpu::min(left + column, from.width - 1 + kRadius), from.width);
    const int y = similarity::mirrored(gpu::min(top + row, from.height - 1 + kRadius), from.height);
    under(column, row) = static_cast<float>(from(x, y)) * unit;
  }
}

/// The filter around a sample whose window begins there.
__device__ float low_passed(Under& under, int column, int row) {
  double sum = 0;
  HIPVMAF_UNROLL
  for (int v = -kRadius; v <= kRadius; ++v) {
    HIPVMAF_UNROLL
    for (int u = -kRadius; u <= kRadius; ++u) {
      const float tap = low_pass_tap(v < 0 ? -v : v, u < 0 ? -u : u);
      sum += static_cast<double>(under(column + kRadius + u, row + kRadius + v) * tap);
    }
  }
  return static_cast<float>(sum);
}

/// Blocks with a z of 0 make the reference.
template <class Sample>
__global__ void __launch_bounds__(kThreads)
    halve(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted, float unit,
          gpu::View2D<float> half_reference, gpu::View2D<float> half_distorted) {
  HIPVMAF_SHARED(Under, under);
  const bool makes_reference = blockIdx.z == 0;
  if (makes_reference) {
    load(reference.plane, unit, under);
  } else {
    load(distorted.plane, unit, under);
  }
  __syncthreads();
  const int column = static_cast<int>(threadIdx.x) % kTileColumns;
  const int row = static_cast<int>(threadIdx.x) / kTileColumns;
  const int x = static_cast<int>(blockIdx.x) * kTileColumns + column;
  const int y = static_cast<int>(blockIdx.y) * kTileRows + row;
  if (x >= half_reference.width || y >= half_reference.height) return;
  const float sample = low_passed(under, 2 * column, 2 * row);
  if (makes_reference) {
    half_reference(x, y) = sample;
  } else {
    half_distorted(x, y) = sample;
  }
}

/// Memory for scales 1 .. 4 of a picture.
class Pyramid {
 public:
  Pyramid(int width, int height) {
    for (gpu::Buffer2D<float>& scale : smaller_) {
      width = halved_side(width);
      height = halved_side(height);
      scale = {width, height};
    }
  }

  /// Scale `index` of a plane, of that size there.
  [[nodiscard]] gpu::View2D<float> scale(int index, gpu::Size size) const {
    return smaller_[static_cast<std::size_t>(index - 1)].view().cropped(size);
  }

 private:
  std::array<gpu::Buffer2D<float>, kScales - 1> smaller_;
};

template <class Sample>
class GpuScalesStage final : public GpuStageOf<FloatMsSsimRaw> {
 public:
  GpuScalesStage(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options, format)),
        unit_(luma_unit(format.bit_depth)),
        reference_(format.width, format.height),
        distorted_(format.width, format.height),
        rows_(heights(planes_, format)) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<FloatMsSsimRaw> raw) override {
    rows_.clear(stream);
    for (int p = 0; p < planes_; ++p) {
      measure_from<Sample>(stream, {window.current().reference.plane<Sample>(p)},
                           {window.current().distorted.plane<Sample>(p)}, unit_, p * kScales);
    }
    rows_.add(stream, {raw.data->sums[0].data(), planes_ * kScales});
  }

 private:
  static std::vector<int> heights(int planes, const PictureFormat& format) {
    std::vector<int> heights;
    for (int p = 0; p < planes; ++p) {
      int height = format.plane_height(p);
      for (int s = 0; s < kScales; ++s, height = halved_side(height)) heights.push_back(height);
    }
    return heights;
  }

  /// Measures the scale that belongs to `map` and those below it.
  template <class From>
  void measure_from(gpu::Stream& stream, gpu::Reference<From> reference,
                    gpu::Distorted<From> distorted, float unit, int map) {
    similarity::measure<From>(stream, {reference, distorted, unit, rows_.rows(map)});
    const int next = map % kScales + 1;
    if (next == kScales) return;
    const gpu::Size size{halved_side(reference.plane.width), halved_side(reference.plane.height)};
    const auto half_reference = reference_.scale(next, size);
    const auto half_distorted = distorted_.scale(next, size);
    const dim3 grid(gpu::blocks_for(size.width, kTileColumns),
                    gpu::blocks_for(size.height, kTileRows), 2);
    gpu::launch(stream, grid, kThreads, halve<From>, reference, distorted, unit, half_reference,
                half_distorted);
    measure_from<float>(stream, {half_reference.readable()}, {half_distorted.readable()}, 1.0F,
                        map + 1);
  }

  int planes_;
  float unit_;
  Pyramid reference_;
  Pyramid distorted_;
  similarity::MapRows rows_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuScalesStage<std::uint8_t>>(options, format);
  return std::make_unique<GpuScalesStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_ms_ssim
