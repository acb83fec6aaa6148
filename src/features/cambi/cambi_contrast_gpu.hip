// Contrasts on a GPU. A block takes a tile of kTileColumns columns and some rows, and a few levels
// at a time, of those that the tile needs. Of each level it makes a plane of bits in shared memory:
// the pixels of the tile, and of the margin around it that windows reach, that have the level.
// Then each thread walks down a column of such a plane and keeps count of the bits in the window: a
// row enters, another leaves, and bits are counted by the word. Counts that a pixel needs go to its
// slots: one for its own level and one for each of the levels around. When the tile has seen all
// levels, the pixels' contrasts are made from the slots.
#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "features/cambi/cambi_contrast.hpp"
#include "features/cambi/cambi_gpu.hpp"
#include "features/cambi/cambi_settings.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::cambi {
namespace {

constexpr int kTileColumns = 64;
constexpr int kGroups = 4;  // each walks along other levels
constexpr int kThreads = kTileColumns * kGroups;
constexpr int kLargestTileRows = 32;
constexpr int kWordBits = 32;
constexpr int kPlaneWords = 3584;
constexpr int kSlotBytes = 26624;

/// Levels, however many steps and wherever they begin: see visible_steps().
constexpr int kMostLevels = 1024 + 4 * kMostSteps;
constexpr std::uint16_t kNowhere = 0xFFFF;

template <class Window>
constexpr int kSlots = kSlotBytes / static_cast<int>(sizeof(typename Window::Count));

/// The steps that count.
struct Steps {
  int count;  // the largest one
  int levels;
};

/// A tile with its margin.
struct Tile {
  ScalePlane plane;
  int x0;  // of the tile itself
  int y0;
  int rows;          // of the tile itself
  int margin_rows;   // with the margin
  int words_of_row;  // of a plane of bits

  __device__ Tile(const ScalePlane& whole, int index, int tile_rows)
      : plane(whole), rows(tile_rows), margin_rows(tile_rows + 2 * whole.radius) {
    const int across = (plane.width + kTileColumns - 1) / kTileColumns;
    x0 = index % across * kTileColumns;
    y0 = index / across * tile_rows;
    words_of_row = (kTileColumns + 2 * plane.radius + kWordBits - 1) / kWordBits;
  }

  __device__ std::uint16_t index_at(gpu::View1D<const std::uint16_t> indices, int x, int y) const {
    if (x < 0 || x >= plane.width || y < 0 || y >= plane.height) return kNoLevel;
    return indices[plane.first + y * plane.width + x];
  }

  /// Calls use(column, row, index) for all pixels with an index, of which each thread of the block
  /// gets others. Column and row begin with the margin.
  template <class Use>
  __device__ void for_each(gpu::View1D<const std::uint16_t> indices, const Use& use) const {
    const int columns = kTileColumns + 2 * plane.radius;
    for (int row = static_cast<int>(threadIdx.y); row < margin_rows; row += kGroups) {
      for (int column = static_cast<int>(threadIdx.x); column < columns; column += kTileColumns) {
        const std::uint16_t index =
            index_at(indices, x0 - plane.radius + column, y0 - plane.radius + row);
        if (index != kNoLevel) use(column, row, index);
      }
    }
  }

