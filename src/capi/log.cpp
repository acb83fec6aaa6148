#include "capi/log.hpp"

#include <atomic>
#include <cstdio>
#include <fmt/format.h>
#include <string>

namespace hipvmaf::capi {
namespace {

std::atomic<int> level_without_context = VMAF_LOG_LEVEL_INFO;

struct Label {
  int level;
  std::string_view text;
};

Label label_of(LogLevel level) {
  switch (level) {
    case LogLevel::error:
      return {VMAF_LOG_LEVEL_ERROR, "ERROR"};
    case LogLevel::warning:
      return {VMAF_LOG_LEVEL_WARNING, "WARNING"};
    case LogLevel::info:
      return {VMAF_LOG_LEVEL_INFO, "INFO"};
    case LogLevel::debug:
      break;
  }
  return {VMAF_LOG_LEVEL_DEBUG, "DEBUG"};
}

}  // namespace

LogCallback log_at(VmafLogLevel level) {
  return [limit = static_cast<int>(level)](LogLevel of, std::string_view message) {
    const Label label = label_of(of);
    if (label.level > limit) return;
    const std::string line = fmt::format("libvmaf {} {}\n", label.text, message);
    // Where stderr cannot be written, there is no one to tell.
    static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
  };
}

LogCallback log_without_context() {
  return log_at(static_cast<VmafLogLevel>(level_without_context.load()));
}

void set_level_without_context(VmafLogLevel level) { level_without_context = level; }

}  // namespace hipvmaf::capi
