// The binary32 ADM on a GPU: one launch per scale, and two that add up the values of all scales.
//
// Blocks and threads walk through a scale as in adm/adm_gpu.hip. But sums are made in a given order
// here (row_sums_gpu.hpp), so a scale's kernel leaves the values themselves in memory.
#include "features/adm/adm_tile.hpp"
#include "features/float_adm/float_adm.hpp"
#include "features/float_adm/float_adm_math.hpp"
#include "features/float_adm/float_adm_scales.hpp"
#include "features/float_luma_math.hpp"
#include "features/gpu_stage.hpp"
#include "features/row_sums_gpu.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::float_adm {
namespace {

using adm::InputWindow;
using adm::kDetailBands;
using adm::kScaleCount;
using adm::TileColumn;
using adm::TileRows;

/// Sums of a scale: those of H, V, D for each of these.
enum { kNum, kAim, kDen, kKinds };
constexpr int kSums = kKinds * kDetailBands;

/// Input is picture samples or (float) an A band. The coarser scales are small; smaller tiles keep
/// more of the device busy.
template <class Input>
using ShapeFor =
    std::conditional_t<std::is_same_v<Input, float>, adm::TileShape<64, 4>, adm::TileShape<128, 8>>;

struct Job {
  ScaleSetup scale;
  MaskingOptions options;
  float unit;       // of the picture's samples
  bool measures;    // false: only the next scale's input is made
  bool makes_next;  // whether there is one
};

// --- Wavelet.

/// What is transformed, from a sample of a picture or of an A band.
template <class Sample>
__device__ float input_value(Sample sample, float unit) {
  return static_cast<float>(sample) * unit + kLumaOffset;
}
__device__ float input_value(float sample, float /*unit*/) { return sample; }

/// Output of the two vertical filters.
struct LowHigh {
  float low;
  float high;
};

__device__ LowHigh filtered_down(const float (&s)[4]) {
  return {low_pass(s[0], s[1], s[2], s[3]), high_pass(s[0], s[1], s[2], s[3])};
}

/// Vertical filters' output of a row, one band column per thread.
template <int kThreads>
struct SharedColumns {
  gpu::SharedArray<LowHigh, kThreads> even;
  gpu::SharedArray<LowHigh, kThreads> odd;

  __device__ void set(int rank, const InputWindow<float>& rows) {
    even[rank] = filtered_down(rows.even);
    odd[rank] = filtered_down(rows.odd);
  }
};

/// Coefficients of a position.
struct Bands {
  float a;
  float detail[kDetailBands];
};

template <int kThreads>
__device__ Bands filtered_across(SharedColumns<kThreads>& columns, int rank) {
  const LowHigh s0 = columns.odd[gpu::max(rank - 1, 0)];
  const LowHigh s1 = columns.even[rank];
  const LowHigh s2 = columns.odd[rank];
  const LowHigh s3 = columns.even[gpu::min(rank + 1, kThreads - 1)];
  return {low_pass(s0.low, s1.low, s2.low, s3.low),
          {low_pass(s0.high, s1.high, s2.high, s3.high), high_pass(s0.low, s1.low, s2.low, s3.low),
           high_pass(s0.high, s1.high, s2.high, s3.high)}};
}

// --- Decoupling and masking.

/// Weighted magnitudes of H, V, D at a position.
struct Magnitudes {
  float of[kDetailBands];
};
struct Signals {
  Magnitudes restored;
  Magnitudes additive;
};

__device__ Signals decoupled(const Bands& reference, const Bands& distorted, const Job& job) {
  const bool enhancement = same_direction(reference.detail[0], reference.detail[1],
                                          distorted.detail[0], distorted.detail[1]);
  Signals signals{};
  HIPVMAF_UNROLL
  for (int b = 0; b < kDetailBands; ++b) {
    const float o = reference.detail[b];
    const float t = distorted.detail[b];
    const float r = restored(kept_ratio(o, t), o, t, enhancement, job.options.gain_limit);
    const float csf = job.scale.csf[static_cast<std::size_t>(b)];
    signals.restored.of[b] = weighted_magnitude(r, csf);
    signals.additive.of[b] = weighted_magnitude(t - r, csf);
  }
  return signals;
}

/// What a masker's bands add to the thresholds beside them, one column per thread.
template <int kThreads>
struct SharedNeighbours {
  gpu::SharedArray<float, kThreads> of[kDetailBands];

  __device__ void set(int rank, const Magnitudes& magnitudes) {
    HIPVMAF_UNROLL
    for (int b = 0; b < kDetailBands; ++b) of[b][rank] = masks_neighbour(magnitudes.of[b]);
  }
};

/// Thresholds that a masker makes in the rows of a column, each as far as it is known.
struct Thresholds {
  float unfinished[kDetailBands];  // of the last row: without the row below it
  float row[kDetailBands];         // the last row, as the one above the next

