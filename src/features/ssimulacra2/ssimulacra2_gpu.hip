// SSIMULACRA 2 on a GPU.
//
// A launch per scale turns two by two pixels per thread into XYB and into one pixel of the next
// scale. All later launches serve every channel of every scale at once, because the recursive blur
// walks along lines one sample after the other: only many lines fill a device.
//
// Along the rows, a block takes 32 rows: a group of threads per blurred plane, a thread per row.
// The samples come and go through shared memory, a few columns at a time. Down the columns, a block
// takes 32 columns in the same way, and makes error maps from the blurred planes before they leave
// shared memory. ErrorSums adds the maps up.
#include <vector>

#include "features/gpu_stage.hpp"
#include "features/ssimulacra2/ssimulacra2.hpp"
#include "features/ssimulacra2/ssimulacra2_colour.hpp"
#include "features/ssimulacra2/ssimulacra2_sums_gpu.hpp"
#include "features/ssimulacra2/ssimulacra2_weights.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::ssimulacra2 {
namespace {

// ---- Scales ----

constexpr int kPairPlanes = 2 * kChannels;  // of the reference, then of the distorted picture
constexpr int kRowAlignment = 32;

/// A scale, and where its planes begin in the arrays of all scales. Scale 0 has no linear light.
struct Level {
  int width = 0;
  int height = 0;
  int pitch = 0;
  int xyb = 0;
  int linear = 0;

  [[nodiscard]] HIPVMAF_HD int plane_size() const { return pitch * height; }
  template <class T>
  [[nodiscard]] HIPVMAF_HD gpu::View2D<T> plane(gpu::View1D<T> all, int first, int index) const {
    return {all.data + first + static_cast<std::ptrdiff_t>(index) * plane_size(), width, height,
            pitch};
  }
};

template <class Sample>
struct Planes {
  gpu::View2D<const Sample> luma;
  gpu::View2D<const Sample> cb;
  gpu::View2D<const Sample> cr;
};

/// Linear light from samples.
template <class Sample>
struct SampleSource {
  Planes<Sample> reference;
  Planes<Sample> distorted;
  int column_shift;  // from luma to chroma
  int row_shift;
  float sample_scale;
  ColourMatrix matrix;
  gpu::View1D<const float> transfer_table;

  __device__ Colour at(int picture, int x, int y) const {
    const Planes<Sample> planes = picture == 0 ? reference : distorted;
    const int cx = x >> column_shift;
    const int cy = y >> row_shift;
    const Colour coded =
        coded_colour(planes.luma(x, y), scaled_chroma(planes.cb(cx, cy), sample_scale, matrix),
                     scaled_chroma(planes.cr(cx, cy), sample_scale, matrix), sample_scale, matrix);
    return {linear_light(coded.r, transfer_table.data), linear_light(coded.g, transfer_table.data),
            linear_light(coded.b, transfer_table.data)};
  }
};

/// Linear light that the launch before has left.
struct LinearSource {
  gpu::View1D<const float> linear;
  Level level;

