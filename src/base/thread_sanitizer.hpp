// What ThreadSanitizer cannot see for itself.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace hipvmaf::thread_sanitizer {

/// Work is handed to another thread by a library that was built without ThreadSanitizer: whatever
/// happened before release() of an address has happened before acquire() of it. Nothing in other
/// builds.
inline void release([[maybe_unused]] const void* address) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(const_cast<void*>(address));
#endif
}
inline void acquire([[maybe_unused]] const void* address) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(const_cast<void*>(address));
#endif
}

}  // namespace hipvmaf::thread_sanitizer
