#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <span>
#include <string_view>

#include <hipvmaf/error.hpp>

#include "cli/arguments.hpp"
#include "cli/listings.hpp"
#include "cli/run.hpp"

namespace hipvmaf::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

int print(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return 0;
  fmt::print(stderr, "hipvmaf: cannot write to standard output\n");
  return kFailure;
}

// Errors that come from what the user typed rather than from the videos or the machine.
bool is_usage(ErrorCode code) {
  return code == ErrorCode::invalid_argument || code == ErrorCode::unknown_name ||
         code == ErrorCode::invalid_option;
}

int list(std::span<char* const> argv) {
  const std::string_view what = argv[1];
  if (what == "devices" && argv.size() == 2) return print(devices_text());
  const bool markdown = argv.size() == 3 && std::string_view(argv[2]) == "--markdown";
  if (what == "devices") throw UsageError("hipvmaf devices takes no arguments");
  if (argv.size() > 2 && !markdown)
    throw UsageError(fmt::format("hipvmaf {} takes --markdown or nothing", what));
  if (what == "features") return print(markdown ? features_markdown() : features_text());
  return print(markdown ? models_markdown() : models_text());
}

bool is_listing(std::span<char* const> argv) {
  if (argv.size() < 2) return false;
  const std::string_view what = argv[1];
  return what == "features" || what == "models" || what == "devices";
}

int run_command(std::span<char* const> argv) {
  if (is_listing(argv)) return list(argv);
  const Arguments arguments = parse_arguments(argv);
  if (arguments.help) return print(usage_text());
  if (arguments.version) {
    fmt::print(stderr, "{}\n", version());
    return 0;
  }
  Terminal terminal(arguments.quiet     ? Verbosity::quiet
                    : arguments.verbose ? Verbosity::verbose
                                        : Verbosity::normal);
  try {
    return run(arguments, terminal);
  } catch (const Error& error) {
    terminal.clear_progress();
    terminal.message(LogLevel::error, error.what());
    return is_usage(error.code()) ? kUsage : kFailure;
  }
}

}  // namespace
}  // namespace hipvmaf::cli

int main(int argc, char** argv) {
  using namespace hipvmaf::cli;
  try {
    return run_command({argv, static_cast<std::size_t>(argc)});
  } catch (const UsageError& error) {
    fmt::print(stderr, "hipvmaf: {} (see hipvmaf --help)\n", error.what());
    return kUsage;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "hipvmaf: out of memory\n");
    return kFailure;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hipvmaf: internal error: {}\n", error.what());
    return kFailure;
  }
}
