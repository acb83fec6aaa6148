// The fixed-point ADM on a GPU: one launch per scale, and one that pools them all.
//
// A block takes a tile of a scale's bands, for both pictures. Each thread owns one band column of
// the tile, or of the margin around it, and walks down its rows. Per row it filters its two input
// columns vertically, gets those beside them through shared memory and filters horizontally. Only
// the A bands are written. Detail is decoupled and weighted where it is made; what it adds to the
// thresholds beside it goes through shared memory, and what it adds to those above and below stays
// in registers until the next row, so that a row is scored one row late.
//
// The values of a row are rounded when the whole row is summed up: a block leaves the sums of its
// rows in memory, and the pooling kernel adds up the blocks of each row, rounds, and adds the rows.
#include "features/adm/adm.hpp"
#include "features/adm/adm_math.hpp"
#include "features/adm/adm_scales.hpp"
#include "features/adm/adm_tile.hpp"
#include "features/gpu_stage.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::adm {
namespace {

/// Sums of a row: those of H, V, D for each of these.
enum { kNum, kAim, kDen, kKinds };
constexpr int kSums = kKinds * kDetailBands;

/// How a scale whose input is `Input` is computed: picture samples, or the A band of scale 0
/// (int16_t) or a coarser one (int32_t).
template <class Input>
struct Scale {
  static constexpr bool kPicture = std::is_unsigned_v<Input>;
  using Arithmetic = std::conditional_t<kPicture, Fine, Coarse>;
  using Coefficient = typename Arithmetic::Coefficient;
  using Sum = std::conditional_t<kPicture, std::int32_t, std::int64_t>;

  // The coarser scales are small; smaller tiles keep more of the device busy.
  using Shape = std::conditional_t<kPicture, TileShape<128, 8>, TileShape<64, 4>>;
};

struct Job {
  ScaleSetup scale;
  MaskingOptions options;
  bool measures;    // false: only the next scale's input is made
  bool makes_next;  // whether there is one
};

// --- Wavelet.

/// Output of the two vertical filters.
template <class Coefficient>
struct LowHigh {
  Coefficient low;
  Coefficient high;
};

template <class Coefficient, class Sum>
__device__ Coefficient scaled(Sum sum, int shift) {
  return static_cast<Coefficient>((sum + static_cast<Sum>(half_of(shift))) >> shift);
}

template <class Input>
__device__ LowHigh<typename Scale<Input>::Coefficient> filtered_down(const Input (&column)[4],
                                                                     int shift) {
  using Coefficient = typename Scale<Input>::Coefficient;
  using Sum = typename Scale<Input>::Sum;
  Sum s[4];
  HIPVMAF_UNROLL
  for (int k = 0; k < 4; ++k) {
    if constexpr (Scale<Input>::kPicture) {
      s[k] = centred(column[k], static_cast<std::int32_t>(half_of(shift)));
    } else {
      s[k] = column[k];
    }
  }
  return {scaled<Coefficient>(low_pass(s[0], s[1], s[2], s[3]), shift),
          scaled<Coefficient>(high_pass(s[0], s[1], s[2], s[3]), shift)};
}

/// Vertical filters' output of a row, one band column per thread.
template <class Input>
struct SharedColumns {
  using Column = LowHigh<typename Scale<Input>::Coefficient>;
  gpu::SharedArray<Column, Scale<Input>::Shape::kThreads> even;
  gpu::SharedArray<Column, Scale<Input>::Shape::kThreads> odd;

