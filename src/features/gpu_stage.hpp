// A pixel stage on a GPU: the same raw scores as the CPU's, computed on the device from pictures
// that lie there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <hipvmaf/picture.hpp>

#include "features/feature.hpp"
#include "gpu/stream.hpp"

namespace hipvmaf {

/// A picture in device memory. Only the planes that the plan needs are there; the others are empty.
struct DevicePicture {
  struct Plane {
    void* data = nullptr;
    int width = 0;
    int height = 0;
    int pitch_bytes = 0;
  };
  std::array<Plane, 3> planes;

  /// `Sample` is std::uint8_t at 8 bit and std::uint16_t above.
  template <class Sample>
  [[nodiscard]] gpu::View2D<const Sample> plane(int index) const {
    const Plane& p = planes[static_cast<std::size_t>(index)];
    return {static_cast<const Sample*>(p.data), p.width, p.height,
            p.pitch_bytes / static_cast<int>(sizeof(Sample))};
  }
};

/// Likewise, a picture that no extractor of the plan reads is empty.
struct DeviceFrame {
  DevicePicture reference;
  DevicePicture distorted;
};

/// The counterpart of FrameWindow.
class DeviceWindow {
 public:
  DeviceFrame& frame(int distance) { return frames_[static_cast<std::size_t>(distance)]; }
  void set_count(int count) { count_ = count; }

  [[nodiscard]] const DeviceFrame& current() const { return frames_[0]; }
  /// The frame `distance` (1..reach) before the current one; null before the start of the stream.
  [[nodiscard]] const DeviceFrame* earlier(int distance) const {
    return distance < count_ ? &frames_[static_cast<std::size_t>(distance)] : nullptr;
  }

 private:
  std::array<DeviceFrame, kMaxReach + 1> frames_;
  int count_ = 0;  // frames that are there, the current one included
};

/// Hands in the work that measures one frame. An object owns its scratch memory on the device; the
/// work of one frame must have ended before the next frame's is handed in, unless it is in the same
/// stream.
class GpuStage {
 public:
  GpuStage() = default;
  GpuStage(const GpuStage&) = delete;
  GpuStage& operator=(const GpuStage&) = delete;
  virtual ~GpuStage() = default;

  /// Queues the work; it writes Descriptor::raw_bytes bytes to `raw`, device memory that is all
  /// zero before. Only queues: allocates nothing and waits for nothing, so that it can be recorded
  /// into a graph.
  virtual void enqueue(gpu::Stream& stream, const DeviceWindow& window, void* raw) = 0;

  /// Called once the work of a frame has ended, before that of the next is handed in, for results
  /// that are no raw scores; `raw` is host memory now. Comes from another thread than enqueue().
  virtual void collect(std::int64_t frame, const void* raw) {
    static_cast<void>(frame);
    static_cast<void>(raw);
  }
};

/// Base of the GPU stages whose raw scores are a `Raw`, the same struct as on the CPU.
template <class Raw>
class GpuStageOf : public GpuStage {
 public:
  void enqueue(gpu::Stream& stream, const DeviceWindow& window, void* raw) final {
    measure(stream, window, {static_cast<Raw*>(raw), 1});
  }

 protected:
  virtual void measure(gpu::Stream& stream, const DeviceWindow& window, gpu::View1D<Raw> raw) = 0;
};

}  // namespace hipvmaf
