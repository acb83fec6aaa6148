#include "cli/terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace hipvmaf::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenUpdates = std::chrono::milliseconds(100);

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::debug:
      return spdlog::level::debug;
  }
  return spdlog::level::err;
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = spdlog::stderr_color_mt("hipvmaf");
    made->set_pattern("hipvmaf: %^%l%$: %v");
    made->set_level(spdlog::level::debug);
    return made;
  }();
  return *instance;
}

std::string duration_text(double seconds) {
  const auto total = static_cast<std::int64_t>(seconds);
  return total >= 3600 ? fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60)
                       : fmt::format("{}:{:02}", total / 60, total % 60);
}

}  // namespace

Terminal::Terminal(Verbosity verbosity)
    : verbosity_(verbosity),
      interactive_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

void Terminal::message(LogLevel level, std::string_view text) {
  if (level == LogLevel::debug && verbosity_ != Verbosity::verbose) return;
  if (level == LogLevel::info && verbosity_ == Verbosity::quiet) return;
  const std::lock_guard lock(mutex_);
  erase_line();
  logger().log(level_of(level), text);
}

LogCallback Terminal::log() {
  return [this](LogLevel level, std::string_view text) { message(level, text); };
}

void Terminal::progress(std::int64_t frames, std::optional<std::int64_t> total) {
  if (!interactive_ || verbosity_ == Verbosity::quiet) return;
  const Clock::time_point now = Clock::now();
  const std::lock_guard lock(mutex_);
  if (now - last_ < kBetweenUpdates) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(frames) / seconds;
  std::string line = fmt::format("{} frames, {:.1f} frames/s", frames, rate);
  if (total && *total >= frames && rate > 0) {
    line = fmt::format("{} of {} frames, {:.1f} frames/s, {} left", frames, *total, rate,
                       duration_text(static_cast<double>(*total - frames) / rate));
  }
  fmt::print(stderr, "\r{}\033[K", line);
  std::fflush(stderr);
  line_shown_ = true;
}

void Terminal::clear_progress() {
  const std::lock_guard lock(mutex_);
  erase_line();
}

void Terminal::erase_line() {
  if (!line_shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  line_shown_ = false;
}

std::string summary_table(const Session& session, const std::vector<std::string>& model_names) {
  const ScoreTable& scores = session.scores();
  std::vector<std::string> names = model_names;
  for (std::size_t i = 0; i < scores.column_count(); ++i) {
    const std::string& name = scores.printed_name(i);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  for (const auto& [name, value] : scores.aggregates()) width = std::max(width, name.size());

  std::string table = fmt::format("{:{}} {:>12} {:>12} {:>12} {:>12}\n", "", width, "mean",
                                  "harmonic", "min", "max");
  for (const std::string& name : names) {
    const auto pooled = session.pooled(name);
    if (!pooled) continue;
    table += fmt::format("{:{}} {:12.6f} {:12.6f} {:12.6f} {:12.6f}\n", name, width, pooled->mean,
                         pooled->harmonic_mean, pooled->min, pooled->max);
  }
  for (const auto& [name, value] : scores.aggregates()) {
    table += fmt::format("{:{}} {:12.6f} (whole clip)\n", name, width, value);
  }
  return table;
}

}  // namespace hipvmaf::cli