  /// Takes a row. Returns the threshold of the row above it.
  template <int kThreads>
  __device__ float push(const Magnitudes& here, SharedNeighbours<kThreads>& neighbours,
                        const TileColumn& column) {
    float threshold = 0;
    HIPVMAF_UNROLL
    for (int b = 0; b < kDetailBands; ++b) {
      const float left = neighbours.of[b][column.left];
      const float middle = neighbours.of[b][column.rank];
      const float right = neighbours.of[b][column.right];
      threshold += with_row_below(unfinished[b], left, middle, right);
      unfinished[b] = with_own_row(row[b], left, here.of[b], right);
      row[b] = row_above(left, middle, right);
    }
    return threshold;
  }
};

// --- Values.

/// Values to be summed, one row below the other: the scored rows of each of kSums in turn.
using Values = gpu::View2D<float>;

__device__ float pooled(float value, const MaskingOptions& options) {
  return options.pooling_norm == 3 ? cube(value)
                                   : power(value, static_cast<float>(options.pooling_norm));
}

/// Values of a position, `y` counted from the first scored row; unmasked if the threshold is 0.
__device__ void store(const Values& values, int kind, int x, int y, const Magnitudes& magnitudes,
                      float threshold, const Job& job) {
  const int rows = job.scale.region_height();
  HIPVMAF_UNROLL
  for (int b = 0; b < kDetailBands; ++b) {
    values(x, (kind * kDetailBands + b) * rows + y) =
        pooled(unmasked(magnitudes.of[b], threshold), job.options);
  }
}

__device__ Magnitudes weighted(const Bands& reference, const ScaleSetup& scale) {
  Magnitudes magnitudes{};
  HIPVMAF_UNROLL
  for (int b = 0; b < kDetailBands; ++b) {
    magnitudes.of[b] =
        weighted_magnitude(reference.detail[b], scale.csf[static_cast<std::size_t>(b)]);
  }
  return magnitudes;
}

template <class Input>
__global__ void __launch_bounds__(ShapeFor<Input>::kThreads)
    measure_scale(gpu::Reference<Input> reference, gpu::Distorted<Input> distorted, Job job,
                  gpu::View2D<float> next_reference, gpu::View2D<float> next_distorted,
                  Values values) {
  using Shape = ShapeFor<Input>;
  using Columns = SharedColumns<Shape::kThreads>;
  using Neighbours = SharedNeighbours<Shape::kThreads>;
  HIPVMAF_SHARED(Columns, reference_columns);
  HIPVMAF_SHARED(Columns, distorted_columns);
  HIPVMAF_SHARED(Neighbours, restored_neighbours);
  HIPVMAF_SHARED(Neighbours, additive_neighbours);

  const ScaleSetup& scale = job.scale;
  const TileRows rows = adm::tile_rows<Shape>(scale, job.measures);
  if (!rows.measures && !job.makes_next) return;
  const TileColumn column = adm::tile_column<Shape>(scale);
  const int rank = column.rank;
  const int region_x = column.x - scale.left;
  const auto load = [unit = job.unit](Input sample) { return input_value(sample, unit); };

  adm::InputWindows<float> input;
  Signals above{};
  Thresholds restored_thresholds{};
  Thresholds additive_thresholds{};
  input.move_to(rows.first_walked, scale, reference, distorted, column, load);
  for (int i = rows.first_walked; i < rows.end_walked; ++i) {
    reference_columns.set(rank, input.reference);
    distorted_columns.set(rank, input.distorted);
    if (i + 1 < rows.end_walked) {  // read now, so that the rest hides how long it takes
      input.move_to(i + 1, scale, reference, distorted, column, load);
    }
    __syncthreads();
    const Bands ref = filtered_across(reference_columns, rank);
    const Bands dis = filtered_across(distorted_columns, rank);
    if (job.makes_next && column.owned && rows.own(i)) {
      next_reference(column.x, i) = ref.a;
      next_distorted(column.x, i) = dis.a;
    }
    Signals here{};
    if (rows.mask(i) && column.masks) here = decoupled(ref, dis, job);
    restored_neighbours.set(rank, here.restored);
    additive_neighbours.set(rank, here.additive);
    __syncthreads();
    if (!rows.mask(i)) continue;

    float restored_threshold = restored_thresholds.push(here.restored, restored_neighbours, column);
    float additive_threshold = additive_thresholds.push(here.additive, additive_neighbours, column);
    if (!job.options.masks) restored_threshold = additive_threshold = 0;
    if (column.scored && rows.score(i - 1)) {
      const int region_y = i - 1 - scale.top;
      store(values, kNum, region_x, region_y, above.restored, additive_threshold, job);
      store(values, kAim, region_x, region_y, above.additive, restored_threshold, job);
    }
    if (column.scored && rows.score(i)) {
      store(values, kDen, region_x, i - scale.top, weighted(ref, scale), 0, job);
    }
    above = here;
  }
}

// --- Sums.

using SummedValues = SummedPlanes<float, kScaleCount>;

/// Rows that each sum of a scale has.
struct SummedRows {
  int count[kScaleCount];
};

/// A block per sum (x) and scale (y).
__global__ void __launch_bounds__(kRowSumThreads)
    sum_bands(SummedRows rows, gpu::View2D<const float> row_sums, gpu::View1D<FloatAdmRaw> raw) {
  const int index = static_cast<int>(blockIdx.x);
  const int scale = static_cast<int>(blockIdx.y);
  const int count = rows.count[scale];
  const float sum = sum_of_rows(row_sums, scale, index * count, count);
  if (threadIdx.x > 0 || count == 0) return;
  FloatAdmRaw::Scale& sums = raw[0].scale[static_cast<std::size_t>(scale)];
  const int kind = index / kDetailBands;
  const auto band = static_cast<std::size_t>(index % kDetailBands);
  if (kind == kNum) sums.num[band] = sum;
  if (kind == kAim) sums.aim[band] = sum;
  if (kind == kDen) sums.den[band] = sum;
}

using ABands = std::array<gpu::Buffer2D<float>, kScaleCount - 1>;

ABands make_a_bands(const Setup& setup) {
  ABands bands;
  for (std::size_t s = 0; s < bands.size(); ++s) bands[s] = {setup[s].width, setup[s].height};
  return bands;
}

template <class Sample>
class GpuScalesStage final : public GpuStageOf<FloatAdmRaw> {
 public:
  GpuScalesStage(const OptionValues& options, const PictureFormat& format)
      : setup_(make_setup(options, format)),
        options_(masking_options(options)),
        unit_(luma_unit(format.bit_depth)),
        skips_scale0_(options.flag("adm_skip_scale0")),
        reference_a_(make_a_bands(setup_)),
        distorted_a_(make_a_bands(setup_)),
        row_sums_(kSums * setup_[0].region_height(), kScaleCount) {
    for (std::size_t s = 0; s < setup_.size(); ++s) {
      if (!measures(s)) continue;
      rows_.count[s] = setup_[s].region_height();
      values_[s] = {setup_[s].region_width(), kSums * rows_.count[s]};
      summed_.planes[s] = values_[s].view().readable();
    }
  }

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<FloatAdmRaw> raw) override {
    const DeviceFrame& frame = window.current();
    measure_scale_of(stream, 0, gpu::Reference<Sample>{frame.reference.plane<Sample>(0)},
                     gpu::Distorted<Sample>{frame.distorted.plane<Sample>(0)});
    for (std::size_t s = 1; s < setup_.size(); ++s) {
      measure_scale_of(stream, s, gpu::Reference<float>{reference_a_[s - 1].view().readable()},
                       gpu::Distorted<float>{distorted_a_[s - 1].view().readable()});
    }
    queue_row_sums(stream, summed_, 0, row_sums_.view());
    gpu::launch(stream, dim3(kSums, kScaleCount), kRowSumThreads, sum_bands, rows_,
                row_sums_.view().readable(), raw);
  }

