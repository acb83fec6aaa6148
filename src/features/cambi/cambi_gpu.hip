// CAMBI on a GPU: a thread per pixel brings luma to 10 bit, finds the flat areas and goes from one
// scale to the next. A scale leaves the indices of its levels, with none where the picture is not
// flat; from these, contrasts (cambi_contrast_gpu.hip) and their sums (cambi_pooling_gpu.hip) are
// made for all scales together.
#include <optional>

#include "features/cambi/cambi_contrast.hpp"
#include "features/cambi/cambi_gpu.hpp"
#include "features/cambi/cambi_heatmaps.hpp"
#include "features/cambi/cambi_mask.hpp"
#include "features/cambi/cambi_preprocess.hpp"
#include "features/cambi/cambi_settings.hpp"
#include "features/gpu_stage.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::cambi {
namespace {

constexpr int kBlockWidth = 32;
constexpr int kBlockHeight = 8;
constexpr int kThreads = kBlockWidth * kBlockHeight;

__device__ int column_of_thread() {
  return static_cast<int>(blockIdx.x) * kBlockWidth + static_cast<int>(threadIdx.x);
}
__device__ int row_of_thread() {
  return static_cast<int>(blockIdx.y) * kBlockHeight + static_cast<int>(threadIdx.y);
}

dim3 blocks_of(int width, int height) {
  return {gpu::blocks_for(width, kBlockWidth), gpu::blocks_for(height, kBlockHeight)};
}

const dim3 kBlock(kBlockWidth, kBlockHeight);

/// Levels before smoothing.
template <class Sample>
struct LevelSource {
  gpu::View2D<const Sample> luma;
  gpu::View1D<const int> columns;  // empty if the size stays
  gpu::View1D<const int> rows;
  int bit_depth;

