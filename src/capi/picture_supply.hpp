// The pictures that a context allocates ahead of time.
#pragma once

#include <cstddef>
#include <libvmaf/picture.h>
#include <memory>

#include <hipvmaf/picture.hpp>

namespace hipvmaf::capi {

/// A fixed number of pictures of one format. They come back when their last reference goes, and may
/// outlive the supply.
class PictureSupply {
 public:
  /// Throws Error(out_of_memory).
  PictureSupply(const PictureFormat& format, unsigned count, const PictureAllocator& allocator);

  /// Waits until a picture is free. `kept`: pictures that do not come back before others have been
  /// handed in; there are as many more, made when they are needed.
  [[nodiscard]] VmafPicture fetch(std::size_t kept);

 private:
  struct State;
  PictureFormat format_;
  std::size_t count_;
  std::shared_ptr<State> state_;
};

}  // namespace hipvmaf::capi
