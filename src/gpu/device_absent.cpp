// Stands in for device.cpp in builds without a GPU platform.
#include "gpu/device.hpp"

namespace hipvmaf {

std::string_view gpu_platform() { return "none"; }

DeviceList list_devices() {
  return {.devices = {},
          .problem =
              "this build has no GPU support; configure it with -DHIPVMAF_GPU=amd or "
              "-DHIPVMAF_GPU=nvidia"};
}

PictureAllocator gpu::page_locked_pictures() { return {}; }

}  // namespace hipvmaf
