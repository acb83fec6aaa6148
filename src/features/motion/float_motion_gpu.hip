// The floating-point motion on a GPU.
//
// A block takes a tile of columns and rows of both pictures. Each thread owns one column of the
// tile, or of the margin around it, and walks down its rows with the samples around the current one
// in registers, filters them vertically, leaves the results in shared memory and filters those of
// its neighbours horizontally. The absolute differences go to memory, because their sums have an
// order (row_sums_gpu.hpp).
#include <cmath>

#include "features/gpu_stage.hpp"
#include "features/motion/float_motion.hpp"
#include "features/motion/float_motion_math.hpp"
#include "features/motion/motion_math.hpp"
#include "features/row_sums_gpu.hpp"
#include "features/scored_planes.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::float_motion {
namespace {

constexpr int kThreads = 128;
constexpr int kMaxRadius = motion::kFilterRadius;
constexpr int kTileColumns = kThreads - 2 * kMaxRadius;
constexpr int kTileRows = 16;
constexpr int kMaxPlanes = 3;

template <class Sample>
struct Pictures {
  gpu::View2D<const Sample> earlier;
  gpu::View2D<const Sample> current;
};

/// Where blurred planes and their absolute differences go.
struct Blurred {
  gpu::View2D<float> earlier;
  gpu::View2D<float> current;
  gpu::View2D<float> difference;
  bool keeps_planes;  // false: only the difference is wanted
};

template <int kTaps>
__device__ float weigh(const float* samples) {
  constexpr Taps<kTaps> taps = gaussian_taps<kTaps>();
  float sum = taps.values[0] * samples[0];
  HIPVMAF_UNROLL
  for (int k = 1; k < kTaps; ++k) sum += taps.values[k] * samples[k];
  return sum;
}

/// Samples of one column: those of the rows around the current one.
template <int kTaps>
struct Column {
  float rows[kTaps];

  __device__ void push(float next) {
    HIPVMAF_UNROLL
    for (int i = 0; i + 1 < kTaps; ++i) rows[i] = rows[i + 1];
    rows[kTaps - 1] = next;
  }
};

/// A row after the vertical pass, one value per thread. Two of them take turns, so that one barrier
/// per row is enough.
using FilteredRows = gpu::SharedArray<float, 2 * kThreads>;

/// Horizontal pass.
template <int kTaps>
__device__ float filtered_row(FilteredRows& rows, int at) {
  float samples[kTaps];
  HIPVMAF_UNROLL
  for (int k = 0; k < kTaps; ++k) samples[k] = rows[at + k - kTaps / 2];
  return weigh<kTaps>(samples);
}

template <class Sample, int kTaps>
__global__ void __launch_bounds__(kThreads)
    blur_pictures(Pictures<Sample> pictures, float code_value, Blurred out) {
  constexpr int kRadius = kTaps / 2;
  HIPVMAF_SHARED(FilteredRows, filtered_earlier);
  HIPVMAF_SHARED(FilteredRows, filtered_current);
  const int width = pictures.current.width;
  const int height = pictures.current.height;
  const int rank = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kTileColumns + rank - kMaxRadius;
  // Columns of the margin are mirrored; those further out are not used, but must be readable.
  const int column = motion::mirror(gpu::min(x, width - 1 + kMaxRadius), width);
  const bool owns_pixel = rank >= kMaxRadius && rank < kMaxRadius + kTileColumns && x < width;
  const int first_row = static_cast<int>(blockIdx.y) * kTileRows;
  const int rows = gpu::min(kTileRows, height - first_row);

  Column<kTaps> earlier{};
  Column<kTaps> current{};
  for (int i = -kRadius; i < kRadius; ++i) {
    const int y = motion::mirror(first_row + i, height);
    earlier.push(centred(pictures.earlier(column, y), code_value));
    current.push(centred(pictures.current(column, y), code_value));
  }
  for (int i = 0; i < rows; ++i) {
    const int y = motion::mirror(first_row + i + kRadius, height);
    earlier.push(centred(pictures.earlier(column, y), code_value));
    current.push(centred(pictures.current(column, y), code_value));
    const int at = i % 2 * kThreads + rank;
    filtered_earlier[at] = weigh<kTaps>(earlier.rows);
    filtered_current[at] = weigh<kTaps>(current.rows);
    __syncthreads();
    if (owns_pixel) {
      const float a = filtered_row<kTaps>(filtered_earlier, at);
      const float b = filtered_row<kTaps>(filtered_current, at);
      out.difference(x, first_row + i) = std::fabs(a - b);
      if (out.keeps_planes) {
        out.earlier(x, first_row + i) = a;
        out.current(x, first_row + i) = b;
      }
    }
  }
}

__device__ inline float halved_sample(const gpu::View2D<float>& plane, const HalvedPosition& column,
                                      const HalvedPosition& row) {
  return interpolate(&plane(0, row.low), &plane(0, row.high), row.fraction, column);
}

/// Difference of the blurred planes at half their size: one thread per sample.
__global__ void __launch_bounds__(kThreads) halve_planes(Blurred from, gpu::View2D<float> to) {
  const int x = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y);
  if (x >= to.width) return;
  const HalvedPosition column = halved_position(x, from.current.width);
  const HalvedPosition row = halved_position(y, from.current.height);
  to(x, y) = std::fabs(halved_sample(from.earlier, column, row) -
                       halved_sample(from.current, column, row));
}