  __device__ Colour at(int picture, int x, int y) const {
    const int first = picture * kChannels;
    return {level.plane(linear, level.linear, first)(x, y),
            level.plane(linear, level.linear, first + 1)(x, y),
            level.plane(linear, level.linear, first + 2)(x, y)};
  }
};

__device__ void store_xyb(const Colour& colour, const Level& level, gpu::View1D<float> xyb,
                          int picture, int x, int y) {
  const Xyb value = xyb_of(colour.r, colour.g, colour.b);
  const int first = picture * kChannels;
  level.plane(xyb, level.xyb, first)(x, y) = value.x;
  level.plane(xyb, level.xyb, first + 1)(x, y) = value.y;
  level.plane(xyb, level.xyb, first + 2)(x, y) = value.b;
}

constexpr int kScaleBlockWidth = 32;
constexpr int kScaleBlockHeight = 8;

/// XYB of `level`, and linear light of `next` if that exists.
template <class Source>
__global__ void make_scale(Source source, Level level, Level next, gpu::View1D<float> xyb,
                           gpu::View1D<float> linear) {
  const int x = static_cast<int>(blockIdx.x) * kScaleBlockWidth + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kScaleBlockHeight + static_cast<int>(threadIdx.y);
  const int picture = static_cast<int>(blockIdx.z);
  if (x >= halved_side(level.width) || y >= halved_side(level.height)) return;
  // The last column and row of odd sizes are taken twice.
  const int right = gpu::min(2 * x + 1, level.width - 1);
  const int below = gpu::min(2 * y + 1, level.height - 1);
  const Colour a = source.at(picture, 2 * x, 2 * y);
  const Colour b = source.at(picture, right, 2 * y);
  const Colour c = source.at(picture, 2 * x, below);
  const Colour d = source.at(picture, right, below);
  store_xyb(a, level, xyb, picture, 2 * x, 2 * y);
  store_xyb(b, level, xyb, picture, right, 2 * y);
  store_xyb(c, level, xyb, picture, 2 * x, below);
  store_xyb(d, level, xyb, picture, right, below);
  if (next.width == 0) return;
  const int first = picture * kChannels;
  next.plane(linear, next.linear, first)(x, y) = halved(a.r, b.r, c.r, d.r);
  next.plane(linear, next.linear, first + 1)(x, y) = halved(a.g, b.g, c.g, d.g);
  next.plane(linear, next.linear, first + 2)(x, y) = halved(a.b, b.b, c.b, d.b);
}

// ---- Blur ----

/// Planes that are blurred, as on the CPU; the products only for the structural error.
enum { kMeanR, kMeanD, kSquareR, kSquareD, kProduct, kBlurPlanes };

/// A channel of a scale.
struct Channel {
  Level level;
  int channel;
  int blurred;  // where its planes, blurred along the rows, begin
  int planes;   // how many they are
  bool structure;
  bool edges;
  int structure_errors;  // where its maps begin
  int edge_changes;
};

/// Lines of a block, and threads of a group.
constexpr int kLines = 32;
[[maybe_unused]] constexpr int kBlurThreads = kLines * kBlurPlanes;
static_assert(kBlurThreads % gpu::kGroup == 0);

/// The recursions of a line.
struct Blur {
  float last[kRecursions] = {};
  float before[kRecursions] = {};