  __device__ bool is_in_tile(int column, int row) const {
    return column >= plane.radius && column < plane.radius + kTileColumns && row >= plane.radius &&
           row < plane.radius + rows;
  }
};

/// Levels of a tile: those of its pixels from which a step counts and those around them, as far as
/// there are such pixels in the windows.
struct TileLevels {
  std::uint8_t is_present[kMostLevels];
  std::uint8_t is_centre[kMostLevels];
  std::uint16_t level[kMostLevels];  // in any order
  std::uint16_t place[kMostLevels];  // of a level in that order
  std::uint32_t count;
};

__device__ bool is_needed(const TileLevels& levels, int level, const Steps& steps) {
  if (levels.is_present[level] == 0) return false;
  const int end = gpu::min(level + steps.count + 1, steps.levels);
  for (int centre = gpu::max(level - steps.count, 0); centre < end; ++centre) {
    if (levels.is_centre[centre] != 0) return true;
  }
  return false;
}

/// All threads of the block call it.
__device__ void find_levels(const Tile& tile, gpu::View1D<const std::uint16_t> indices,
                            gpu::View1D<const std::uint8_t> first_steps, const Steps& steps,
                            TileLevels& levels) {
  const int rank = gpu::thread_rank();
  for (int i = rank; i < steps.levels; i += kThreads) {
    levels.is_present[i] = 0;
    levels.is_centre[i] = 0;
    levels.place[i] = kNowhere;
  }
  if (rank == 0) levels.count = 0;
  __syncthreads();
  tile.for_each(indices, [&](int column, int row, std::uint16_t index) {
    levels.is_present[index] = 1;
    if (tile.is_in_tile(column, row) && first_steps[index] <= steps.count) {
      levels.is_centre[index] = 1;
    }
  });
  __syncthreads();
  for (int i = rank; i < steps.levels; i += kThreads) {
    if (!is_needed(levels, i, steps)) continue;
    const std::uint32_t place = atomicAdd(&levels.count, 1U);
    levels.place[i] = static_cast<std::uint16_t>(place);
    levels.level[place] = static_cast<std::uint16_t>(i);
  }
  __syncthreads();
}

using BitPlanes = gpu::SharedArray<std::uint32_t, kPlaneWords>;

/// Fills the planes of `count` levels, from that at place `first` on. All threads of the block call
/// it.
__device__ void make_planes(const Tile& tile, gpu::View1D<const std::uint16_t> indices,
                            const TileLevels& levels, int first, int count, BitPlanes& planes) {
  const int words_of_plane = tile.margin_rows * tile.words_of_row;
  for (int i = gpu::thread_rank(); i < count * words_of_plane; i += kThreads) planes[i] = 0;
  __syncthreads();
  tile.for_each(indices, [&](int column, int row, std::uint16_t index) {
    const int place = levels.place[index] - first;
    if (place < 0 || place >= count) return;
    // Every bit is set once, so that adding it does.
    gpu::atomic_add(planes[place * words_of_plane + row * tile.words_of_row + column / kWordBits],
                    1U << (column % kWordBits));
  });
  __syncthreads();
}

/// How many of the bits `begin` to `end` - 1 of a row are set.
__device__ int bits_set(BitPlanes& planes, int row_place, int begin, int end) {
  int count = 0;
  for (int word = begin / kWordBits; word * kWordBits < end; ++word) {
    std::uint32_t bits = planes[row_place + word];
    const int skipped = begin - word * kWordBits;
    const int kept = end - word * kWordBits;
    if (skipped > 0) bits &= ~std::uint32_t{0} << skipped;
    if (kept < kWordBits) bits &= (1U << kept) - 1;
    count += std::popcount(bits);
  }
  return count;
}

template <class Window>
using Slots = gpu::SharedArray<typename Window::Count, kSlots<Window>>;

/// Slot of a pixel for the level that is `distance` above its own.
__device__ int slot_of(const Tile& tile, const Steps& steps, int distance, int row) {
  return ((distance + steps.count) * tile.rows + row) * kTileColumns +
         static_cast<int>(threadIdx.x);
}

/// Walks down the thread's column of a level.
template <class Window>
__device__ void count_level(const Tile& tile, gpu::View1D<const std::uint16_t> indices,
                            const Steps& steps, int level, int plane_place, BitPlanes& planes,
                            Slots<Window>& slots) {
  const int column = static_cast<int>(threadIdx.x);
  const int side = window_side(tile.plane.radius);
  const int end = gpu::min(tile.margin_rows, tile.plane.height - tile.y0 + 2 * tile.plane.radius);
  int count = 0;
  for (int row = 0; row < end; ++row) {
    const int place = plane_place + row * tile.words_of_row;
    count += bits_set(planes, place, column, column + side);
    if (row >= side) {
      count -= bits_set(planes, place - side * tile.words_of_row, column, column + side);
    }
    const int centre = row + 1 - side;
    if (centre < 0) continue;
    const std::uint16_t index = tile.index_at(indices, tile.x0 + column, tile.y0 + centre);
    if (index == kNoLevel) continue;
    const int distance = level - index;
    if (distance < -steps.count || distance > steps.count) continue;
    slots[slot_of(tile, steps, distance, centre)] = static_cast<typename Window::Count>(count);
  }
}

template <class Window>
__device__ float contrast_of(const Tile& tile, const Steps& steps, int first_step, int row,
                             Slots<Window>& slots, gpu::View1D<const float> reciprocals) {
  using Product = typename Window::Product;
  float largest = 0.0F;
  const int own = static_cast<int>(slots[slot_of(tile, steps, 0, row)]);
  for (int step = first_step; step <= steps.count; ++step) {
    const int other = static_cast<int>(
        gpu::max(slots[slot_of(tile, steps, step, row)], slots[slot_of(tile, steps, -step, row)]));
    largest = gpu::max(largest,
                       contrast<Product>(step_weight(step), own, other, reciprocals[own + other]));
  }
  return largest;
}

template <class Window>
__global__ void __launch_bounds__(kThreads)
    measure_tiles(gpu::View1D<const ScalePlane> scale_planes,
                  gpu::View1D<const std::uint16_t> indices,
                  gpu::View1D<const std::uint8_t> first_steps, gpu::View1D<const float> reciprocals,
                  Steps steps, int tile_rows, gpu::View1D<float> contrasts) {
  HIPVMAF_SHARED(TileLevels, levels);
  HIPVMAF_SHARED(BitPlanes, planes);
  HIPVMAF_SHARED(Slots<Window>, slots);
  const Tile tile(scale_planes[static_cast<int>(blockIdx.y)], static_cast<int>(blockIdx.x),
                  tile_rows);
  if (tile.y0 >= tile.plane.height) return;
  find_levels(tile, indices, first_steps, steps, levels);
  const int slots_used = (2 * steps.count + 1) * tile.rows * kTileColumns;
  for (int i = gpu::thread_rank(); i < slots_used; i += kThreads) slots[i] = 0;

  const int level_count = static_cast<int>(levels.count);
  const int words_of_plane = tile.margin_rows * tile.words_of_row;
  const int at_once = kPlaneWords / words_of_plane;
  const int group = static_cast<int>(threadIdx.y);
  for (int first = 0; first < level_count; first += at_once) {
    const int count = gpu::min(at_once, level_count - first);
    make_planes(tile, indices, levels, first, count, planes);
    for (int i = group; i < count; i += kGroups) {
      count_level<Window>(tile, indices, steps, levels.level[first + i], i * words_of_plane, planes,
                          slots);
    }
    __syncthreads();
  }

  const int x = tile.x0 + static_cast<int>(threadIdx.x);
  for (int row = group; row < tile.rows; row += kGroups) {
    const int y = tile.y0 + row;
    if (x >= tile.plane.width || y >= tile.plane.height) continue;
    const std::uint16_t index = tile.index_at(indices, x, y);
    contrasts[tile.plane.first + y * tile.plane.width + x] =
        index == kNoLevel
            ? 0.0F
            : contrast_of<Window>(tile, steps, first_steps[index], row, slots, reciprocals);
  }
}

int plane_words(int radius, int rows) {
  return (rows + 2 * radius) * ((kTileColumns + 2 * radius + kWordBits - 1) / kWordBits);
}

/// As many rows as slots and planes have room for.
template <class Window>
int tile_rows_for(int steps, int radius) {
  int rows = std::min(kLargestTileRows, kSlots<Window> / ((2 * steps + 1) * kTileColumns));
  while (rows > 1 && plane_words(radius, rows) > kPlaneWords) --rows;
  return rows;
}

/// A table may not be empty.
std::vector<std::uint8_t> filled(std::vector<std::uint8_t> table) {
  if (table.empty()) table.push_back(0);
  return table;
}

int largest_radius(const std::vector<ScalePlane>& planes) {
  return std::ranges::max_element(planes, {}, &ScalePlane::radius)->radius;
}

}  // namespace

