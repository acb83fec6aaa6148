#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/picture.hpp>

namespace hipvmaf {
namespace {

// Rows start on cache lines, which is also the widest vector register.
constexpr std::size_t kRowAlignment = 64;

// Vector code may read, never write, so far behind the last sample.
constexpr std::size_t kReadableTail = 64;

constexpr int halve_up(int n) { return (n + 1) / 2; }

std::byte* allocate(std::size_t bytes) {
  void* memory = std::aligned_alloc(kRowAlignment, bytes + kReadableTail);
  if (memory == nullptr) {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("no memory for a picture of {} bytes", bytes));
  }
  return static_cast<std::byte*>(memory);
}

/// Calls the owner of wrapped memory back when the last Picture that reads it is gone.
class ReleaseGuard {
 public:
  explicit ReleaseGuard(std::function<void()> release) : release_(std::move(release)) {}
  ReleaseGuard(const ReleaseGuard&) = delete;
  ReleaseGuard& operator=(const ReleaseGuard&) = delete;
  ~ReleaseGuard() {
    if (release_) release_();
  }

 private:
  std::function<void()> release_;
};

}  // namespace

std::string_view to_string(ChromaFormat chroma) {
  switch (chroma) {
    case ChromaFormat::yuv400:
      return "4:0:0";
    case ChromaFormat::yuv420:
      return "4:2:0";
    case ChromaFormat::yuv422:
      return "4:2:2";
    case ChromaFormat::yuv444:
      return "4:4:4";
  }
  return "unknown chroma format";
}

int PictureFormat::plane_width(int plane) const {
  const bool halved =
      plane > 0 && (chroma == ChromaFormat::yuv420 || chroma == ChromaFormat::yuv422);
  return halved ? halve_up(width) : width;
}

int PictureFormat::plane_height(int plane) const {
  return plane > 0 && chroma == ChromaFormat::yuv420 ? halve_up(height) : height;
}

std::size_t PictureFormat::packed_bytes() const {
  std::size_t samples = 0;
  for (int p = 0; p < plane_count(); ++p) {
    samples += static_cast<std::size_t>(plane_width(p)) * static_cast<std::size_t>(plane_height(p));
  }
  return samples * static_cast<std::size_t>(bytes_per_sample());
}

std::string PictureFormat::describe() const {
  return fmt::format("{}x{} {} {} bit", width, height, to_string(chroma), bit_depth);
}

void PictureFormat::validate() const {
  if (width < 1 || height < 1 || width > kMaxPictureSide || height > kMaxPictureSide) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("picture size {}x{} is outside 1x1 .. {}x{}", width, height,
                            kMaxPictureSide, kMaxPictureSide));
  }
  if (bit_depth < 8 || bit_depth > 16) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("bit depth {} is outside 8 .. 16", bit_depth));
  }
}

namespace {

/// Throws Error(invalid_argument) unless the rows of a plane can be what the format says.
void require_plane(const PictureFormat& format, SampleLayout layout, int index,
                   const Picture::Plane& plane) {
  const auto sample_bytes = static_cast<std::ptrdiff_t>(format.bytes_per_sample());
  const bool misaligned =
      reinterpret_cast<std::uintptr_t>(plane.data) % static_cast<std::uintptr_t>(sample_bytes) !=
          0 ||
      plane.stride_bytes % sample_bytes != 0;
  const bool interleaved = layout == SampleLayout::semi_planar && index > 0;
  const int samples = format.plane_width(index) * (interleaved ? 2 : 1);
  if (plane.data != nullptr && !misaligned && plane.stride_bytes >= samples * sample_bytes) return;
  throw Error(
      ErrorCode::invalid_argument,
      fmt::format("plane {} of a wrapped picture has no data, misaligned rows, or a stride of {} "
                  "bytes for {} samples",
                  index, plane.stride_bytes, samples));
}

}  // namespace

int Picture::plane_count(const PictureFormat& format, SampleLayout layout) {
  return layout == SampleLayout::semi_planar ? 2 : format.plane_count();
}

