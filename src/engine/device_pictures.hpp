// The pictures of the frames in flight, in device memory: each that some extractor reads is
// uploaded once and read by all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "features/gpu_stage.hpp"
#include "gpu/buffer.hpp"

namespace hipvmaf {

/// A ring of places for frames, which are numbered without gaps; frame n goes to place n % places,
/// so that recorded work finds it again. A caller sees to it that no one reads a frame any more
/// when the next one comes to its place.
class DevicePictures {
 public:
  DevicePictures(const PictureFormat& format, PlaneUse planes, PictureUse pictures, int places);

  [[nodiscard]] int places() const { return static_cast<int>(places_.size()); }
  [[nodiscard]] int place_of(std::int64_t number) const {
    return static_cast<int>(number % places());
  }

  /// Queues the upload of a frame's pictures, those that are used, unless it is there already; what
  /// lies on the device is copied from there. They must stay alive until that is done.
  void require(std::int64_t number, const Frame& frame, gpu::Stream& copies);
  /// Makes later work of `stream` wait until the frame is there.
  void wait_for(std::int64_t number, gpu::Stream& stream) const;
  [[nodiscard]] const DeviceFrame& frame(std::int64_t number) const {
    return places_[static_cast<std::size_t>(place_of(number))].pictures;
  }

 private:
  struct Place {
    gpu::DeviceMemory memory;
    DeviceFrame pictures;
    gpu::Event uploaded;
    std::int64_t number = -1;
  };

  template <class Sample>
  void upload(const Picture& from, const DevicePicture& to, gpu::Stream& copies) const;

  PictureFormat format_;
  int plane_count_;
  PictureUse used_;
  std::vector<Place> places_;
};

}  // namespace hipvmaf
