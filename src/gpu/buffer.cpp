#include "gpu/buffer.hpp"

#include <algorithm>
#include <atomic>

namespace hipvmaf::gpu {
namespace {

std::atomic<std::size_t> bytes_in_use = 0;

}  // namespace

std::size_t device_bytes_in_use() { return bytes_in_use; }

DeviceMemory::DeviceMemory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  check(hipMalloc(&data_, bytes_), "hipMalloc");
  bytes_in_use += bytes_;
}

DeviceMemory::~DeviceMemory() {
  if (data_ == nullptr) return;
  static_cast<void>(hipFree(data_));
  bytes_in_use -= bytes_;
}

PinnedMemory::PinnedMemory(std::size_t bytes) {
  void* memory = nullptr;
  check(hipHostMalloc(&memory, std::max<std::size_t>(bytes, 1), hipHostMallocDefault),
        "hipHostMalloc");
  memory_.reset(static_cast<std::byte*>(memory));
}

}  // namespace hipvmaf::gpu
