// The library never prints; it hands its messages to a callback.
#pragma once

#include <functional>
#include <string_view>

namespace hipvmaf {

enum class LogLevel { error, warning, info, debug };

/// Receives one message without a line end. May be called from any thread, one call at a time per
/// Session or reader. An empty callback drops the messages.
using LogCallback = std::function<void(LogLevel level, std::string_view message)>;

inline void log_to(const LogCallback& callback, LogLevel level, std::string_view message) {
  if (callback) callback(level, message);
}

}  // namespace hipvmaf
