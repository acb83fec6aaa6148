// The single-precision VIF on a GPU: per scale one launch that makes it from the one before and one
// that measures it, then two for the sums of all scales.
//
// A block that measures takes a tile of columns, with the filter's margin around it one per thread,
// and kTileRows rows. Each thread filters its column vertically, kStep rows at a time so that a
// sample is read once for all of them, into shared memory; then it filters kStep neighbouring
// columns of one of the rows horizontally. The information of every pixel goes to memory, because
// the sums have an order (row_sums_gpu.hpp).
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "features/float_luma_math.hpp"
#include "features/float_vif/float_vif.hpp"
#include "features/float_vif/float_vif_filters.hpp"
#include "features/float_vif/float_vif_math.hpp"
#include "features/gpu_stage.hpp"
#include "features/resample/resample_gpu.hpp"
#include "features/row_sums_gpu.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::float_vif {
namespace {

constexpr int kThreads = 128;
constexpr int kTileRows = 16;
/// Rows, then columns, that a thread filters together.
constexpr int kStep = 4;
constexpr int kMoments = 5;

/// A picture whose samples, of any type, are read as luma around mid-grey.
template <class Sample>
struct LumaView {
  gpu::View2D<const Sample> plane;
  float unit = 1;

  [[nodiscard]] HIPVMAF_HD int width() const { return plane.width; }
  [[nodiscard]] HIPVMAF_HD int height() const { return plane.height; }
  __device__ float operator()(int x, int y) const {
    if constexpr (std::is_same_v<Sample, float>) {
      return plane(x, y);
    } else {
      return static_cast<float>(plane(x, y)) * unit + kLumaOffset;
    }
  }
};

template <class Sample>
struct Pictures {
  LumaView<Sample> reference;
  LumaView<Sample> distorted;
};

/// Pictures that a launch makes.
struct MadePictures {
  gpu::View2D<float> reference;
  gpu::View2D<float> distorted;
};

/// Taps, followed by kStep - 1 zeros.
struct FilterView {
  gpu::View1D<const float> taps;
  int radius;
};

/// Filters are copied to shared memory.
using SharedTaps = gpu::SharedArray<float, kWidestFilter + kStep - 1>;

/// Ends with no barrier.
__device__ void load_taps(const FilterView& filter, SharedTaps& taps) {
  for (int i = static_cast<int>(threadIdx.x); i < filter.taps.count; i += kThreads)
    taps[i] = filter.taps[i];
}

/// The sample that stands for number `i` of `n`. Numbers further out than the filter reaches are
/// not used, but must be readable.
__device__ int source_of(int i, int radius, int n) {
  return resample::mirrored(gpu::min(i, n - 1 + radius), n);
}

/// Weights of a source sample in kStep neighbouring sums, as the sample moves on. Sums that it is
/// no part of weigh it with 0, which leaves them as they are, to the bit.
struct TapWindow {
  float weights[kStep];

  __device__ void push(float tap) {
    HIPVMAF_UNROLL
    for (int i = kStep - 1; i > 0; --i) weights[i] = weights[i - 1];
    weights[0] = tap;
  }
};

/// Sums of all moments in kStep neighbouring places.
struct MomentSums {
  float values[kMoments][kStep];

  __device__ void add(const TapWindow& taps, const float (&samples)[kMoments]) {
    HIPVMAF_UNROLL
    for (int m = 0; m < kMoments; ++m) {
      HIPVMAF_UNROLL
      for (int i = 0; i < kStep; ++i) values[m][i] += taps.weights[i] * samples[m];
    }
  }
};

/// kStep rows of all moments. A gap after every 32 samples keeps the reads of neighbouring threads,
/// which are kStep samples apart, in different banks.
struct SharedRows {
  static constexpr int kRow = kThreads + kThreads / 32;
  gpu::SharedArray<float, kMoments * kStep * kRow> samples;

