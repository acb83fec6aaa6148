// What the tool says to the person in front of it: messages, a progress line, a summary.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <hipvmaf/log.hpp>
#include <hipvmaf/session.hpp>

namespace hipvmaf::cli {

enum class Verbosity { quiet, normal, verbose };

/// Writes to standard error. Thread-safe.
class Terminal {
 public:
  explicit Terminal(Verbosity verbosity);

  void message(LogLevel level, std::string_view text);
  /// For hipvmaf's own interfaces; refers to this object.
  [[nodiscard]] LogCallback log();

  /// Rewrites the progress line, at most a few times per second and on a terminal only.
  void progress(std::int64_t frames, std::optional<std::int64_t> total);
  void clear_progress();

 private:
  void erase_line();

  std::mutex mutex_;
  Verbosity verbosity_;
  bool interactive_;
  bool line_shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

/// The pooled scores as a table, models first.
[[nodiscard]] std::string summary_table(const Session& session,
                                        const std::vector<std::string>& model_names);

}  // namespace hipvmaf::cli
