// Choice of the device. list_devices() is part of the public interface (hipvmaf/device.hpp).
#pragma once

#include <hipvmaf/device.hpp>
#include <hipvmaf/picture.hpp>

namespace hipvmaf::gpu {

/// Makes a device the one that the calling thread's work goes to. Throws Error(device).
void use_device(int index);

/// Page-locked memory for pictures, from which they are uploaded without the CPU's help.
PictureAllocator page_locked_pictures();

}  // namespace hipvmaf::gpu