  __device__ int at(int x, int y) const {
    const bool is_resized = columns.count > 0;
    return to_ten_bits(luma(is_resized ? columns[x] : x, is_resized ? rows[y] : y), bit_depth);
  }
};

template <class Sample>
__device__ std::uint16_t smoothed_level(const LevelSource<Sample>& source, int x, int y,
                                        bool has_right, bool has_below) {
  const int level = source.at(x, y);
  if (has_right && has_below) {
    return smoothed(level, source.at(x + 1, y), source.at(x, y + 1), source.at(x + 1, y + 1));
  }
  if (has_right) return smoothed(level, source.at(x + 1, y));
  if (has_below) return smoothed(level, source.at(x, y + 1));
  return static_cast<std::uint16_t>(level);
}

template <class Sample>
__global__ void preprocess(LevelSource<Sample> source, int smooths_dither,
                           gpu::View2D<std::uint16_t> levels) {
  const int x = column_of_thread();
  const int y = row_of_thread();
  if (x >= levels.width || y >= levels.height) return;
  levels(x, y) = smooths_dither != 0
                     ? smoothed_level(source, x, y, x + 1 < levels.width, y + 1 < levels.height)
                     : static_cast<std::uint16_t>(source.at(x, y));
}

// ---- Samples of too many bits ----

constexpr int kDeepThreads = 256;
static_assert(kBlockWidth == gpu::kGroup, "a row of threads sums as a group");

/// Sets the flags of rows with such samples; a group of threads per row.
__global__ void flag_deep_rows(gpu::View2D<const std::uint16_t> luma, int peak,
                               gpu::View1D<std::uint8_t> is_deep) {
  const int y = row_of_thread();
  std::uint32_t count = 0;
  if (y < luma.height) {
    for (int x = static_cast<int>(threadIdx.x); x < luma.width; x += kBlockWidth) {
      count += luma(x, y) > peak ? 1U : 0U;
    }
  }
  count = gpu::group_sum(count);
  if (threadIdx.x == 0 && y < luma.height) is_deep[y] = count > 0 ? 1 : 0;
}

/// Looks for the first of these rows, in one block.
__global__ void __launch_bounds__(kDeepThreads)
    find_deep_row(gpu::View1D<const std::uint8_t> is_deep, int which, gpu::View1D<CambiRaw> raw) {
  using Rows = gpu::SharedArray<int, kDeepThreads>;
  HIPVMAF_SHARED(Rows, rows);
  const int rank = static_cast<int>(threadIdx.x);
  int y = rank;
  while (y < is_deep.count && is_deep[y] == 0) y += kDeepThreads;
  rows[rank] = y;
  __syncthreads();
  if (rank != 0) return;
  int first = is_deep.count;
  for (int r = 0; r < kDeepThreads; ++r) first = gpu::min(first, rows[r]);
  if (first == is_deep.count) return;
  raw[0].deep_row[static_cast<std::size_t>(which)] = static_cast<std::uint32_t>(first) + 1;
}

// ---- Flat areas ----

constexpr int kMaskReach = 3;
constexpr int kMaskSide = 2 * kMaskReach + 1;
constexpr int kMaskColumns = kBlockWidth + 2 * kMaskReach;
constexpr int kMaskRows = kBlockHeight + 2 * kMaskReach;

using EqualPixels = gpu::SharedArray<std::uint8_t, kMaskColumns * kMaskRows>;
using RowSums = gpu::SharedArray<std::uint8_t, kBlockWidth * kMaskRows>;

/// Whether a pixel equals its right and lower neighbours; beyond the border they count as equal,
/// but pixels there do not.
__device__ std::uint8_t equals_neighbours(gpu::View2D<const std::uint16_t> levels, int x, int y) {
  if (x < 0 || y < 0 || x >= levels.width || y >= levels.height) return 0;
  const std::uint16_t level = levels(x, y);
  const bool right = x + 1 == levels.width || levels(x + 1, y) == level;
  const bool below = y + 1 == levels.height || levels(x, y + 1) == level;
  return right && below ? 1 : 0;
}

__global__ void __launch_bounds__(kThreads)
    find_flat_areas(gpu::View2D<const std::uint16_t> levels, int threshold,
                    gpu::View2D<std::uint8_t> mask) {
  HIPVMAF_SHARED(EqualPixels, equal);
  HIPVMAF_SHARED(RowSums, sums);
  const int x0 = static_cast<int>(blockIdx.x) * kBlockWidth - kMaskReach;
  const int y0 = static_cast<int>(blockIdx.y) * kBlockHeight - kMaskReach;
  for (int i = gpu::thread_rank(); i < kMaskColumns * kMaskRows; i += kThreads) {
    equal[i] = equals_neighbours(levels, x0 + i % kMaskColumns, y0 + i / kMaskColumns);
  }
  __syncthreads();
  for (int i = gpu::thread_rank(); i < kBlockWidth * kMaskRows; i += kThreads) {
    int sum = 0;
    for (int k = 0; k < kMaskSide; ++k) {
      sum += equal[i / kBlockWidth * kMaskColumns + i % kBlockWidth + k];
    }
    sums[i] = static_cast<std::uint8_t>(sum);
  }
  __syncthreads();
  const int x = column_of_thread();
  const int y = row_of_thread();
  if (x >= mask.width || y >= mask.height) return;
  int sum = 0;
  for (int k = 0; k < kMaskSide; ++k) {
    sum += sums[(static_cast<int>(threadIdx.y) + k) * kBlockWidth + static_cast<int>(threadIdx.x)];
  }
  mask(x, y) = sum > threshold ? 1 : 0;
}

// ---- Scales ----

/// The plane that a scale is made from: every `step`-th pixel of every `step`-th row.
struct ScaleSource {
  gpu::View2D<const std::uint16_t> levels;
  int step;

  __device__ std::uint16_t at(int x, int y) const { return levels(step * x, step * y); }
  __device__ std::uint16_t filtered_along_row(int x, int y, int width) const {
    if (x == 0 || x == width - 1) return at(x, y);
    return mode_of(at(x - 1, y), at(x, y), at(x + 1, y));
  }
};

/// The mask, of which pixels that are `step` apart belong to a scale.
struct ScaleMask {
  gpu::View2D<const std::uint8_t> mask;
  int step;
};

/// Levels that have an index.
struct LevelRange {
  int first;
  int count;
};

__global__ void make_scale(ScaleSource source, ScaleMask mask, LevelRange range,
                           gpu::View2D<std::uint16_t> levels, gpu::View2D<std::uint16_t> indices) {
  const int x = column_of_thread();
  const int y = row_of_thread();
  const int width = levels.width;
  if (x >= width || y >= levels.height) return;
  const std::uint16_t level = y == 0 || y == levels.height - 1
                                  ? source.at(x, y)
                                  : mode_of(source.filtered_along_row(x, y - 1, width),
                                            source.filtered_along_row(x, y, width),
                                            source.filtered_along_row(x, y + 1, width));
  levels(x, y) = level;
  const int index = level - range.first;
  const bool counts =
      mask.mask(mask.step * x, mask.step * y) != 0 && index >= 0 && index < range.count;
  indices(x, y) = counts ? static_cast<std::uint16_t>(index) : kNoLevel;
}

// ---- The stage ----

gpu::Buffer<int> sample_table(int from, int to, bool is_needed) {
  return is_needed ? gpu::make_table<int>(nearest_samples(from, to)) : gpu::Buffer<int>();
}

/// Makes the indices of one of the two pictures.
template <class Sample>
class GpuAnalyser {
 public:
  GpuAnalyser(const Settings& settings, Size size, const PictureFormat& format,
              const VisibleSteps& steps)
      : size_(size),
        bit_depth_(format.bit_depth),
        smooths_dither_(settings.smooths_dither),
        starts_at_half_size_(settings.starts_at_half_size),
        range_{steps.first_level, steps.level_count},
        columns_(sample_table(format.width, size.width, is_resized(format))),
        rows_(sample_table(format.height, size.height, is_resized(format))),
        levels_{gpu::Buffer2D<std::uint16_t>(size.width, size.height),
                gpu::Buffer2D<std::uint16_t>(size.width, size.height)},
        mask_(size.width, size.height),
        is_deep_(format.height) {}