/// The sums that a frame's raw scores consist of, and how many rows each has.
constexpr int kSums = 2 * kMaxPlanes;
struct RowCounts {
  int of[kSums];
};
constexpr int full_sum(int plane) { return plane; }
constexpr int halved_sum(int plane) { return kMaxPlanes + plane; }

/// A block for each of the frame's sums adds up its rows.
__global__ void __launch_bounds__(kRowSumThreads)
    sum_planes(gpu::View2D<const float> row_sums, RowCounts counts,
               gpu::View1D<FloatMotionRaw> raw) {
  const int index = static_cast<int>(blockIdx.x);
  const int rows = counts.of[index];
  const float sum = sum_of_rows(row_sums, index, 0, rows);
  if (threadIdx.x > 0 || rows == 0) return;
  if (index < kMaxPlanes) {
    raw[0].full[static_cast<std::size_t>(index)] = sum;
  } else {
    raw[0].halved[static_cast<std::size_t>(index - kMaxPlanes)] = sum;
  }
}

template <class Sample>
class GpuBlurStage final : public GpuStageOf<FloatMotionRaw> {
 public:
  GpuBlurStage(const OptionValues& options, const PictureFormat& format)
      : format_(format),
        planes_(measured_planes(options)),
        taps_(taps_of(options)),
        adds_halved_(options.flag("motion_add_scale1")),
        difference_(format.width, format.height),
        row_sums_(format.height, kSums) {
    if (!adds_halved_) return;
    earlier_ = {format.width, format.height};
    current_ = {format.width, format.height};
  }

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<FloatMotionRaw> raw) override {
    const DeviceFrame* earlier = window.earlier(1);
    if (earlier == nullptr) return;
    RowCounts counts{};
    for (int p = 0; p < planes_; ++p) {
      const gpu::Size size{scored_width(format_, p), scored_height(format_, p)};
      const Pictures<Sample> pictures{earlier->reference.plane<Sample>(p).cropped(size),
                                      window.current().reference.plane<Sample>(p).cropped(size)};
      const Blurred blurred{earlier_.view().cropped(size), current_.view().cropped(size),
                            difference_.view().cropped(size), adds_halved_};
      if (taps_ == 1) blur<1>(stream, pictures, blurred);
      if (taps_ == 3) blur<3>(stream, pictures, blurred);
      if (taps_ == 5) blur<5>(stream, pictures, blurred);
      add_up_rows(stream, blurred.difference, full_sum(p), counts);
      if (adds_halved_) add_halved(stream, blurred, halved_sum(p), counts);
    }
    gpu::launch(stream, kSums, kRowSumThreads, sum_planes, row_sums_.view().readable(), counts,
                raw);
  }

 private:
  template <int kTaps>
  void blur(gpu::Stream& stream, const Pictures<Sample>& pictures, const Blurred& out) {
    const dim3 grid(gpu::blocks_for(pictures.current.width, kTileColumns),
                    gpu::blocks_for(pictures.current.height, kTileRows));
    gpu::launch(stream, grid, kThreads, blur_pictures<Sample, kTaps>, pictures,
                code_value_of(format_.bit_depth), out);
  }

  /// Takes the place of the difference at full size, which has been added up.
  void add_halved(gpu::Stream& stream, const Blurred& blurred, int sum, RowCounts& counts) {
    const gpu::View2D<float> halved = blurred.difference.cropped(
        {halved_size(blurred.current.width), halved_size(blurred.current.height)});
    const dim3 grid(gpu::blocks_for(halved.width, kThreads), static_cast<unsigned>(halved.height));
    gpu::launch(stream, grid, kThreads, halve_planes, blurred, halved);
    add_up_rows(stream, halved, sum, counts);
  }

  void add_up_rows(gpu::Stream& stream, const gpu::View2D<float>& terms, int sum,
                   RowCounts& counts) {
    counts.of[sum] = terms.height;
    queue_row_sums(stream, SummedPlanes<float, 1>{{terms.readable()}}, sum, row_sums_.view());
  }

  PictureFormat format_;
  int planes_;
  int taps_;
  bool adds_halved_;
  gpu::Buffer2D<float> difference_;
  gpu::Buffer2D<float> row_sums_;  // a row per sum
  gpu::Buffer2D<float> earlier_;   // blurred; likewise the current one
  gpu::Buffer2D<float> current_;
};

// For motion that is forced to zero.
class GpuZeroStage final : public GpuStageOf<FloatMotionRaw> {
 protected:
  void measure(gpu::Stream&, const DeviceWindow&, gpu::View1D<FloatMotionRaw>) override {}
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (options.flag("motion_force_zero")) return std::make_unique<GpuZeroStage>();
  if (format.bit_depth == 8) return std::make_unique<GpuBlurStage<std::uint8_t>>(options, format);
  return std::make_unique<GpuBlurStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_motion
