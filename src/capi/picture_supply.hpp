// The pictures that a context allocates ahead of time.
#pragma once

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

  /// Waits until a picture is free.
  [[nodiscard]] VmafPicture fetch();

 private:
  struct State;
  PictureFormat format_;
  std::shared_ptr<State> state_;
};

}  // namespace hipvmaf::capi