 private:
  [[nodiscard]] bool measures(std::size_t scale) const { return scale > 0 || !skips_scale0_; }

  template <class Input>
  void measure_scale_of(gpu::Stream& stream, std::size_t s, gpu::Reference<Input> reference,
                        gpu::Distorted<Input> distorted) {
    using Shape = ShapeFor<Input>;
    const bool makes_next = s < reference_a_.size();
    const Job job{setup_[s], options_, unit_, measures(s), makes_next};
    const auto next_of = [&](const ABands& bands) {
      return makes_next ? bands[s].view() : gpu::View2D<float>{};
    };
    gpu::launch(stream, Shape::grid(setup_[s]), Shape::kThreads, measure_scale<Input>, reference,
                distorted, job, next_of(reference_a_), next_of(distorted_a_), values_[s].view());
  }

  Setup setup_;
  MaskingOptions options_;
  float unit_;
  bool skips_scale0_;
  ABands reference_a_;
  ABands distorted_a_;
  std::array<gpu::Buffer2D<float>, kScaleCount> values_;
  gpu::Buffer2D<float> row_sums_;  // one row per scale
  SummedValues summed_{};          // none of a skipped scale
  SummedRows rows_{};              // likewise
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) {
    return std::make_unique<GpuScalesStage<std::uint8_t>>(options, format);
  }
  return std::make_unique<GpuScalesStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_adm