GpuContrasts::GpuContrasts(const std::vector<ScalePlane>& planes, const VisibleSteps& steps)
    : steps_(steps.steps),
      level_count_(steps.level_count),
      largest_radius_(largest_radius(planes)),
      plane_count_(static_cast<int>(planes.size())),
      planes_(gpu::make_table<ScalePlane>(planes)),
      first_steps_(gpu::make_table<std::uint8_t>(filled(steps.first_step))),
      reciprocals_(gpu::make_table<float>(
          reciprocal_table(window_side(largest_radius_) * window_side(largest_radius_) + 1))) {
  uses_usual_window_ = window_side(largest_radius_) <= UsualWindow::kLargestSide;
  tile_rows_ = uses_usual_window_ ? tile_rows_for<UsualWindow>(steps_, largest_radius_)
                                  : tile_rows_for<LargeWindow>(steps_, largest_radius_);
  for (const ScalePlane& plane : planes) {
    most_tiles_ = std::max(most_tiles_, gpu::blocks_for(plane.width, kTileColumns) *
                                            gpu::blocks_for(plane.height, tile_rows_));
  }
}

std::string gpu_obstacle(const OptionValues& options, const PictureFormat& format) {
  const Settings settings = effective_settings(options, format);
  const int radius = std::max(settings.distorted.radius, settings.reference.radius);
  if (plane_words(radius, 1) <= kPlaneWords) return "";
  const std::string side = std::to_string(window_side(radius));
  return "extractor cambi has windows of " + side + "x" + side +
         " pixels here, too large for a GPU; window_size makes them smaller";
}

void GpuContrasts::enqueue(gpu::Stream& stream, gpu::View1D<const std::uint16_t> indices,
                           gpu::View1D<float> contrasts) const {
  const dim3 grid(most_tiles_, static_cast<unsigned>(plane_count_));
  gpu::launch(stream, grid, dim3(kTileColumns, kGroups),
              uses_usual_window_ ? measure_tiles<UsualWindow> : measure_tiles<LargeWindow>,
              planes_.view().readable(), indices, first_steps_.view().readable(),
              reciprocals_.view().readable(), Steps{steps_, level_count_}, tile_rows_, contrasts);
}

}  // namespace hipvmaf::cambi
