#include <fmt/format.h>

#include <hipvmaf/device.hpp>

namespace hipvmaf {

std::string describe(const DeviceList& list) {
  if (list.devices.empty()) return list.problem + "\n";
  std::string text;
  for (const DeviceInfo& device : list.devices) {
    text += fmt::format("{}: {} ({}, waves of {}, {:.1f} GiB){}\n", device.index, device.name,
                        device.architecture, device.wave_size,
                        static_cast<double>(device.memory_bytes) / (1 << 30),
                        device.has_code ? "" : ", not usable: this build has no code for it");
  }
  return text;
}

}  // namespace hipvmaf
