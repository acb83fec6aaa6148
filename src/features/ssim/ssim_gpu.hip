// The integer SSIM on a GPU: a launch finds the terms of all pixels, then they are added in raster
// order.
//
// A block takes a tile of kTileColumns columns and kTileRows rows. Each thread owns one column of
// the tile, or of the margin around it, and walks down its rows with the rows around the current
// one in registers. Per row it sums the window's rows, leaves the sums in shared memory, and sums
// those of the columns around its own.
#include <type_traits>

#include "features/gpu_stage.hpp"
#include "features/ssim/ssim.hpp"
#include "features/ssim/ssim_math.hpp"
#include "gpu/kernel.hpp"
#include "gpu/ordered_sum.hpp"

namespace hipvmaf::ssim {
namespace {

constexpr int kThreads = 128;
constexpr int kTileColumns = kThreads - 2 * kRadius;
constexpr int kTileRows = 16;

/// Holds the window sums of products: below 2^32 for 8-bit samples, 2^48 for others.
template <class Sample>
using ProductSum = std::conditional_t<sizeof(Sample) == 1, std::uint32_t, std::uint64_t>;

/// Rows around the current one, of one column.
template <class Sample>
struct Column {
  Sample rows[2 * kRadius + 1];

  __device__ std::uint32_t operator[](int distance) const { return rows[kRadius + distance]; }
  __device__ void push(Sample next) {
    HIPVMAF_UNROLL
    for (int i = 0; i < 2 * kRadius; ++i) rows[i] = rows[i + 1];
    rows[2 * kRadius] = next;
  }
};

/// Sum over the window in one direction; `value(k)` is the one at distance k from the centre.
template <class Sum, class ValueAt>
__device__ Sum window_sum(const ValueAt& value) {
  Sum sum = static_cast<Sum>(window_tap(0)) * value(0);
  HIPVMAF_UNROLL
  for (int k = 1; k <= kRadius; ++k) {
    sum += static_cast<Sum>(window_tap(k)) * (value(-k) + value(k));
  }
  return sum;
}

template <class Sum, class Sample>
__device__ Sum sum_samples(const Column<Sample>& column) {
  return window_sum<Sum>([&column](int k) { return column[k]; });
}
template <class Sum, class Sample>
__device__ Sum sum_products(const Column<Sample>& a, const Column<Sample>& b) {
  return window_sum<Sum>([&](int k) { return Sum{a[k] * b[k]}; });
}

/// Vertical sums of two rows, one value per thread: threads that are ahead fill one while others
/// read the other.
template <class Sum>
using SharedRows = gpu::SharedArray<Sum, 2 * kThreads>;

template <class Sum>
__device__ double sum_columns(SharedRows<Sum>& rows, int at) {
  return static_cast<double>(window_sum<Sum>([&](int k) { return rows[at + k]; }));
}

template <class Sample>
__global__ void __launch_bounds__(kThreads)
    find_terms(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted,
               Stabilisers stabilisers, gpu::View1D<double> terms) {
  using Sum = ProductSum<Sample>;
  using MeanRows = SharedRows<std::uint32_t>;
  using ProductRows = SharedRows<Sum>;
  HIPVMAF_SHARED(MeanRows, sums_r);
  HIPVMAF_SHARED(MeanRows, sums_d);
  HIPVMAF_SHARED(ProductRows, sums_rr);
  HIPVMAF_SHARED(ProductRows, sums_rd);
  HIPVMAF_SHARED(ProductRows, sums_dd);

  const int width = reference.plane.width;
  const int height = reference.plane.height;
  const int rank = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kTileColumns + rank - kRadius;
  const bool is_inside = x >= 0 && x < width;
  const bool owns_pixel = rank >= kRadius && rank < kRadius + kTileColumns && is_inside;
  const int first_row = static_cast<int>(blockIdx.y) * kTileRows;
  const int rows = gpu::min(kTileRows, height - first_row);
  const int column_weight = inside_weight(x, width);

  // Zeros outside the picture add nothing to a sum.
  const auto push_row = [&](int y, Column<Sample>& r, Column<Sample>& d) {
    const bool counts = is_inside && y >= 0 && y < height;
    r.push(counts ? reference.plane(x, y) : Sample{0});
    d.push(counts ? distorted.plane(x, y) : Sample{0});
  };
  Column<Sample> r;
  Column<Sample> d;
  for (int i = -kRadius; i < kRadius; ++i) push_row(first_row + i, r, d);
  for (int i = 0; i < rows; ++i) {
    const int y = first_row + i;
    push_row(y + kRadius, r, d);
    const int at = i % 2 * kThreads + rank;
    sums_r[at] = sum_samples<std::uint32_t>(r);
    sums_d[at] = sum_samples<std::uint32_t>(d);
    sums_rr[at] = sum_products<Sum>(r, r);
    sums_rd[at] = sum_products<Sum>(r, d);
    sums_dd[at] = sum_products<Sum>(d, d);
    __syncthreads();
    if (owns_pixel) {
      const double weight = static_cast<double>(column_weight * inside_weight(y, height));
      terms[y * width + x] =
          term_of({weight, sum_columns(sums_r, at), sum_columns(sums_d, at),
                   sum_columns(sums_rr, at), sum_columns(sums_rd, at), sum_columns(sums_dd, at)},
                  stabilisers);
    }
  }
}

template <class Sample>
class GpuTermsStage final : public GpuStageOf<SsimRaw> {
 public:
  explicit GpuTermsStage(const PictureFormat& format)
      : stabilisers_(stabilisers_of(format.bit_depth)),
        sums_(std::array{format.width * format.height}) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window, gpu::View1D<SsimRaw> raw) override {
    const gpu::Reference<Sample> reference{window.current().reference.plane<Sample>(0)};
    const gpu::Distorted<Sample> distorted{window.current().distorted.plane<Sample>(0)};
    const dim3 grid(gpu::blocks_for(reference.plane.width, kTileColumns),
                    gpu::blocks_for(reference.plane.height, kTileRows));
    gpu::launch(stream, grid, kThreads, find_terms<Sample>, reference, distorted, stabilisers_,
                sums_.values(0));
    sums_.add(stream, {&raw.data->weighted_similarity, 1});
  }

 private:
  Stabilisers stabilisers_;
  gpu::OrderedSums<gpu::OneSum<double>> sums_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues&, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuTermsStage<std::uint8_t>>(format);
  return std::make_unique<GpuTermsStage<std::uint16_t>>(format);
}

}  // namespace hipvmaf::ssim
