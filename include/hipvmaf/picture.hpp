// Pictures: planar luma and chroma samples of one video frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hipvmaf {

enum class ChromaFormat : std::uint8_t { yuv400, yuv420, yuv422, yuv444 };

/// "4:0:0", "4:2:0", "4:2:2" or "4:4:4".
[[nodiscard]] std::string_view to_string(ChromaFormat chroma);

/// Largest luma width and height, in samples, that any part of the library accepts.
inline constexpr int kMaxPictureSide = 32768;

/// Size, chroma format and depth of a picture; the same for all pictures of a video.
struct PictureFormat {
  int width = 0;   ///< Luma columns, 1..kMaxPictureSide.
  int height = 0;  ///< Luma rows, 1..kMaxPictureSide.
  ChromaFormat chroma = ChromaFormat::yuv420;
  int bit_depth = 8;  ///< Bits per sample, 8..16.

  bool operator==(const PictureFormat&) const = default;

  /// 1 (luma) for 4:0:0, else 3 (luma, Cb, Cr).
  [[nodiscard]] int plane_count() const { return chroma == ChromaFormat::yuv400 ? 1 : 3; }
  /// Columns of a plane (0 = luma); subsampled sizes are rounded up, as video files store them.
  [[nodiscard]] int plane_width(int plane) const;
  /// Rows of a plane; rounded up likewise.
  [[nodiscard]] int plane_height(int plane) const;
  /// 1 at 8 bit, else 2 (native byte order, value in the low bits).
  [[nodiscard]] int bytes_per_sample() const { return bit_depth > 8 ? 2 : 1; }
  /// Bytes of all planes stored back to back without padding.
  [[nodiscard]] std::size_t packed_bytes() const;
  /// For example "1920x1080 4:2:0 10 bit".
  [[nodiscard]] std::string describe() const;
  /// Throws Error(unsupported_format) unless all members are in the ranges given above.
  void validate() const;
};

/// A view of one plane: `height` rows of `width` contiguous samples.
template <class Sample>
struct PlaneView {
  Sample* data = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride = 0;  ///< Samples from one row to the next.

  [[nodiscard]] Sample* row(int y) const { return data + y * stride; }
};

/// How samples lie in memory that someone else owns.
enum class SampleLayout : std::uint8_t {
  planar,       ///< A plane per component; values in the low bits.
  semi_planar,  ///< Luma, then a plane where Cb and Cr take turns; values of more than 8 bit in the
                ///< high bits: NV12, P010 and their kin.
};

/// An immutable picture: a cheap handle to shared sample memory. Copies refer to the same samples,
/// and the memory is given back when the last copy is gone. A default-made Picture is empty.
class Picture {
 public:
  struct Plane {
    const void* data = nullptr;
    std::ptrdiff_t stride_bytes = 0;
  };

  Picture() = default;

  /// Wraps memory that someone else owns, without a copy. `planes` holds format.plane_count()
  /// planes; `release` is called once, from any thread, when no one reads the samples any more.
  /// Throws Error(invalid_argument) for missing planes, misaligned 16-bit rows, or a stride shorter
  /// than a row.
  [[nodiscard]] static Picture wrap(const PictureFormat& format, std::span<const Plane> planes,
                                    std::function<void()> release);

  /// Wraps memory of the GPU that the session computes on. Only extractors that run there can
  /// measure such a picture, and nothing on the host may read its samples. `planes` holds
  /// plane_count(format, layout) planes. What fills them must have ended before the picture is
  /// submitted; `release` is called after the GPU has read them. Throws as wrap() does, and
  /// Error(invalid_argument) for semi_planar 4:0:0.
  [[nodiscard]] static Picture wrap_device(const PictureFormat& format, SampleLayout layout,
                                           std::span<const Plane> planes,
                                           std::function<void()> release);

  /// Planes in memory: luma, and chroma as one plane or two.
  [[nodiscard]] static int plane_count(const PictureFormat& format, SampleLayout layout);

