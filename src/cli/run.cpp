#include "cli/run.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"
#include "media/pair_reader.hpp"

namespace hipvmaf::cli {
namespace {

// Set by the first SIGINT or SIGTERM; the second one ends the process as usual.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void catch_interruptions() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

LoadedModel load(const ModelRequest& request, Terminal& terminal) {
  if (request.version.empty()) return load_model_file(request.path, request.config);
  LoadedModel model = load_builtin_model(request.version, request.config);
  for (const BuiltinModel& builtin : builtin_models()) {
    if (builtin.name != request.version) continue;
    terminal.message(
        LogLevel::info,
        fmt::format(
            "model {} is a built-in refit, within {} of the published model's scores; --model "
            "path=FILE takes the published file",
            builtin.name, format_general(builtin.max_deviation, 2)));
  }
  return model;
}

void add_requests(const Arguments& arguments, Terminal& terminal, Session& session) {
  for (const ModelRequest& request : arguments.models) {
    session.add_model(load(request, terminal), request.overloads);
  }
  for (const FeatureRequest& request : arguments.features) {
    session.add_feature(request.extractor, request.options);
  }
}

PairOptions pair_options(const Arguments& arguments, const Session& session, Terminal& terminal) {
  PairOptions options;
  options.reference = arguments.reference;
  options.distorted = arguments.distorted;
  options.open.raw_format = arguments.raw_format;
  options.open.decoder_threads = arguments.threads;
  options.open.allocator = session.picture_allocator();
  options.open.log = terminal.log();
  options.open.stops_waiting = [] { return interrupted.load(); };
  options.convert = arguments.convert;
  options.scale = arguments.scale;
  options.allow_depth_difference = arguments.allow_depth_difference;
  options.skip_reference = arguments.skip_reference;
  options.skip_distorted = arguments.skip_distorted;
  options.frame_count = arguments.frame_count;
  options.strict = arguments.strict;
  return options;
}

/// Report files, opened before the work starts.
std::vector<ReportFile> open_reports(const Arguments& arguments) {
  std::vector<ReportFile> files;
  for (const Output& output : arguments.outputs) {
    files.emplace_back(output.path == "-" ? "/dev/stdout" : output.path);
  }
  return files;
}

/// Feeds the session until the videos end, the user interrupts, or something fails. Returns what
/// went wrong, for a result that is good up to there.
std::string feed(PairReader& pairs, Session& session, Terminal& terminal) {
  try {
    while (!interrupted) {
      auto pair = pairs.next();
      // Ctrl-C also ends the program that feeds a pipe: the end of its output is not that of the
      // video.
      if (!pair && interrupted) break;
      if (!pair) return {};
      session.submit(std::move(pair->reference), std::move(pair->distorted));
      terminal.progress(session.picture_count(), pairs.expected_count());
    }
  } catch (const Error& error) {
    if (!interrupted) return error.what();
  }
  return fmt::format("interrupted after {} frames", session.picture_count());
}

/// Ends the session; a failure of a frame adds to what feed() returned.
void finish(Session& session, std::string& failure) {
  try {
    session.finish();
  } catch (const Error& error) {
    if (failure.empty()) failure = error.what();
  }
}

/// Writes all that can be written, then throws what the first failure was.
void write_reports(const Arguments& arguments, const Session& session, bool incomplete,
                   std::vector<ReportFile>& files) {
  ReportInfo info = session.report_info();
  info.incomplete |= incomplete;
  if (arguments.provenance) info.provenance = session.dispatch();
  std::exception_ptr failure;
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      files[i].commit(
          format_report(arguments.outputs[i].format, session.scores(), info, arguments.precision));
    } catch (const Error&) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void print_summary(const Arguments& arguments, const Session& session) {
  if (arguments.quiet && !arguments.outputs.empty()) return;
  for (const Output& output : arguments.outputs) {
    if (output.path == "-" || output.path == "/dev/stdout") return;  // the report is there
  }
  std::vector<std::string> model_names;
  for (const ModelRequest& model : arguments.models) model_names.push_back(model.config.name);
  std::string text = summary_table(session, model_names);
  for (const Output& output : arguments.outputs)
    text += fmt::format("report written to {}\n", output.path);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(ErrorCode::io, "cannot write the summary to standard output");
}

/// The dispatch plan, for --verbose.
void report_dispatch(const Session& session, Terminal& terminal) {
  for (const FeatureDispatch& feature : session.dispatch()) {
    terminal.message(
        LogLevel::debug,
        fmt::format("extractor {}{} runs on the {}: {}", feature.extractor, feature.suffix,
                    !feature.on_gpu                           ? "CPU"
                    : feature.submission == Submission::graph ? "GPU, as a recorded graph"
                                                              : "GPU, kernel by kernel",
                    feature.reason));
  }
}

}  // namespace

int run(const Arguments& arguments, Terminal& terminal) {
  catch_interruptions();
  const char* const strategies = std::getenv("VMAF_HIP_DISPATCH");
  Session session({.threads = arguments.threads,
                   .subsample = arguments.subsample,
                   .predict = !arguments.no_prediction,
                   .backend = arguments.backend,
                   .device = arguments.device,
                   .dispatch_strategies = strategies == nullptr ? "" : strategies,
                   .log = terminal.log()});
  add_requests(arguments, terminal, session);
  std::vector<ReportFile> reports = open_reports(arguments);
  const std::unique_ptr<PairReader> pairs = open_pair(pair_options(arguments, session, terminal));
  session.prepare(pairs->format());
  report_dispatch(session, terminal);

  std::string failure = feed(*pairs, session, terminal);
  finish(session, failure);
  terminal.clear_progress();
  if (session.report_info().picture_count == 0) {
    throw Error(ErrorCode::bad_input, failure.empty() ? "no frame was measured" : failure);
  }
  write_reports(arguments, session, !failure.empty(), reports);
  print_summary(arguments, session);
  if (failure.empty()) return 0;
  terminal.message(LogLevel::error, fmt::format("{} (the result covers the {} frames before)",
                                                failure, session.report_info().picture_count));
  return 1;
}

}  // namespace hipvmaf::cli