  __device__ void set(int rank, const InputWindow<Input>& rows, int shift) {
    even[rank] = filtered_down(rows.even, shift);
    odd[rank] = filtered_down(rows.odd, shift);
  }
};

/// Coefficients of a position.
template <class Coefficient>
struct Bands {
  Coefficient a;
  Coefficient detail[kDetailBands];
};

template <class Input>
__device__ Bands<typename Scale<Input>::Coefficient> filtered_across(SharedColumns<Input>& columns,
                                                                     int rank, int shift) {
  using Coefficient = typename Scale<Input>::Coefficient;
  using Sum = typename Scale<Input>::Sum;
  const auto s0 = columns.odd[gpu::max(rank - 1, 0)];
  const auto s1 = columns.even[rank];
  const auto s2 = columns.odd[rank];
  const auto s3 = columns.even[gpu::min(rank + 1, Scale<Input>::Shape::kThreads - 1)];
  return {scaled<Coefficient>(low_pass<Sum>(s0.low, s1.low, s2.low, s3.low), shift),
          {scaled<Coefficient>(low_pass<Sum>(s0.high, s1.high, s2.high, s3.high), shift),
           scaled<Coefficient>(high_pass<Sum>(s0.low, s1.low, s2.low, s3.low), shift),
           scaled<Coefficient>(high_pass<Sum>(s0.high, s1.high, s2.high, s3.high), shift)}};
}

// --- Decoupling and masking.

/// A weighted signal, restored or additive, at a position.
struct Signal {
  std::uint32_t magnitude[kDetailBands];
  // What it adds to thresholds, all bands together.
  std::uint32_t neighbour;
  std::uint32_t centre;

  template <class Arithmetic>
  __device__ void set(int band, typename Arithmetic::Coefficient coefficient,
                      const BandFormat& format) {
    const Weighted weighted = Arithmetic::weigh(coefficient, format);
    magnitude[band] = weighted.magnitude;
    neighbour += static_cast<std::uint32_t>(weighted.neighbour);
    centre += static_cast<std::uint32_t>(weighted.centre);
  }
};

struct Signals {
  Signal restored;
  Signal additive;
};

template <class Arithmetic>
__device__ Signals decoupled(const Bands<typename Arithmetic::Coefficient>& reference,
                             const Bands<typename Arithmetic::Coefficient>& distorted,
                             const Job& job) {
  using Coefficient = typename Arithmetic::Coefficient;
  using Product = typename Arithmetic::Product;
  const Product oh = reference.detail[0];
  const Product ov = reference.detail[1];
  const Product th = distorted.detail[0];
  const Product tv = distorted.detail[1];
  const bool enhancement =
      same_direction<Product>(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv);
  Signals signals{};
  HIPVMAF_UNROLL
  for (int b = 0; b < kDetailBands; ++b) {
    const std::int32_t restored = Arithmetic::restored(reference.detail[b], distorted.detail[b],
                                                       enhancement, job.options.gain_limit);
    const BandFormat& format = job.scale.bands[static_cast<std::size_t>(b)];
    signals.restored.set<Arithmetic>(b, static_cast<Coefficient>(restored), format);
    signals.additive.set<Arithmetic>(b, static_cast<Coefficient>(distorted.detail[b] - restored),
                                     format);
  }
  return signals;
}

/// Thresholds that a masker makes in the rows of a column, each as far as it is known.
struct Thresholds {
  std::uint32_t unfinished;  // of the last row: without the row below it
  std::uint32_t beside;      // what the last row adds to those above and below it

  /// Takes a row: its position here and the two beside it. Returns the threshold of the row above.
  __device__ std::uint32_t push(const Signal& here, std::uint32_t left, std::uint32_t right) {
    const std::uint32_t row = left + here.neighbour + right;
    const std::uint32_t finished = unfinished + row;
    unfinished = beside + left + here.centre + right;
    beside = row;
    return finished;
  }
};

using BandSums = gpu::Sums<std::uint64_t, kDetailBands>;

__device__ BandSums masked_values(const std::uint32_t (&magnitude)[kDetailBands],
                                  std::uint32_t threshold, const Job& job) {
  BandSums values{};
  const auto masked = static_cast<std::int32_t>(threshold);
  HIPVMAF_UNROLL
  for (int b = 0; b < kDetailBands; ++b) {
    const BandFormat& format = job.scale.bands[static_cast<std::size_t>(b)];
    values[b] = static_cast<std::uint64_t>(job.options.weights_overflow
                                               ? masked_value<true>(magnitude[b], masked, format)
                                               : masked_value<false>(magnitude[b], masked, format));
  }
  return values;
}

template <class Arithmetic>
__device__ BandSums
reference_values(const typename Arithmetic::Coefficient (&reference)[kDetailBands],
                 const ReferenceFormat& format) {
  BandSums values{};
  HIPVMAF_UNROLL
  for (int b = 0; b < kDetailBands; ++b) {
    values[b] = Arithmetic::reference_value(reference[b], format);
  }
  return values;
}

// --- Sums.

/// Sums of the rows of a tile, each in parts: one per group of threads.
template <class Input>
struct TileSums {
  static constexpr int kGroups = Scale<Input>::Shape::kThreads / gpu::kGroup;
  static constexpr int kRows = Scale<Input>::Shape::kRows;
  gpu::SharedArray<std::uint64_t, kSums * kRows * kGroups> parts;