  __device__ float& operator()(int moment, int row, int x) {
    return samples[(moment * kStep + row) * kRow + x + x / 32];
  }
};

/// Vertical pass over the rows from `first` on of a column.
template <class Sample>
__device__ MomentSums filtered_column(const Pictures<Sample>& pictures, int column, int first,
                                      SharedTaps& taps, int radius) {
  const int height = pictures.reference.height();
  MomentSums sums{};
  TapWindow window{};
  for (int i = 0; i < 2 * radius + kStep; ++i) {
    const int y = source_of(first - radius + i, radius, height);
    const float r = pictures.reference(column, y);
    const float d = pictures.distorted(column, y);
    window.push(taps[i]);
    sums.add(window, {r, d, r * r, d * d, r * d});
  }
  return sums;
}

/// Horizontal pass over the columns from `first` on of a row; `first` counts from the margin.
__device__ MomentSums filtered_row(SharedRows& rows, int row, int first, SharedTaps& taps,
                                   int radius) {
  MomentSums sums{};
  TapWindow window{};
  for (int i = 0; i < 2 * radius + kStep; ++i) {
    const int x = first + i;
    window.push(taps[i]);
    sums.add(window,
             {rows(0, row, x), rows(1, row, x), rows(2, row, x), rows(3, row, x), rows(4, row, x)});
  }
  return sums;
}

/// Columns of a tile without its margin.
constexpr int tile_columns(int radius) { return (kThreads - 2 * radius) / kStep * kStep; }

template <class Sample>
__global__ void __launch_bounds__(kThreads)
    measure_scale(Pictures<Sample> pictures, FilterView filter, int columns, Vision vision,
                  gpu::View2D<Information> pixels) {
  HIPVMAF_SHARED(SharedTaps, taps);
  HIPVMAF_SHARED(SharedRows, rows);
  load_taps(filter, taps);
  __syncthreads();

  const int rank = static_cast<int>(threadIdx.x);
  const int radius = filter.radius;
  const int first_column = static_cast<int>(blockIdx.x) * columns;
  const int column = source_of(first_column + rank - radius, radius, pixels.width);
  // Place of the thread in the horizontal pass.
  const int per_row = columns / kStep;
  const int row = rank / per_row;
  const int first_of_row = rank % per_row * kStep;

  const int first_row = static_cast<int>(blockIdx.y) * kTileRows;
  const int end = gpu::min(first_row + kTileRows, pixels.height);
  for (int y = first_row; y < end; y += kStep) {
    const MomentSums vertical = filtered_column(pictures, column, y, taps, radius);
    HIPVMAF_UNROLL
    for (int m = 0; m < kMoments; ++m) {
      HIPVMAF_UNROLL
      for (int i = 0; i < kStep; ++i) rows(m, i, rank) = vertical.values[m][i];
    }
    __syncthreads();
    if (row < kStep && y + row < end) {
      const MomentSums moments = filtered_row(rows, row, first_of_row, taps, radius);
      HIPVMAF_UNROLL
      for (int i = 0; i < kStep; ++i) {
        const int x = first_column + first_of_row + i;
        const auto& m = moments.values;
        if (x < pixels.width) {
          pixels(x, y + row) = information({m[0][i], m[1][i], m[2][i], m[3][i], m[4][i]}, vision);
        }
      }
    }
    __syncthreads();
  }
}

// ---- Making pictures ----

/// Output rows of a block that halves.
constexpr int kHalvedRows = 4;

/// Filters the pictures and keeps their even rows and columns: of each picture its own blocks.
template <class Sample>
__global__ void __launch_bounds__(kThreads)
    halve(Pictures<Sample> from, FilterView filter, int columns, MadePictures to) {
  using SharedColumns = gpu::SharedArray<float, kHalvedRows * kThreads>;
  HIPVMAF_SHARED(SharedTaps, taps);
  HIPVMAF_SHARED(SharedColumns, filtered);
  load_taps(filter, taps);
  __syncthreads();

  const LumaView<Sample> source = blockIdx.z == 0 ? from.reference : from.distorted;
  const gpu::View2D<float> made = blockIdx.z == 0 ? to.reference : to.distorted;
  const int rank = static_cast<int>(threadIdx.x);
  const int radius = filter.radius;
  const int first_column = static_cast<int>(blockIdx.x) * columns;
  const int first_row = static_cast<int>(blockIdx.y) * kHalvedRows;
  const int column = source_of(2 * first_column + rank - radius, radius, source.width());
  HIPVMAF_UNROLL
  for (int row = 0; row < kHalvedRows; ++row) {
    const int first = 2 * (first_row + row) - radius;
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k)
      sum += taps[k] * source(column, source_of(first + k, radius, source.height()));
    filtered[row * kThreads + rank] = sum;
  }
  __syncthreads();
  for (int i = rank; i < columns * kHalvedRows; i += kThreads) {
    const int x = i % columns;
    const int y = i / columns;
    if (first_column + x >= made.width || first_row + y >= made.height) continue;
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += taps[k] * filtered[y * kThreads + 2 * x + k];
    made(first_column + x, first_row + y) = sum;
  }
}