  __device__ float step(float drive) {
    const float v0 = blur_step<0>(drive, last[0], before[0]);
    const float v1 = blur_step<1>(drive, last[1], before[1]);
    const float v2 = blur_step<2>(drive, last[2], before[2]);
    HIPVMAF_UNROLL
    for (int r = 0; r < kRecursions; ++r) before[r] = last[r];
    last[0] = v0;
    last[1] = v1;
    last[2] = v2;
    return blur_sum(v0, v1, v2);
  }
};

constexpr int kColumnsPerStep = 32;
constexpr int kReach = kBlurBehind + kBlurAhead;
// One more than the columns, an odd number: a group takes a column of shared memory at a time.
constexpr int kLoadedPitch = kColumnsPerStep + kReach + 1;
constexpr int kBlurredPitch = kColumnsPerStep + 1;

using LoadedRows = gpu::SharedArray<float, 2 * kLines * kLoadedPitch>;
using BlurredRows = gpu::SharedArray<float, kBlurPlanes * kLines * kBlurredPitch>;

/// Columns `first_column` and on of both pictures.
__device__ void load_rows(const Channel& channel, gpu::View1D<const float> xyb, int first_row,
                          int first_column, LoadedRows& loaded) {
  const Level& level = channel.level;
  const auto reference = level.plane(xyb, level.xyb, channel.channel);
  const auto distorted = level.plane(xyb, level.xyb, kChannels + channel.channel);
  for (int line = static_cast<int>(threadIdx.y); line < 2 * kLines; line += kBlurPlanes) {
    const auto picture = line < kLines ? reference : distorted;
    const int y = first_row + line % kLines;
    for (int i = static_cast<int>(threadIdx.x); i < kColumnsPerStep + kReach; i += kLines) {
      const int x = first_column + i;
      const bool is_inside = x >= 0 && x < level.width && y < level.height;
      loaded[line * kLoadedPitch + i] = is_inside ? picture(x, y) : 0.0F;
    }
  }
}

/// A sample of the plane that the thread's group blurs.
__device__ float plane_sample(LoadedRows& loaded, int plane, int at) {
  const int distorted = at + kLines * kLoadedPitch;
  if (plane == kMeanR) return loaded[at];
  if (plane == kMeanD) return loaded[distorted];
  return loaded[plane == kSquareD ? distorted : at] * loaded[plane == kSquareR ? at : distorted];
}

__device__ void store_rows(const Channel& channel, BlurredRows& rows, int first_row,
                           int first_column, gpu::View1D<float> blurred) {
  const int x = first_column + static_cast<int>(threadIdx.x);
  if (x < 0 || x >= channel.level.width) return;
  for (int line = static_cast<int>(threadIdx.y); line < channel.planes * kLines;
       line += kBlurPlanes) {
    const int y = first_row + line % kLines;
    if (y >= channel.level.height) continue;
    channel.level.plane(blurred, channel.blurred, line / kLines)(x, y) =
        rows[line * kBlurredPitch + static_cast<int>(threadIdx.x)];
  }
}

__global__ void __launch_bounds__(kBlurThreads)
    blur_rows(gpu::View1D<const Channel> channels, gpu::View1D<const float> xyb,
              gpu::View1D<float> blurred) {
  HIPVMAF_SHARED(LoadedRows, loaded);
  HIPVMAF_SHARED(BlurredRows, rows);
  const Channel channel = channels[static_cast<int>(blockIdx.y)];
  const int first_row = static_cast<int>(blockIdx.x) * kLines;
  if (first_row >= channel.level.height) return;
  const int line = static_cast<int>(threadIdx.x);
  const int plane = static_cast<int>(threadIdx.y);
  Blur blur;
  for (int first = -kBlurAhead; first < channel.level.width; first += kColumnsPerStep) {
    load_rows(channel, xyb, first_row, first - kBlurBehind, loaded);
    __syncthreads();
    if (plane < channel.planes) {
      for (int i = 0; i < kColumnsPerStep; ++i) {
        const int behind = line * kLoadedPitch + i;
        const float drive =
            plane_sample(loaded, plane, behind) + plane_sample(loaded, plane, behind + kReach);
        rows[(plane * kLines + line) * kBlurredPitch + i] = blur.step(drive);
      }
    }
    __syncthreads();
    store_rows(channel, rows, first_row, first, blurred);
  }
}

// ---- Columns, and errors ----

constexpr int kRowsPerStep = 8;

using SmoothRows = gpu::SharedArray<float, kBlurPlanes * kRowsPerStep * kLines>;

/// The next kRowsPerStep rows of a column.
__device__ void blur_column(gpu::View2D<const float> plane, int x, int first_row, Blur& blur,
                            SmoothRows& smooth) {
  float drives[kRowsPerStep];
  HIPVMAF_UNROLL
  for (int i = 0; i < kRowsPerStep; ++i) {
    const int behind = first_row + i - kBlurBehind;
    const int ahead = first_row + i + kBlurAhead;
    drives[i] = (behind >= 0 && behind < plane.height ? plane(x, behind) : 0.0F) +
                (ahead < plane.height ? plane(x, ahead) : 0.0F);
  }
  HIPVMAF_UNROLL
  for (int i = 0; i < kRowsPerStep; ++i) {
    smooth[(static_cast<int>(threadIdx.y) * kRowsPerStep + i) * kLines +
           static_cast<int>(threadIdx.x)] = blur.step(drives[i]);
  }
}

/// Errors of row `y`, which is row `row` of those in shared memory.
__device__ void store_errors(const Channel& channel, gpu::View1D<const float> xyb,
                             SmoothRows& smooth, int x, int y, int row,
                             gpu::View1D<double> errors) {
  const Level& level = channel.level;
  const int at = row * kLines + static_cast<int>(threadIdx.x);
  constexpr int kPlane = kRowsPerStep * kLines;
  const float mean_r = smooth[kMeanR * kPlane + at];
  const float mean_d = smooth[kMeanD * kPlane + at];
  const int pixel = y * level.width + x;
  if (channel.structure) {
    errors[channel.structure_errors + pixel] =
        structure_error(mean_r, mean_d, smooth[kSquareR * kPlane + at],
                        smooth[kSquareD * kPlane + at], smooth[kProduct * kPlane + at]);
  }
  if (channel.edges) {
    const float reference = level.plane(xyb, level.xyb, channel.channel)(x, y);
    const float distorted = level.plane(xyb, level.xyb, kChannels + channel.channel)(x, y);
    errors[channel.edge_changes + pixel] = edge_change(reference, mean_r, distorted, mean_d);
  }
}

__global__ void __launch_bounds__(kBlurThreads)
    blur_columns(gpu::View1D<const Channel> channels, gpu::View1D<const float> xyb,
                 gpu::View1D<const float> blurred, gpu::View1D<double> errors) {
  HIPVMAF_SHARED(SmoothRows, smooth);
  const Channel channel = channels[static_cast<int>(blockIdx.y)];
  const Level& level = channel.level;
  const int x = static_cast<int>(blockIdx.x) * kLines + static_cast<int>(threadIdx.x);
  if (x - static_cast<int>(threadIdx.x) >= level.width) return;
  const int group = static_cast<int>(threadIdx.y);
  const bool blurs = group < channel.planes && x < level.width;
  const auto plane = level.plane(blurred, channel.blurred, blurs ? group : 0);
  Blur blur;
  for (int first = -kBlurAhead; first < level.height; first += kRowsPerStep) {
    if (blurs) blur_column(plane, x, first, blur, smooth);
    __syncthreads();
    for (int row = group; row < kRowsPerStep; row += kBlurPlanes) {
      const int y = first + row;
      if (x < level.width && y >= 0 && y < level.height) {
        store_errors(channel, xyb, smooth, x, y, row, errors);
      }
    }
    __syncthreads();
  }
}

// ---- The stage ----

/// What lies where.
struct Layout {
  std::vector<Level> levels;
  std::vector<Channel> channels;
  std::vector<ErrorMap> maps;  // in the order of their places in the array of all maps
  // Sizes of the arrays of all scales.
  int xyb = 0;
  int linear = 0;
  int blurred = 0;
  int errors = 0;

