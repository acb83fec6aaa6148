// The fixed-point VIF on a GPU: one launch per scale measures it and makes the next one.
//
// A block takes a tile of kTileColumns columns and kTileRows rows. Each thread owns one column of
// the tile, or of the margin around it, and walks down its rows with the rows around the current
// one in registers. Per row it filters vertically, leaves the results in shared memory, and filters
// those of its neighbours horizontally.
#include "features/gpu_stage.hpp"
#include "features/scored_planes.hpp"
#include "features/vif/vif.hpp"
#include "features/vif/vif_math.hpp"
#include "features/vif/vif_tables.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::vif {
namespace {

constexpr int kThreads = 128;
constexpr int kTileColumns = kThreads - 2 * kLargestRadius;
constexpr int kTileRows = 16;

/// What a launch measures and makes.
struct Job {
  int plane;
  int bit_depth;
  bool measures;  // false: only the next scale is made
  double gain_limit;
};

/// Rows around the current one, of one column.
template <class Sample, int kRadius>
struct Column {
  Sample rows[2 * kRadius + 1];

  __device__ std::uint32_t operator[](int distance) const { return rows[kRadius + distance]; }
  __device__ void push(Sample next) {
    HIPVMAF_UNROLL
    for (int i = 0; i < 2 * kRadius; ++i) rows[i] = rows[i + 1];
    rows[2 * kRadius] = next;
  }
};

/// A filter's tap as a constant: device code has no access to the table itself.
template <int kScale, int kDistance>
__device__ constexpr std::uint32_t tap() {
  constexpr std::uint32_t value = kFilters[kScale].taps[kDistance];
  return value;
}

/// Vertical pass over samples.
template <int kScale, class ColumnOfSamples>
__device__ std::uint32_t filtered_samples(const ColumnOfSamples& column) {
  std::uint32_t sum = tap<kScale, 0>() * column[0];
  for_each_distance<kScale>([&](auto distance) {
    constexpr int k = distance;
    sum += tap<kScale, k>() * (column[-k] + column[k]);
  });
  return sum;
}

/// Vertical pass over products; those of 8-bit samples fit 32 bits.
template <int kScale, class Sample, int kRadius>
__device__ std::uint32_t filtered_products(const Column<Sample, kRadius>& a,
                                           const Column<Sample, kRadius>& b, int shift) {
  using Sum = std::conditional_t<sizeof(Sample) == 1, std::uint32_t, std::uint64_t>;
  Sum sum = tap<kScale, 0>() * Sum{a[0] * b[0]};
  for_each_distance<kScale>([&](auto distance) {
    constexpr int k = distance;
    sum += tap<kScale, k>() * (Sum{a[-k] * b[-k]} + Sum{a[k] * b[k]});
  });
  return static_cast<std::uint32_t>((sum + half_of_shifted(shift)) >> shift);
}

/// A row of the vertical pass: one value per thread. Means of reference and distorted lie in the
/// halves of a word.
using SharedRow = gpu::SharedArray<std::uint32_t, kThreads>;

/// Horizontal pass over 32-bit values.
template <int kScale>
__device__ std::uint32_t filtered_row(SharedRow& row, int at) {
  std::uint64_t sum = (1U << 15) + tap<kScale, 0>() * std::uint64_t{row[at]};
  for_each_distance<kScale>([&](auto distance) {
    constexpr int k = distance;
    sum += tap<kScale, k>() * (std::uint64_t{row[at - k]} + row[at + k]);
  });
  return static_cast<std::uint32_t>(sum >> 16);
}

struct Means {
  std::uint32_t reference;
  std::uint32_t distorted;
};

/// Horizontal pass over packed means.
template <int kScale>
__device__ Means filtered_means(SharedRow& row, int at) {
  Means sum{tap<kScale, 0>() * (row[at] & 0xFFFFU), tap<kScale, 0>() * (row[at] >> 16)};
  for_each_distance<kScale>([&](auto distance) {
    constexpr int k = distance;
    const std::uint32_t left = row[at - k];
    const std::uint32_t right = row[at + k];
    sum.reference += tap<kScale, k>() * ((left & 0xFFFFU) + (right & 0xFFFFU));
    sum.distorted += tap<kScale, k>() * ((left >> 16) + (right >> 16));
  });
  return sum;
}

__device__ std::uint32_t packed(std::uint16_t reference, std::uint16_t distorted) {
  return reference | static_cast<std::uint32_t>(distorted) << 16;
}

/// Indices of the sums of a scale.
enum { kKept, kAvailable, kFlatVariance, kFlatPixels, kSumCount };
using ScaleSums = gpu::Sums<std::uint64_t, kSumCount>;

__device__ void add_pixel(std::int32_t reference, std::int32_t distorted, std::int32_t both,
                          double gain_limit, const std::uint16_t* log_table, ScaleSums& sums) {
  distorted = distorted > 0 ? distorted : 0;
  const bool flat = is_flat(reference);
  sums[kFlatVariance] += static_cast<std::uint32_t>(flat ? distorted : 0);
  sums[kFlatPixels] += flat ? 1U : 0U;
  if (flat) return;
  const Information pixel = information(reference, distorted, both, gain_limit);
  const std::uint32_t neural_noise = fixed_log2(log_key(kNoise), log_table);
  sums[kKept] +=
      fixed_log2(log_key(pixel.kept), log_table) - fixed_log2(log_key(pixel.noise), log_table);
  sums[kAvailable] += fixed_log2(log_key(pixel.available), log_table) - neural_noise;
}

template <int kScale, class Sample>
__global__ void __launch_bounds__(kThreads)
    measure_scale(gpu::Reference<Sample> reference, gpu::Distorted<Sample> distorted, Job job,
                  gpu::View1D<const std::uint16_t> log_table,
                  gpu::View2D<std::uint16_t> half_reference,
                  gpu::View2D<std::uint16_t> half_distorted, gpu::View1D<VifRaw> raw) {
  constexpr int kRadius = kFilters[kScale].radius;
  constexpr bool kMakesNext = kScale + 1 < kScales;
  constexpr int kNext = kMakesNext ? kScale + 1 : kScale;
  HIPVMAF_SHARED(SharedRow, means);
  HIPVMAF_SHARED(SharedRow, products_rr);
  HIPVMAF_SHARED(SharedRow, products_dd);
  HIPVMAF_SHARED(SharedRow, products_rd);
  HIPVMAF_SHARED(SharedRow, next_means);

  const int width = reference.plane.width;
  const int height = reference.plane.height;
  const int rank = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kTileColumns + rank - kLargestRadius;
  // Columns of the margin are mirrored; those further out are not used, but must be readable.
  const int column = mirrored(gpu::clamp(x, -kRadius, width - 1 + kRadius), width);
  const bool owns_pixel =
      rank >= kLargestRadius && rank < kLargestRadius + kTileColumns && x < width;
  const int first_row = static_cast<int>(blockIdx.y) * kTileRows;
  const int rows = gpu::min(kTileRows, height - first_row);
  const Shifts shifts = shifts_of(kScale, job.bit_depth);

  Column<Sample, kRadius> r;
  Column<Sample, kRadius> d;
  for (int i = -kRadius; i < kRadius; ++i) {
    const int y = mirrored(gpu::min(first_row + i, height - 1 + kRadius), height);
    r.push(reference.plane(column, y));
    d.push(distorted.plane(column, y));
  }
  ScaleSums sums{};
  for (int i = 0; i < rows; ++i) {
    const int y = mirrored(first_row + i + kRadius, height);
    r.push(reference.plane(column, y));
    d.push(distorted.plane(column, y));
    const bool makes_next = kMakesNext && i % 2 == 0 && (first_row + i) / 2 < half_reference.height;
    if (job.measures) {
      means[rank] = packed(rounded_mean(filtered_samples<kScale>(r), shifts.mean),
                           rounded_mean(filtered_samples<kScale>(d), shifts.mean));
      products_rr[rank] = filtered_products<kScale>(r, r, shifts.product);
      products_dd[rank] = filtered_products<kScale>(d, d, shifts.product);
      products_rd[rank] = filtered_products<kScale>(r, d, shifts.product);
    }
    if (makes_next) {
      next_means[rank] = packed(rounded_mean(filtered_samples<kNext>(r), shifts.mean),
                                rounded_mean(filtered_samples<kNext>(d), shifts.mean));
    }
    __syncthreads();
    if (job.measures && owns_pixel) {
      const Means mean = filtered_means<kScale>(means, rank);
      add_pixel(covariance(filtered_row<kScale>(products_rr, rank), mean.reference, mean.reference),
                covariance(filtered_row<kScale>(products_dd, rank), mean.distorted, mean.distorted),
                covariance(filtered_row<kScale>(products_rd, rank), mean.reference, mean.distorted),
                job.gain_limit, log_table.data, sums);
    }
    if (makes_next && owns_pixel && x % 2 == 0 && x / 2 < half_reference.width) {
      const Means mean = filtered_means<kNext>(next_means, rank);
      half_reference(x / 2, (first_row + i) / 2) =
          static_cast<std::uint16_t>((mean.reference + (1U << 15)) >> 16);
      half_distorted(x / 2, (first_row + i) / 2) =
          static_cast<std::uint16_t>((mean.distorted + (1U << 15)) >> 16);
    }
    __syncthreads();
  }
  if (!job.measures) return;
  sums = gpu::block_sum<kThreads>(sums);
  if (rank == 0) {
    VifSums& total = raw[0].sums[job.plane][kScale];
    gpu::atomic_add(total.kept_log2, static_cast<std::int64_t>(sums[kKept]));
    gpu::atomic_add(total.available_log2, static_cast<std::int64_t>(sums[kAvailable]));
    gpu::atomic_add(total.flat_variance, static_cast<std::int64_t>(sums[kFlatVariance]));
    gpu::atomic_add(total.flat_pixels, static_cast<std::int64_t>(sums[kFlatPixels]));
  }
}

/// Scales 1 .. 3 of one picture, in memory for the largest plane.
class SmallerScales {
 public:
  SmallerScales(int width, int height) {
    for (int s = 1; s < kScales; ++s) buffers_[s] = {width >> s, height >> s};
  }
  /// Scale `s` of a plane of that size at scale 0.
  [[nodiscard]] gpu::View2D<std::uint16_t> scale(int s, int width, int height) const {
    auto view = buffers_[s].view();
    view.width = width >> s;
    view.height = height >> s;
    return view;
  }

