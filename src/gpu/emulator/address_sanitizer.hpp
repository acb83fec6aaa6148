// What AddressSanitizer has to be told when memory is fenced by hand and when stacks are switched.
// Without it, nothing.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define HIPVMAF_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HIPVMAF_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef HIPVMAF_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace hipvmaf::gpu::emulator {

struct StackBounds {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
};

#ifdef HIPVMAF_ADDRESS_SANITIZER
inline constexpr bool kFencesAreWatched = true;
inline void forbid(const void* memory, std::size_t bytes) {
  __asan_poison_memory_region(memory, bytes);
}
inline void allow(const void* memory, std::size_t bytes) {
  __asan_unpoison_memory_region(memory, bytes);
}
/// Before a switch to the stack `to`; `own` keeps the stack that is left.
inline void leave_for_fiber(void** own, StackBounds to) {
  __sanitizer_start_switch_fiber(own, to.bottom, to.bytes);
}
/// After a switch back to the stack that was left with `own`; `from` gets the stack that one comes
/// from.
inline void arrived_at_fiber(void* own, StackBounds* from) {
  __sanitizer_finish_switch_fiber(own, from == nullptr ? nullptr : &from->bottom,
                                  from == nullptr ? nullptr : &from->bytes);
}
#else
inline constexpr bool kFencesAreWatched = false;
inline void forbid(const void* /*memory*/, std::size_t /*bytes*/) {}
inline void allow(const void* /*memory*/, std::size_t /*bytes*/) {}
inline void leave_for_fiber(void** /*own*/, StackBounds /*to*/) {}
inline void arrived_at_fiber(void* /*own*/, StackBounds* /*from*/) {}
#endif

}  // namespace hipvmaf::gpu::emulator