  explicit Layout(const PictureFormat& format) {
    int width = format.width;
    int height = format.height;
    while (levels.size() < kScales && gpu::min(width, height) >= kSmallestSide) {
      add_level(width, height);
      width = halved_side(width);
      height = halved_side(height);
    }
  }

 private:
  static int taken(int& total, int count) {
    total += count;
    return total - count;
  }

  void add_level(int width, int height) {
    const int scale = static_cast<int>(levels.size());
    Level level{width, height, (width + kRowAlignment - 1) / kRowAlignment * kRowAlignment};
    level.xyb = taken(xyb, kPairPlanes * level.plane_size());
    if (scale > 0) level.linear = taken(linear, kPairPlanes * level.plane_size());
    levels.push_back(level);
    for (int c = 0; c < kChannels; ++c) add_channel(level, scale, c);
  }

  void add_channel(const Level& level, int scale, int c) {
    const Needs needs = needs_of(static_cast<std::size_t>(c), static_cast<std::size_t>(scale));
    if (!needs.structure && !needs.edges) return;
    Channel channel{};
    channel.level = level;
    channel.channel = c;
    channel.planes = needs.structure ? kBlurPlanes : kSquareR;
    channel.blurred = taken(blurred, channel.planes * level.plane_size());
    channel.structure = needs.structure;
    channel.edges = needs.edges;
    const int pixels = level.width * level.height;
    if (needs.structure) {
      channel.structure_errors = taken(errors, pixels);
      maps.push_back({pixels, c, scale, false});
    }
    if (needs.edges) {
      channel.edge_changes = taken(errors, pixels);
      maps.push_back({pixels, c, scale, true});
    }
    channels.push_back(channel);
  }
};

template <class Sample>
class GpuStageOfSamples final : public GpuStageOf<Ssimulacra2Raw> {
 public:
  GpuStageOfSamples(const OptionValues& options, const PictureFormat& format)
      : format_(format),
        matrix_(colour_matrix(options.integer("yuv_matrix"))),
        layout_(format),
        channels_(gpu::make_table<Channel>(layout_.channels)),
        transfer_table_(gpu::make_table<float>(transfer_table())),
        xyb_(layout_.xyb),
        linear_(layout_.linear),
        blurred_(layout_.blurred),
        sums_(layout_.maps) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<Ssimulacra2Raw> raw) override {
    make_scales(stream, window.current());
    const Level& largest = layout_.levels.front();
    const auto channels = channels_.view().readable();
    const auto count = static_cast<unsigned>(channels.count);
    const dim3 block(kLines, kBlurPlanes);
    gpu::launch(stream, dim3(gpu::blocks_for(largest.height, kLines), count), block, blur_rows,
                channels, xyb_.view().readable(), blurred_.view());
    gpu::launch(stream, dim3(gpu::blocks_for(largest.width, kLines), count), block, blur_columns,
                channels, xyb_.view().readable(), blurred_.view().readable(), sums_.maps());
    sums_.add(stream, raw);
  }