 private:
  std::array<gpu::Buffer2D<std::uint16_t>, kScales> buffers_;
};

template <class Sample>
class GpuScalesStage final : public GpuStageOf<VifRaw> {
 public:
  GpuScalesStage(const OptionValues& options, const PictureFormat& format)
      : format_(format),
        planes_(measured_planes(options, format)),
        skips_luma_scale0_(!measures_scale(options, 0, 0)),
        gain_limit_(options.real("vif_enhn_gain_limit")),
        log_table_(gpu::make_table<std::uint16_t>(log_table())),
        reference_(format.width, format.height),
        distorted_(format.width, format.height) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window, gpu::View1D<VifRaw> raw) override {
    for (int p = 0; p < planes_; ++p) {
      const gpu::Reference<Sample> reference{
          window.current().reference.plane<Sample>(p).cropped(size_of(p))};
      const gpu::Distorted<Sample> distorted{
          window.current().distorted.plane<Sample>(p).cropped(size_of(p))};
      measure_from<0>(stream, reference, distorted, p, raw);
    }
  }

 private:
  [[nodiscard]] gpu::Size size_of(int plane) const {
    return {scored_width(format_, plane), scored_height(format_, plane)};
  }

  template <int kScale, class ScaleSample>
  void measure_from(gpu::Stream& stream, gpu::Reference<ScaleSample> reference,
                    gpu::Distorted<ScaleSample> distorted, int plane, gpu::View1D<VifRaw> raw) {
    const gpu::Size size = size_of(plane);
    const Job job{plane, format_.bit_depth, kScale > 0 || plane > 0 || !skips_luma_scale0_,
                  gain_limit_};
    constexpr int kNext = kScale + 1 < kScales ? kScale + 1 : kScale;
    const auto half_reference = reference_.scale(kNext, size.width, size.height);
    const auto half_distorted = distorted_.scale(kNext, size.width, size.height);
    const dim3 grid(gpu::blocks_for(reference.plane.width, kTileColumns),
                    gpu::blocks_for(reference.plane.height, kTileRows));
    gpu::launch(stream, grid, kThreads, measure_scale<kScale, ScaleSample>, reference, distorted,
                job, log_table_.view().readable(), half_reference, half_distorted, raw);
    if constexpr (kNext > kScale) {
      measure_from<kNext>(stream, gpu::Reference<std::uint16_t>{half_reference.readable()},
                          gpu::Distorted<std::uint16_t>{half_distorted.readable()}, plane, raw);
    }
  }

  PictureFormat format_;
  int planes_;
  bool skips_luma_scale0_;
  double gain_limit_;
  gpu::Buffer<std::uint16_t> log_table_;
  SmallerScales reference_;
  SmallerScales distorted_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) {
    return std::make_unique<GpuScalesStage<std::uint8_t>>(options, format);
  }
  return std::make_unique<GpuScalesStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::vif
