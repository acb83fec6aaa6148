// The border between C and C++: no exception crosses it, and no argument is trusted.
#pragma once

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <type_traits>

#include <hipvmaf/error.hpp>
#include <hipvmaf/log.hpp>

namespace hipvmaf::capi {

[[nodiscard]] inline int status_of(ErrorCode code) {
  if (code == ErrorCode::out_of_memory) return -ENOMEM;
  return code == ErrorCode::device ? -ENODEV : -EINVAL;
}

/// Runs a call; what it throws is logged and becomes its status.
template <class Call>
int guarded(const LogCallback& log, Call&& call) noexcept {
  try {
    try {
      call();
      return 0;
    } catch (const Error& error) {
      log_to(log, LogLevel::error, error.what());
      return status_of(error.code());
    } catch (const std::bad_alloc&) {
      return -ENOMEM;
    } catch (const std::exception& error) {
      log_to(log, LogLevel::error, error.what());
      return -EINVAL;
    }
  } catch (...) {  // while logging
    return -ENOMEM;
  }
}

/// Number of an enumerator that C hands over; it need not be one of the type's.
template <class Enumeration>
[[nodiscard]] unsigned number_of(const Enumeration& value) {
  static_assert(std::is_enum_v<Enumeration> && sizeof(Enumeration) == sizeof(unsigned));
  unsigned number = 0;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

}  // namespace hipvmaf::capi