 private:
  void make_scales(gpu::Stream& stream, const DeviceFrame& frame) {
    for (std::size_t s = 0; s < layout_.levels.size(); ++s) {
      if (s == 0) {
        make_scale_from(stream, samples_of(frame), s);
      } else {
        make_scale_from(stream, LinearSource{linear_.view().readable(), layout_.levels[s]}, s);
      }
    }
  }

  template <class Source>
  void make_scale_from(gpu::Stream& stream, const Source& source, std::size_t scale) {
    const Level& level = layout_.levels[scale];
    const Level next = scale + 1 < layout_.levels.size() ? layout_.levels[scale + 1] : Level{};
    const dim3 grid(gpu::blocks_for(halved_side(level.width), kScaleBlockWidth),
                    gpu::blocks_for(halved_side(level.height), kScaleBlockHeight), 2);
    gpu::launch(stream, grid, dim3(kScaleBlockWidth, kScaleBlockHeight), make_scale<Source>, source,
                level, next, xyb_.view(), linear_.view());
  }

  [[nodiscard]] SampleSource<Sample> samples_of(const DeviceFrame& frame) const {
    SampleSource<Sample> source{};
    source.reference = planes_of(frame.reference);
    source.distorted = planes_of(frame.distorted);
    source.column_shift = format_.plane_width(1) < format_.width ? 1 : 0;
    source.row_shift = format_.chroma == ChromaFormat::yuv420 ? 1 : 0;
    source.sample_scale = sample_scale(format_.bit_depth);
    source.matrix = matrix_;
    source.transfer_table = transfer_table_.view().readable();
    return source;
  }

  static Planes<Sample> planes_of(const DevicePicture& picture) {
    return {picture.plane<Sample>(0), picture.plane<Sample>(1), picture.plane<Sample>(2)};
  }

  PictureFormat format_;
  ColourMatrix matrix_;
  Layout layout_;
  gpu::Buffer<Channel> channels_;
  gpu::Buffer<float> transfer_table_;
  // Arrays of all scales.
  gpu::Buffer<float> xyb_;
  gpu::Buffer<float> linear_;
  gpu::Buffer<float> blurred_;
  ErrorSums sums_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) {
    return std::make_unique<GpuStageOfSamples<std::uint8_t>>(options, format);
  }
  return std::make_unique<GpuStageOfSamples<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::ssimulacra2