/// Columns and rows of a block that scales. More rows than one, because a grid cannot have as many
/// rows of blocks as an enlarged picture has samples.
constexpr int kScaledColumns = 32;
constexpr int kScaledRows = kThreads / kScaledColumns;

/// Scales the pictures, a sample per thread.
template <class Sample, resample::Method kMethod>
__global__ void __launch_bounds__(kThreads)
    scale(Pictures<Sample> from, resample::Axes axes, MadePictures to) {
  const LumaView<Sample> source = blockIdx.z == 0 ? from.reference : from.distorted;
  const gpu::View2D<float> made = blockIdx.z == 0 ? to.reference : to.distorted;
  const int x = static_cast<int>(blockIdx.x) * kScaledColumns + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kScaledRows + static_cast<int>(threadIdx.y);
  if (x < made.width && y < made.height)
    made(x, y) = resample::scaled_sample<kMethod>(source, axes, x, y);
}

// ---- Sums ----

using Pixels = SummedPlanes<Information, kScales>;

/// A block per scale; the sums of the rows of a scale are a row of `row_sums`.
__global__ void __launch_bounds__(kRowSumThreads)
    sum_scales(gpu::View2D<const Information> row_sums, int first_scale, int height,
               gpu::View1D<FloatVifRaw> raw) {
  const int scale = first_scale + static_cast<int>(blockIdx.x);
  const Information sums = sum_of_rows(row_sums, scale, 0, height >> scale);
  if (threadIdx.x > 0) return;
  raw[0].sums[static_cast<std::size_t>(scale)] = {sums.kept, sums.available};
}

// ---- Stage ----

class DeviceFilter {
 public:
  DeviceFilter() = default;
  explicit DeviceFilter(const Filter& filter) : radius_(filter.radius()) {
    std::vector<float> taps = filter.taps;
    taps.resize(taps.size() + kStep - 1);
    taps_ = gpu::make_table<float>(taps);
  }
  [[nodiscard]] FilterView view() const { return {taps_.view().readable(), radius_}; }

 private:
  gpu::Buffer<float> taps_;
  int radius_ = 0;
};

/// A pair of pictures on the device.
class PicturePair {
 public:
  PicturePair() = default;
  explicit PicturePair(Size size)
      : reference_(size.width, size.height), distorted_(size.width, size.height) {}

  [[nodiscard]] MadePictures made() const { return {reference_.view(), distorted_.view()}; }
  [[nodiscard]] Pictures<float> pictures() const {
    return {{reference_.view().readable()}, {distorted_.view().readable()}};
  }

 private:
  gpu::Buffer2D<float> reference_;
  gpu::Buffer2D<float> distorted_;
};