  /// All threads call it.
  __device__ void add(int row, int kind, BandSums values, int rank) {
    values = gpu::group_sum(values);
    if (rank % gpu::kGroup != 0) return;
    HIPVMAF_UNROLL
    for (int b = 0; b < kDetailBands; ++b) {
      parts[place(kind * kDetailBands + b, row) + rank / gpu::kGroup] = values[b];
    }
  }
  __device__ std::uint64_t sum(int index, int row) {
    std::uint64_t sum = 0;
    for (int g = 0; g < kGroups; ++g) sum += parts[place(index, row) + g];
    return sum;
  }

 private:
  __device__ static int place(int index, int row) { return (index * kRows + row) * kGroups; }
};

/// Sums of rows: column y holds those of row y, tile by tile for each of kSums.
using RowSums = gpu::View2D<std::uint64_t>;

template <class Input>
__global__ void __launch_bounds__(Scale<Input>::Shape::kThreads)
    measure_scale(gpu::Reference<Input> reference, gpu::Distorted<Input> distorted, Job job,
                  gpu::View2D<typename Scale<Input>::Coefficient> next_reference,
                  gpu::View2D<typename Scale<Input>::Coefficient> next_distorted,
                  RowSums row_sums) {
  using Arithmetic = typename Scale<Input>::Arithmetic;
  using Shape = typename Scale<Input>::Shape;
  using Columns = SharedColumns<Input>;
  using Neighbours = gpu::SharedArray<std::uint32_t, Shape::kThreads>;
  using Tile = TileSums<Input>;
  HIPVMAF_SHARED(Columns, reference_columns);
  HIPVMAF_SHARED(Columns, distorted_columns);
  HIPVMAF_SHARED(Neighbours, restored_neighbours);
  HIPVMAF_SHARED(Neighbours, additive_neighbours);
  HIPVMAF_SHARED(Tile, tile);

  const ScaleSetup& scale = job.scale;
  const TileRows rows = tile_rows<Shape>(scale, job.measures);
  if (!rows.measures && !job.makes_next) return;
  const TileColumn column = tile_column<Shape>(scale);
  const int rank = column.rank;
  const auto load = [](Input sample) { return sample; };

  InputWindows<Input> input;
  Signals above{};
  Thresholds restored_thresholds{};
  Thresholds additive_thresholds{};
  for (int i = rows.first_walked; i < rows.end_walked; ++i) {
    input.move_to(i, scale, reference, distorted, column, load);
    reference_columns.set(rank, input.reference, scale.wavelet.vertical);
    distorted_columns.set(rank, input.distorted, scale.wavelet.vertical);
    __syncthreads();
    const auto ref = filtered_across<Input>(reference_columns, rank, scale.wavelet.horizontal);
    const auto dis = filtered_across<Input>(distorted_columns, rank, scale.wavelet.horizontal);
    if (job.makes_next && column.owned && rows.own(i)) {
      next_reference(column.x, i) = ref.a;
      next_distorted(column.x, i) = dis.a;
    }
    Signals here{};
    if (rows.mask(i) && column.masks) here = decoupled<Arithmetic>(ref, dis, job);
    restored_neighbours[rank] = here.restored.neighbour;
    additive_neighbours[rank] = here.additive.neighbour;
    __syncthreads();
    if (!rows.mask(i)) continue;

    const std::uint32_t restored_threshold = restored_thresholds.push(
        here.restored, restored_neighbours[column.left], restored_neighbours[column.right]);
    const std::uint32_t additive_threshold = additive_thresholds.push(
        here.additive, additive_neighbours[column.left], additive_neighbours[column.right]);
    if (rows.score(i - 1)) {
      BandSums num{};
      BandSums aim{};
      if (column.scored) num = masked_values(above.restored.magnitude, additive_threshold, job);
      tile.add(i - 1 - rows.first, kNum, num, rank);
      if (column.scored && job.options.with_aim) {
        aim = masked_values(above.additive.magnitude, restored_threshold, job);
      }
      tile.add(i - 1 - rows.first, kAim, aim, rank);
    }
    if (rows.score(i)) {
      BandSums den{};
      if (column.scored) den = reference_values<Arithmetic>(ref.detail, scale.reference);
      tile.add(i - rows.first, kDen, den, rank);
    }
    above = here;
  }
  if (!rows.measures) return;
  __syncthreads();
  const int tiles = row_sums.height / kSums;
  for (int item = rank; item < kSums * Shape::kRows; item += Shape::kThreads) {
    const int index = item / Shape::kRows;
    const int y = rows.first + item % Shape::kRows;
    if (!rows.score(y)) continue;
    row_sums(y, index * tiles + static_cast<int>(blockIdx.x)) = tile.sum(index, y - rows.first);
  }
}

// --- Pooling.

constexpr int kPoolingThreads = 128;

/// Where the row sums of a scale lie: rows and tiles that have some.
struct PooledScale {
  RowSums sums;
  int first_row;
  int end_row;
  int first_tile;
  int end_tile;
  int row_shift;
  int reference_row_shift;
};
struct PooledScales {
  PooledScale scale[kScaleCount];
};

/// A block per sum (x) and scale (y).
__global__ void __launch_bounds__(kPoolingThreads)
    pool(PooledScales scales, gpu::View1D<AdmRaw> raw) {
  const int index = static_cast<int>(blockIdx.x);
  const PooledScale& scale = scales.scale[blockIdx.y];
  const int kind = index / kDetailBands;
  const int tiles = scale.sums.height / kSums;
  std::uint64_t sum = 0;
  for (int y = scale.first_row + static_cast<int>(threadIdx.x); y < scale.end_row;
       y += kPoolingThreads) {
    std::uint64_t row = 0;
    for (int t = scale.first_tile; t < scale.end_tile; ++t) row += scale.sums(y, index * tiles + t);
    sum += kind == kDen ? shifted_row(row, scale.reference_row_shift)
                        : static_cast<std::uint64_t>(
                              shifted_row(static_cast<std::int64_t>(row), scale.row_shift));
  }
  sum = gpu::block_sum<kPoolingThreads>(sum);
  if (threadIdx.x != 0) return;
  AdmRaw::Scale& sums = raw[0].scale[blockIdx.y];
  const auto band = static_cast<std::size_t>(index % kDetailBands);
  if (kind == kNum) sums.num[band] = static_cast<std::int64_t>(sum);
  if (kind == kAim) sums.aim[band] = static_cast<std::int64_t>(sum);
  if (kind == kDen) sums.den[band] = sum;
}

/// The A bands of one picture: those of scale s are the input of scale s + 1.
class Approximations {
 public:
  explicit Approximations(const Setup& setup)
      : fine_(setup[0].width, setup[0].height),
        coarse_{gpu::Buffer2D<std::int32_t>(setup[1].width, setup[1].height),
                gpu::Buffer2D<std::int32_t>(setup[2].width, setup[2].height)} {}

