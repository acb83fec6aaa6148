// The fixed-point motion on a GPU.
//
// A block takes a tile of kTileColumns columns and kTileRows rows. Each thread owns one column of
// the tile, or of the margin around it, and walks down its rows with the five differences around
// the current one in registers: it filters them vertically, leaves the result in shared memory and
// filters those of its neighbours horizontally.
#include "features/gpu_stage.hpp"
#include "features/motion/motion.hpp"
#include "features/motion/motion_math.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::motion {
namespace {

constexpr int kThreads = 128;
constexpr int kTileColumns = kThreads - 2 * kFilterRadius;
constexpr int kTileRows = 16;

template <class Sample>
struct Pictures {
  gpu::View2D<const Sample> earlier;
  gpu::View2D<const Sample> current;
};

/// Differences of one column: those of the rows around the current one.
template <class Depth>
struct Column {
  using Difference = typename Depth::Difference;
  Difference rows[2 * kFilterRadius + 1];

  __device__ void push(const Pictures<typename Depth::Sample>& pictures, int x, int y) {
    HIPVMAF_UNROLL
    for (int i = 0; i < 2 * kFilterRadius; ++i) rows[i] = rows[i + 1];
    rows[2 * kFilterRadius] =
        static_cast<Difference>(pictures.earlier(x, y) - pictures.current(x, y));
  }
  [[nodiscard]] __device__ std::int32_t filtered(int bit_depth) const {
    return filter_vertically<typename Depth::Sum>(static_cast<Difference>(rows[0] + rows[4]),
                                                  static_cast<Difference>(rows[1] + rows[3]),
                                                  rows[2], bit_depth);
  }
};

/// A row after the vertical pass, one value per thread. Two of them take turns, so that one barrier
/// per row is enough.
using FilteredRows = gpu::SharedArray<std::int32_t, 2 * kThreads>;

template <class Depth>
__global__ void __launch_bounds__(kThreads)
    sum_filtered_differences(Pictures<typename Depth::Sample> pictures, int bit_depth,
                             gpu::View1D<MotionRaw> raw) {
  HIPVMAF_SHARED(FilteredRows, filtered);
  const int width = pictures.current.width;
  const int height = pictures.current.height;
  const int rank = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kTileColumns + rank - kFilterRadius;
  // Columns of the margin are mirrored; those further out are not used, but must be readable.
  const int column = mirror(gpu::min(x, width - 1 + kFilterRadius), width);
  const bool owns_pixel = rank >= kFilterRadius && rank < kFilterRadius + kTileColumns && x < width;
  const int first_row = static_cast<int>(blockIdx.y) * kTileRows;
  const int rows = gpu::min(kTileRows, height - first_row);

  Column<Depth> differences{};
  for (int i = -kFilterRadius; i < kFilterRadius; ++i) {
    differences.push(pictures, column, mirror(first_row + i, height));
  }
  std::uint32_t sum = 0;  // of at most kTileRows values below 2^17
  for (int i = 0; i < rows; ++i) {
    differences.push(pictures, column, mirror(first_row + i + kFilterRadius, height));
    const int at = i % 2 * kThreads + rank;
    filtered[at] = differences.filtered(bit_depth);
    __syncthreads();
    if (owns_pixel) {
      const std::int32_t value = filter_horizontally(
          filtered[at - 2] + filtered[at + 2], filtered[at - 1] + filtered[at + 1], filtered[at]);
      sum += static_cast<std::uint32_t>(value < 0 ? -value : value);
    }
  }
  const std::uint64_t block_total = gpu::block_sum<kThreads>(std::uint64_t{sum});
  if (rank == 0) gpu::atomic_add(raw[0].sad, block_total);
}

template <class Depth>
class GpuStageOfDepth final : public GpuStageOf<MotionRaw> {
 public:
  using Sample = typename Depth::Sample;

  GpuStageOfDepth(int distance, const PictureFormat& format)
      : distance_(distance), size_{format.width, format.height}, bit_depth_(format.bit_depth) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<MotionRaw> raw) override {
    const DeviceFrame* earlier = window.earlier(distance_);
    if (earlier == nullptr) return;
    const Pictures<Sample> pictures{earlier->reference.plane<Sample>(0).cropped(size_),
                                    window.current().reference.plane<Sample>(0).cropped(size_)};
    const dim3 grid(gpu::blocks_for(size_.width, kTileColumns),
                    gpu::blocks_for(size_.height, kTileRows));
    gpu::launch(stream, grid, kThreads, sum_filtered_differences<Depth>, pictures, bit_depth_, raw);
  }

 private:
  int distance_;
  gpu::Size size_;
  int bit_depth_;
};

// For motion that is forced to zero.
class GpuZeroStage final : public GpuStageOf<MotionRaw> {
 protected:
  void measure(gpu::Stream&, const DeviceWindow&, gpu::View1D<MotionRaw>) override {}
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  const int frames_back = reach(options);
  if (frames_back == 0) return std::make_unique<GpuZeroStage>();
  if (format.bit_depth == 8) {
    return std::make_unique<GpuStageOfDepth<EightBits>>(frames_back, format);
  }
  if (format.bit_depth <= 14) {
    return std::make_unique<GpuStageOfDepth<UpTo14Bits>>(frames_back, format);
  }
  return std::make_unique<GpuStageOfDepth<UpTo16Bits>>(frames_back, format);
}

}  // namespace hipvmaf::motion