template <class Sample>
class GpuScalesStage final : public GpuStageOf<FloatVifRaw> {
 public:
  GpuScalesStage(const OptionValues& options, const PictureFormat& format)
      : size_(compared_size(options, format)),
        unit_(luma_unit(format.bit_depth)),
        first_scale_(options.flag("vif_skip_scale0") ? 1 : 0),
        vision_(make_vision(options.real("vif_sigma_nsq"), options.real("vif_enhn_gain_limit"))),
        row_sums_(size_.height, kScales) {
    const Filters filters = make_filters(options.real("vif_kernelscale"));
    for (int s = 0; s < kScales; ++s) {
      const auto at = static_cast<std::size_t>(s);
      filters_[at] = DeviceFilter(filters[at]);
      if (s > 0) pictures_[at] = PicturePair({size_.width >> s, size_.height >> s});
      if (s >= first_scale_) pixels_[at] = {size_.width >> s, size_.height >> s};
    }
    if (size_ == Size{format.width, format.height}) return;
    method_ = resample::find_method(options.get<std::string>("vif_prescale_method"));
    axes_.emplace(*method_, gpu::Size{format.width, format.height},
                  gpu::Size{size_.width, size_.height});
    pictures_[0] = PicturePair(size_);
  }

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<FloatVifRaw> raw) override {
    const DeviceFrame& frame = window.current();
    const Pictures<Sample> pictures{{frame.reference.plane<Sample>(0), unit_},
                                    {frame.distorted.plane<Sample>(0), unit_}};
    if (axes_) {
      prescale(stream, pictures);
      measure_from(stream, 0, pictures_[0].pictures());
    } else {
      measure_from(stream, 0, pictures);
    }
    for (int s = 1; s < kScales; ++s)
      measure_from(stream, s, pictures_[static_cast<std::size_t>(s)].pictures());
    add_up(stream, raw);
  }

 private:
  void prescale(gpu::Stream& stream, const Pictures<Sample>& pictures) {
    const dim3 grid(gpu::blocks_for(size_.width, kScaledColumns),
                    gpu::blocks_for(size_.height, kScaledRows), 2);
    const dim3 block(kScaledColumns, kScaledRows);
    resample::with_method(*method_, [&]<resample::Method kMethod>() {
      gpu::launch(stream, grid, block, scale<Sample, kMethod>, pictures, axes_->view(),
                  pictures_[0].made());
    });
  }

  /// Measures a scale, unless it is to be skipped, and makes the next one.
  template <class ScaleSample>
  void measure_from(gpu::Stream& stream, int s, const Pictures<ScaleSample>& pictures) {
    const auto at = static_cast<std::size_t>(s);
    if (s >= first_scale_) {
      const FilterView filter = filters_[at].view();
      const int columns = tile_columns(filter.radius);
      const gpu::View2D<Information> pixels = pixels_[at].view();
      const dim3 grid(gpu::blocks_for(pixels.width, columns),
                      gpu::blocks_for(pixels.height, kTileRows));
      gpu::launch(stream, grid, kThreads, measure_scale<ScaleSample>, pictures, filter, columns,
                  vision_, pixels);
    }
    if (s + 1 < kScales) {
      const FilterView filter = filters_[at + 1].view();
      const int columns = kThreads / 2 - filter.radius;
      const MadePictures next = pictures_[at + 1].made();
      const dim3 grid(gpu::blocks_for(next.reference.width, columns),
                      gpu::blocks_for(next.reference.height, kHalvedRows), 2);
      gpu::launch(stream, grid, kThreads, halve<ScaleSample>, pictures, filter, columns, next);
    }
  }

  void add_up(gpu::Stream& stream, gpu::View1D<FloatVifRaw> raw) {
    Pixels pixels;
    for (std::size_t s = 0; s < kScales; ++s) pixels.planes[s] = pixels_[s].view().readable();
    queue_row_sums(stream, pixels, 0, row_sums_.view());
    gpu::launch(stream, static_cast<unsigned>(kScales - first_scale_), kRowSumThreads, sum_scales,
                row_sums_.view().readable(), first_scale_, size_.height, raw);
  }

  Size size_;  ///< At which the pictures are compared.
  float unit_;
  int first_scale_;
  Vision vision_;
  std::array<DeviceFilter, kScales> filters_;
  /// Scale 0 is there only if it is made by scaling.
  std::array<PicturePair, kScales> pictures_;
  std::array<gpu::Buffer2D<Information>, kScales> pixels_;  ///< None of a skipped scale.
  gpu::Buffer2D<Information> row_sums_;
  std::optional<resample::Method> method_;
  std::optional<resample::DeviceAxes> axes_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) {
    return std::make_unique<GpuScalesStage<std::uint8_t>>(options, format);
  }
  return std::make_unique<GpuScalesStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_vif