  /// Sets CambiRaw::deep_row; the indices of such a picture make no sense, but do no harm.
  void check_depth(gpu::Stream& stream, const DevicePicture& picture, Which which,
                   gpu::View1D<CambiRaw> raw) const {
    if constexpr (sizeof(Sample) > 1) {
      if (bit_depth_ == 16) return;
      const auto luma = picture.plane<Sample>(0);
      gpu::launch(stream, dim3(1, gpu::blocks_for(luma.height, kBlockHeight)), kBlock,
                  flag_deep_rows, luma, largest_sample(bit_depth_), is_deep_.view());
      gpu::launch(stream, 1U, kDeepThreads, find_deep_row, is_deep_.view().readable(), int{which},
                  raw);
    }
  }

  void enqueue(gpu::Stream& stream, const DevicePicture& picture,
               std::span<const ScalePlane> planes, gpu::View1D<std::uint16_t> indices) const {
    auto levels = levels_[0].view();
    const LevelSource<Sample> source{picture.plane<Sample>(0), columns_.view().readable(),
                                     rows_.view().readable(), bit_depth_};
    const dim3 grid = blocks_of(size_.width, size_.height);
    gpu::launch(stream, grid, kBlock, preprocess<Sample>, source, smooths_dither_ ? 1 : 0, levels);
    gpu::launch(stream, grid, kBlock, find_flat_areas, levels.readable(), flatness_threshold(size_),
                mask_.view());
    int mask_step = 1;
    for (const ScalePlane& plane : planes) {
      const int step = plane.scale > 0 || starts_at_half_size_ ? 2 : 1;
      mask_step *= step;
      const auto next = levels_[static_cast<std::size_t>(plane.scale + 1) % 2].view().cropped(
          {plane.width, plane.height});
      const gpu::View2D<std::uint16_t> scale_indices{indices.data + plane.first, plane.width,
                                                     plane.height, plane.width};
      gpu::launch(stream, blocks_of(plane.width, plane.height), kBlock, make_scale,
                  ScaleSource{levels.readable(), step},
                  ScaleMask{mask_.view().readable(), mask_step}, range_, next, scale_indices);
      levels = next;
    }
  }

 private:
  [[nodiscard]] bool is_resized(const PictureFormat& format) const {
    return size_ != Size{format.width, format.height};
  }

  Size size_;
  int bit_depth_;
  bool smooths_dither_;
  bool starts_at_half_size_;
  LevelRange range_;
  gpu::Buffer<int> columns_;
  gpu::Buffer<int> rows_;
  std::array<gpu::Buffer2D<std::uint16_t>, 2> levels_;  // of one scale and the next
  gpu::Buffer2D<std::uint8_t> mask_;
  gpu::Buffer<std::uint8_t> is_deep_;  // by row of the picture
};

/// Appends the scales of a picture.
void add_planes(const Analysis& analysis, const Settings& settings, bool is_reference,
                std::vector<ScalePlane>& planes) {
  for (int scale = 0; scale < kScales; ++scale) {
    const Size size = size_at_scale(analysis.size, settings.starts_at_half_size, scale);
    const int first =
        planes.empty() ? 0 : planes.back().first + planes.back().width * planes.back().height;
    planes.push_back({size.width, size.height, first, analysis.radius, is_reference, scale,
                      static_cast<std::uint32_t>(pooled_count(settings.pooled_share, size))});
  }
}

/// The distorted picture's scales, then the reference's.
std::vector<ScalePlane> planes_for(const Settings& settings, bool full_reference) {
  std::vector<ScalePlane> planes;
  add_planes(settings.distorted, settings, false, planes);
  if (full_reference) add_planes(settings.reference, settings, true, planes);
  return planes;
}

/// Contrasts of the distorted picture on their way into heatmaps.
class HeatmapDownload {
 public:
  HeatmapDownload(HeatmapOutput output, std::span<const ScalePlane> planes)
      : output_(std::move(output)),
        planes_(planes.begin(), planes.end()),
        count_(planes.back().first + pixels_of(planes.back())),
        memory_(static_cast<std::size_t>(count_) * sizeof(float)) {}

