// Device memory of the emulator: poisoned when it is made, fenced on both sides.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

#include "gpu/emulator/address_sanitizer.hpp"
#include "gpu/emulator/queues.hpp"

namespace hipvmaf::gpu::emulator {
namespace {

constexpr std::size_t kFence = 256;  // also the alignment that devices promise
constexpr int kFenceByte = 0xFE;
constexpr int kPoison = 0xFF;  // NaN, -1, or the largest number

bool is_intact(const std::byte* fence) {
  return std::all_of(fence, fence + kFence, [](std::byte b) { return b == std::byte{kFenceByte}; });
}

}  // namespace

void* Device::allocate(std::size_t bytes) {
  if (allocated_ + bytes > behaviour_.memory_bytes) return nullptr;
  const std::size_t rounded = (bytes + kFence - 1) / kFence * kFence;
  auto* const block = static_cast<std::byte*>(std::aligned_alloc(kFence, rounded + 2 * kFence));
  if (block == nullptr) return nullptr;
  std::byte* const begin = block + kFence;
  std::memset(block, kFenceByte, kFence);
  std::memset(begin, kPoison, bytes);
  std::memset(begin + bytes, kFenceByte, rounded - bytes + kFence);
  forbid(block, kFence);
  forbid(begin + bytes, rounded - bytes + kFence);
  allocations_.push_back({begin, bytes});
  allocated_ += bytes;
  return begin;
}

bool Device::release(void* memory) {
  const auto at = std::ranges::find(allocations_, memory, &Allocation::begin);
  if (at == allocations_.end()) return false;
  std::byte* const block = at->begin - kFence;
  allow(block, at->bytes + 3 * kFence);
  std::free(block);
  allocated_ -= at->bytes;
  allocations_.erase(at);
  return true;
}

bool Device::owns(const void* memory, std::size_t bytes) const {
  const auto* begin = static_cast<const std::byte*>(memory);
  return std::ranges::any_of(allocations_, [&](const Allocation& a) {
    return begin >= a.begin && begin + bytes <= a.begin + a.bytes;
  });
}

bool Device::touches(const void* memory, std::size_t bytes) const {
  const auto* begin = static_cast<const std::byte*>(memory);
  return std::ranges::any_of(allocations_, [&](const Allocation& a) {
    return begin < a.begin + a.bytes && begin + bytes > a.begin;
  });
}

// After each piece of work, so that the one at fault is known. AddressSanitizer watches by itself.
void Device::check_fences() {
  if (kFencesAreWatched) return;
  for (const Allocation& a : allocations_) {
    if (!is_intact(a.begin - kFence) || !is_intact(a.begin + a.bytes)) {
      throw KernelFault(
          fmt::format("something was written outside a device buffer of {} bytes", a.bytes));
    }
  }
}

void poison(void* memory, std::size_t bytes, Stream* stream) {
  Device& device = Device::instance();
  const std::lock_guard lock(device.mutex);
  device.enqueue(*stream, [=] { std::memset(memory, kPoison, bytes); });
}

}  // namespace hipvmaf::gpu::emulator