  [[nodiscard]] explicit operator bool() const { return owner_ != nullptr; }
  [[nodiscard]] const PictureFormat& format() const { return format_; }
  [[nodiscard]] bool is_on_device() const { return is_on_device_; }
  [[nodiscard]] SampleLayout layout() const { return layout_; }  ///< Planar on the host.
  /// Where a plane lies in memory.
  [[nodiscard]] const Plane& stored_plane(int index) const {
    return planes_[static_cast<std::size_t>(index)];
  }

  /// Samples of a plane on the host. `Sample` is std::uint8_t at 8 bit and std::uint16_t above.
  template <class Sample>
  [[nodiscard]] PlaneView<const Sample> plane(int index) const {
    const Plane& p = planes_[static_cast<std::size_t>(index)];
    return {static_cast<const Sample*>(p.data), format_.plane_width(index),
            format_.plane_height(index),
            p.stride_bytes / static_cast<std::ptrdiff_t>(sizeof(Sample))};
  }

 private:
  friend class PictureBuffer;

  static Picture wrap_layout(const PictureFormat& format, SampleLayout layout,
                             std::span<const Plane> planes, std::function<void()> release);

  PictureFormat format_;
  SampleLayout layout_ = SampleLayout::planar;
  bool is_on_device_ = false;
  std::array<Plane, 3> planes_;
  std::shared_ptr<const void> owner_;
};

/// A picture being filled: the only owner of writable sample memory, turned into a Picture when
/// complete.
class PictureBuffer {
 public:
  /// Allocates a picture of its own; rows begin on 64-byte boundaries. Samples are not initialised.
  /// Throws Error(unsupported_format) or Error(out_of_memory).
  explicit PictureBuffer(const PictureFormat& format);

  PictureBuffer(PictureBuffer&&) noexcept = default;
  PictureBuffer& operator=(PictureBuffer&&) noexcept = default;

  [[nodiscard]] const PictureFormat& format() const { return format_; }

  template <class Sample>
  [[nodiscard]] PlaneView<Sample> plane(int index) const {
    return {
        reinterpret_cast<Sample*>(memory_.get() + layout_[static_cast<std::size_t>(index)].offset),
        format_.plane_width(index), format_.plane_height(index),
        layout_[static_cast<std::size_t>(index)].stride_bytes /
            static_cast<std::ptrdiff_t>(sizeof(Sample))};
  }

  /// Bytes of row `y` of a plane, without the padding.
  [[nodiscard]] std::span<std::byte> row_bytes(int plane, int y) const;

  /// Hands the samples over; this buffer is empty afterwards.
  [[nodiscard]] Picture finish() &&;

 private:
  friend class PicturePool;

  struct PlaneLayout {
    std::size_t offset = 0;
    std::ptrdiff_t stride_bytes = 0;
  };
  struct Layout {
    std::array<PlaneLayout, 3> planes;
    std::size_t bytes = 0;
  };
  static Layout layout_of(const PictureFormat& format);

  PictureBuffer(const PictureFormat& format, const Layout& layout,
                std::shared_ptr<std::byte> memory)
      : format_(format), layout_(layout.planes), memory_(std::move(memory)) {}

  PictureFormat format_;
  std::array<PlaneLayout, 3> layout_;
  std::shared_ptr<std::byte> memory_;
};

/// Where a pool's memory comes from; both empty: ordinary memory. `allocate` throws
/// Error(out_of_memory); blocks begin on 64-byte boundaries.
struct PictureAllocator {
  std::function<std::byte*(std::size_t bytes)> allocate;
  std::function<void(std::byte* block)> release;
};

/// Recycles the memory of pictures of one format. It grows to the largest number of pictures in use
/// at a time and never blocks; what bounds that number is the session's frame ring. Thread-safe.
/// Pictures may outlive it.
class PicturePool {
 public:
  explicit PicturePool(const PictureFormat& format, PictureAllocator allocator = {});

  [[nodiscard]] const PictureFormat& format() const { return format_; }
  [[nodiscard]] PictureBuffer acquire();

 private:
  struct State;
  PictureFormat format_;
  PictureBuffer::Layout layout_;
  std::shared_ptr<State> state_;
};

}  // namespace hipvmaf