Picture Picture::wrap_layout(const PictureFormat& format, SampleLayout layout,
                             std::span<const Plane> planes, std::function<void()> release) {
  // From here on `release` runs exactly once, also when a check below throws.
  auto owner = std::make_shared<const ReleaseGuard>(std::move(release));
  format.validate();
  const int count = plane_count(format, layout);
  if (planes.size() < static_cast<std::size_t>(count)) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("a {} picture has {} planes, {} were given", format.describe(), count,
                            planes.size()));
  }
  Picture picture;
  picture.format_ = format;
  picture.layout_ = layout;
  for (int p = 0; p < count; ++p) {
    const auto i = static_cast<std::size_t>(p);
    require_plane(format, layout, p, planes[i]);
    picture.planes_[i] = planes[i];
  }
  picture.owner_ = std::move(owner);
  return picture;
}

Picture Picture::wrap(const PictureFormat& format, std::span<const Plane> planes,
                      std::function<void()> release) {
  return wrap_layout(format, SampleLayout::planar, planes, std::move(release));
}

Picture Picture::wrap_device(const PictureFormat& format, SampleLayout layout,
                             std::span<const Plane> planes, std::function<void()> release) {
  const bool has_chroma = format.chroma != ChromaFormat::yuv400;
  Picture picture =
      wrap_layout(format, has_chroma ? layout : SampleLayout::planar, planes, std::move(release));
  if (layout == SampleLayout::semi_planar && !has_chroma) {
    throw Error(ErrorCode::invalid_argument, "a semi-planar picture has chroma, 4:0:0 has none");
  }
  picture.is_on_device_ = true;
  return picture;
}

PictureBuffer::Layout PictureBuffer::layout_of(const PictureFormat& format) {
  format.validate();
  Layout layout;
  for (int p = 0; p < format.plane_count(); ++p) {
    const auto row = static_cast<std::size_t>(format.plane_width(p)) *
                     static_cast<std::size_t>(format.bytes_per_sample());
    const std::size_t stride = (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    layout.planes[static_cast<std::size_t>(p)] = {layout.bytes,
                                                  static_cast<std::ptrdiff_t>(stride)};
    layout.bytes += stride * static_cast<std::size_t>(format.plane_height(p));
  }
  return layout;
}

PictureBuffer::PictureBuffer(const PictureFormat& format) : format_(format) {
  const Layout layout = layout_of(format);
  layout_ = layout.planes;
  memory_ = std::shared_ptr<std::byte>(allocate(layout.bytes), [](std::byte* p) { std::free(p); });
}

std::span<std::byte> PictureBuffer::row_bytes(int plane, int y) const {
  const PlaneLayout& layout = layout_[static_cast<std::size_t>(plane)];
  return {memory_.get() + layout.offset + y * layout.stride_bytes,
          static_cast<std::size_t>(format_.plane_width(plane)) *
              static_cast<std::size_t>(format_.bytes_per_sample())};
}

Picture PictureBuffer::finish() && {
  Picture picture;
  picture.format_ = format_;
  for (int p = 0; p < format_.plane_count(); ++p) {
    const auto i = static_cast<std::size_t>(p);
    picture.planes_[i] = {memory_.get() + layout_[i].offset, layout_[i].stride_bytes};
  }
  picture.owner_ = std::move(memory_);
  return picture;
}

/// The free blocks. Pictures hold a share of it, so that a block can come back after the pool is
/// gone.
struct PicturePool::State {
  PictureAllocator allocator;
  std::mutex mutex;
  std::vector<std::byte*> free_blocks;
  std::size_t blocks = 0;  // free or in use

  explicit State(PictureAllocator from) : allocator(std::move(from)) {
    if (!allocator.allocate) {
      allocator = {.allocate = hipvmaf::allocate, .release = [](std::byte* p) { std::free(p); }};
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (std::byte* block : free_blocks) allocator.release(block);
  }
};

PicturePool::PicturePool(const PictureFormat& format, PictureAllocator allocator)
    : format_(format),
      layout_(PictureBuffer::layout_of(format)),
      state_(std::make_shared<State>(std::move(allocator))) {}

PictureBuffer PicturePool::acquire() {
  std::byte* block = nullptr;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->free_blocks.empty()) {
      block = state_->free_blocks.back();
      state_->free_blocks.pop_back();
    } else {
      state_->free_blocks.reserve(++state_->blocks);  // so that giving a block back cannot fail
    }
  }
  if (block == nullptr) block = state_->allocator.allocate(layout_.bytes);
  std::shared_ptr<std::byte> memory(block, [state = state_](std::byte* p) {
    const std::lock_guard lock(state->mutex);
    state->free_blocks.push_back(p);
  });
  return {format_, layout_, std::move(memory)};
}

}  // namespace hipvmaf
