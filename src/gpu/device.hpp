// Choice of the device. list_devices() is part of the public interface (hipvmaf/device.hpp).
#pragma once

#include <hipvmaf/device.hpp>

namespace hipvmaf::gpu {

/// Makes a device the one that the calling thread's work goes to. Throws Error(device).
void use_device(int index);

}  // namespace hipvmaf::gpu