  void download(gpu::Stream& stream, gpu::View1D<const float> contrasts) {
    stream.download(contrasts_of(0), gpu::View1D<const float>{contrasts.data, count_});
  }

  /// After the download has ended.
  void write(std::int64_t frame) {
    for (const ScalePlane& plane : planes_) {
      output_.write(
          plane.scale, frame,
          std::span(contrasts_of(plane.first), static_cast<std::size_t>(pixels_of(plane))));
    }
  }

 private:
  static int pixels_of(const ScalePlane& plane) { return plane.width * plane.height; }
  float* contrasts_of(int first) { return reinterpret_cast<float*>(memory_.data()) + first; }

  HeatmapOutput output_;
  std::vector<ScalePlane> planes_;
  int count_;
  gpu::PinnedMemory memory_;
};

VisibleSteps steps_of(const Settings& settings) {
  return visible_steps(settings.eotf, settings.visibility_threshold, settings.luminance_threshold,
                       settings.steps);
}

template <class Sample>
class GpuBandingStage final : public GpuStageOf<CambiRaw> {
 public:
  GpuBandingStage(const OptionValues& options, const Settings& settings,
                  const PictureFormat& format)
      : GpuBandingStage(settings, steps_of(settings), options.flag("full_ref"), format) {
    if (auto output = HeatmapOutput::of(options, settings)) {
      heatmaps_.emplace(std::move(*output), std::span(planes_).first(kScales));
    }
  }

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<CambiRaw> raw) override {
    const std::span<const ScalePlane> planes = planes_;
    const DeviceFrame& frame = window.current();
    distorted_.check_depth(stream, frame.distorted, kDistorted, raw);
    distorted_.enqueue(stream, frame.distorted, planes.first(kScales), indices_.view());
    if (reference_) {
      reference_->check_depth(stream, frame.reference, kReference, raw);
      reference_->enqueue(stream, frame.reference, planes.last(kScales), indices_.view());
    }
    contrasts_of_.enqueue(stream, indices_.view().readable(), contrasts_.view());
    pooling_.enqueue(stream, contrasts_.view().readable(), raw);
    if (heatmaps_) heatmaps_->download(stream, contrasts_.view().readable());
  }

  void collect(std::int64_t frame, const void* raw) override {
    const auto& sums = *static_cast<const CambiRaw*>(raw);
    if (!heatmaps_ || sums.deep_row[kDistorted] != 0 || sums.deep_row[kReference] != 0) return;
    heatmaps_->write(frame);
  }

 private:
  GpuBandingStage(const Settings& settings, const VisibleSteps& steps, bool full_reference,
                  const PictureFormat& format)
      : planes_(planes_for(settings, full_reference)),
        distorted_(settings, settings.distorted.size, format, steps),
        indices_(planes_.back().first + planes_.back().width * planes_.back().height),
        contrasts_(indices_.count()),
        contrasts_of_(planes_, steps),
        pooling_(planes_) {
    if (full_reference) reference_.emplace(settings, settings.reference.size, format, steps);
  }

  std::vector<ScalePlane> planes_;
  GpuAnalyser<Sample> distorted_;
  std::optional<GpuAnalyser<Sample>> reference_;
  // Arrays of all scales.
  gpu::Buffer<std::uint16_t> indices_;
  gpu::Buffer<float> contrasts_;
  GpuContrasts contrasts_of_;
  GpuPooling pooling_;
  std::optional<HeatmapDownload> heatmaps_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  const Settings settings = effective_settings(options, format);
  if (format.bit_depth == 8) {
    return std::make_unique<GpuBandingStage<std::uint8_t>>(options, settings, format);
  }
  return std::make_unique<GpuBandingStage<std::uint16_t>>(options, settings, format);
}

}  // namespace hipvmaf::cambi