  template <int kScale>
  [[nodiscard]] auto of() const {
    if constexpr (kScale == 0) {
      return fine_.view();
    } else if constexpr (kScale < kScaleCount - 1) {
      return coarse_[kScale - 1].view();
    } else {
      return gpu::View2D<std::int32_t>{};  // nothing follows
    }
  }

 private:
  gpu::Buffer2D<std::int16_t> fine_;
  std::array<gpu::Buffer2D<std::int32_t>, kScaleCount - 2> coarse_;
};

template <class Sample>
class GpuScalesStage final : public GpuStageOf<AdmRaw> {
 public:
  GpuScalesStage(const OptionValues& options, const PictureFormat& format)
      : setup_(make_setup(options, format)),
        options_(masking_options(options)),
        skips_scale0_(options.flag("adm_skip_scale0")),
        reference_(setup_),
        distorted_(setup_),
        row_sums_{buffer_for<Sample>(0), buffer_for<std::int16_t>(1), buffer_for<std::int32_t>(2),
                  buffer_for<std::int32_t>(3)},
        pooled_{{pooled<Sample>(0), pooled<std::int16_t>(1), pooled<std::int32_t>(2),
                 pooled<std::int32_t>(3)}} {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window, gpu::View1D<AdmRaw> raw) override {
    const DeviceFrame& frame = window.current();
    measure_from<0>(stream, gpu::Reference<Sample>{frame.reference.plane<Sample>(0)},
                    gpu::Distorted<Sample>{frame.distorted.plane<Sample>(0)});
    gpu::launch(stream, dim3(kSums, kScaleCount), kPoolingThreads, pool, pooled_, raw);
  }

