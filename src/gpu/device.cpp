#include "gpu/device.hpp"

#include <fmt/format.h>

#include "gpu/check.hpp"

namespace hipvmaf {
namespace {

// Architectures that this build has code for, as the build system was told.
constexpr std::string_view kTargets = HIPVMAF_GPU_TARGET_LIST;

#if defined(HIPVMAF_GPU_NVIDIA)

constexpr std::string_view kPlatform = "nvidia";

std::string architecture_of(const hipDeviceProp_t& properties) {
  return fmt::format("sm_{}{}", properties.major, properties.minor);
}

// Code for an older architecture is translated when it is loaded.
bool has_code_for(std::string_view architecture) {
  return std::stoi(std::string(architecture.substr(3))) >= std::stoi(std::string(kTargets));
}

#else

#if defined(HIPVMAF_GPU_AMD)
constexpr std::string_view kPlatform = "amd";
#else
constexpr std::string_view kPlatform = "emulated";
#endif

/// Without the features that are switched on: "gfx90a" of "gfx90a:sramecc+:xnack-".
std::string architecture_of(const hipDeviceProp_t& properties) {
  const std::string_view name = properties.gcnArchName;
  return std::string(name.substr(0, name.find(':')));
}

bool has_code_for(std::string_view architecture) {
  return fmt::format(",{},", kTargets).find(fmt::format(",{},", architecture)) != std::string::npos;
}

#endif

DeviceInfo info_of(int index) {
  hipDeviceProp_t properties;
  gpu::check(hipGetDeviceProperties(&properties, index), "hipGetDeviceProperties");
  DeviceInfo info;
  info.index = index;
  info.name = properties.name;
  info.architecture = architecture_of(properties);
  info.wave_size = properties.warpSize;
  info.memory_bytes = properties.totalGlobalMem;
  info.has_code = has_code_for(info.architecture);
  return info;
}

}  // namespace

std::string_view gpu_platform() { return kPlatform; }

DeviceList list_devices() {
  DeviceList list;
  int count = 0;
  const hipError_t error = hipGetDeviceCount(&count);
  if (error != hipSuccess) {
    static_cast<void>(hipGetLastError());
    list.problem = fmt::format("no {} GPU answers: {}", kPlatform, gpu::describe(error));
    return list;
  }
  for (int i = 0; i < count; ++i) list.devices.push_back(info_of(i));
  if (count == 0) list.problem = fmt::format("there is no {} GPU", kPlatform);
  return list;
}

namespace gpu {

PictureAllocator page_locked_pictures() {
  // A device that has no memory left, or fails, refuses this too. Pictures lie in ordinary memory
  // then; whether the session does without the device is the dispatch plan's business.
  void* probe = nullptr;
  if (hipHostMalloc(&probe, 1, hipHostMallocPortable) != hipSuccess) {
    static_cast<void>(hipGetLastError());
    return {};
  }
  static_cast<void>(hipHostFree(probe));
  return {.allocate =
              [](std::size_t bytes) {
                void* memory = nullptr;
                check(hipHostMalloc(&memory, bytes, hipHostMallocPortable), "hipHostMalloc");
                return static_cast<std::byte*>(memory);
              },
          .release = [](std::byte* block) { static_cast<void>(hipHostFree(block)); }};
}

void use_device(int index) { check(hipSetDevice(index), "hipSetDevice"); }

}  // namespace gpu
}  // namespace hipvmaf