 private:
  template <class Input>
  [[nodiscard]] gpu::Buffer2D<std::uint64_t> buffer_for(std::size_t scale) const {
    const auto tiles = gpu::blocks_for(setup_[scale].width, Scale<Input>::Shape::kColumns);
    return {setup_[scale].height, kSums * static_cast<int>(tiles)};
  }

  template <class Input>
  [[nodiscard]] PooledScale pooled(std::size_t index) const {
    const ScaleSetup& scale = setup_[index];
    const bool skipped = index == 0 && skips_scale0_;
    constexpr int kTileColumns = Scale<Input>::Shape::kColumns;
    return {.sums = row_sums_[index].view(),
            .first_row = scale.top,
            .end_row = skipped ? scale.top : scale.height - scale.top,
            .first_tile = scale.left / kTileColumns,
            .end_tile = (scale.width - scale.left - 1) / kTileColumns + 1,
            .row_shift = scale.row_shift,
            .reference_row_shift = scale.reference_row_shift};
  }

  template <int kScale, class Input>
  void measure_from(gpu::Stream& stream, gpu::Reference<Input> reference,
                    gpu::Distorted<Input> distorted) {
    constexpr bool kMakesNext = kScale + 1 < kScaleCount;
    using Coefficient = typename Scale<Input>::Coefficient;
    const ScaleSetup& scale = setup_[kScale];
    const Job job{scale, options_, kScale > 0 || !skips_scale0_, kMakesNext};
    const auto next_reference = reference_.template of<kScale>();
    const auto next_distorted = distorted_.template of<kScale>();
    using Shape = typename Scale<Input>::Shape;
    gpu::launch(stream, Shape::grid(scale), Shape::kThreads, measure_scale<Input>, reference,
                distorted, job, next_reference, next_distorted, row_sums_[kScale].view());
    if constexpr (kMakesNext) {
      measure_from<kScale + 1>(stream, gpu::Reference<Coefficient>{next_reference.readable()},
                               gpu::Distorted<Coefficient>{next_distorted.readable()});
    }
  }

  Setup setup_;
  MaskingOptions options_;
  bool skips_scale0_;
  Approximations reference_;
  Approximations distorted_;
  std::array<gpu::Buffer2D<std::uint64_t>, kScaleCount> row_sums_;
  PooledScales pooled_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) {
    return std::make_unique<GpuScalesStage<std::uint8_t>>(options, format);
  }
  return std::make_unique<GpuScalesStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::adm
