// Session: measures a stream of picture pairs.
//
//   Session session({.threads = 8});
//   session.add_model(load_builtin_model("vmaf_v0.6.1", {}));
//   while (auto pair = next()) session.submit(pair->reference, pair->distorted);
//   session.finish();
//   session.pooled("vmaf")->mean;
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hipvmaf/device.hpp>
#include <hipvmaf/log.hpp>
#include <hipvmaf/model.hpp>
#include <hipvmaf/picture.hpp>
#include <hipvmaf/report.hpp>
#include <hipvmaf/score_table.hpp>

namespace hipvmaf {

struct SessionConfig {
  int threads = 0;  ///< Worker threads, 0 = one per core. Scores do not depend on it.
  int subsample =
      1;  ///< Score every Nth frame only; temporal metrics still see their true neighbours.
  bool predict = true;  ///< False: extract the models' features but compute no scores.
  /// Options that an extractor does not have draw a warning instead of an error. Those in model
  /// files always do.
  bool ignore_unknown_options = false;
  Backend backend = Backend::automatic;
  int device = -1;  ///< GPU to use, by its index in list_devices(); -1 = the first usable one.
  /// How extractors hand their work to the GPU, "extractor:strategy[,extractor:strategy...]" with
  /// the strategies `direct` and `graph`; the tool takes it from the environment,
  /// VMAF_HIP_DISPATCH.
  std::string dispatch_strategies;
  LogCallback log;
};

/// One run over one pair of videos. Not thread-safe, except where a function says so.
class Session {
 public:
  explicit Session(SessionConfig config);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Options of an extractor as text, in order.
  using Options = std::vector<std::pair<std::string, std::string>>;

  /// Asks for an extractor. Option values are taken as they are (see normalise in the command line
  /// tool). Requests that differ only in options that are not part of feature names share one run.
  /// NAME_hip means NAME, on the GPU or not at all. "null" is accepted with any options and
  /// measures nothing. Throws Error(unknown_name) or Error(invalid_option).
  void add_feature(std::string_view extractor, const Options& options = {});

  /// Sets options on every input of a model that `extractor` provides, on top of the model file's
  /// own.
  struct Overload {
    std::string extractor;
    Options options;
  };

  /// Asks for a model's scores and the features they need. Model names must differ. An overload
  /// that matches no input draws a warning. Throws Error(unknown_name) naming the features that no
  /// extractor provides, or Error(invalid_option).
  void add_model(LoadedModel model, const std::vector<Overload>& overloads = {});

  /// Called once per scored frame, in frame order, as soon as all its scores are final. The call
  /// comes from inside submit() or finish() or from a worker thread, one at a time; score() may be
  /// used inside it.
  void on_frame(std::function<void(std::int64_t frame)> callback);

  /// Called for every score of a feature as soon as it is final, in frame order within the feature;
  /// models' scores come with on_frame(). From the threads named there, one call at a time; score()
  /// may be used inside it.
  using ScoreCallback =
      std::function<void(std::string_view stored_name, std::int64_t frame, double value)>;
  void on_score(ScoreCallback callback);

  /// Fixes the format of the pictures and checks that every extractor can measure them, before any
  /// is read. submit() does it with the first pair otherwise. Throws Error(unsupported_format), and
  /// Error(device) if Backend::hip cannot be had.
  void prepare(const PictureFormat& format);

  /// Hands in the next pair; its index is the number of pairs before it. Blocks while as many
  /// frames as the ring holds are being measured, so memory stays bounded. Throws Error(mismatch)
  /// for pictures of another format, and the first error of any stage.
  void submit(Picture reference, Picture distorted);

  /// Waits until every pair handed in has been measured. Throws the first error of any stage.
  void wait();

  /// How many earlier frames extractors look back at. As many pairs are kept until the next one
  /// comes. If there are some, pairs must come in their order.
  [[nodiscard]] int reach() const;

  /// Waits for all frames and ends the stream. Throws the first error of any stage; scores of the
  /// frames before it stay readable. Called again it does nothing.
  void finish();

  /// Final score of a frame by stored or printed name; nothing if it is not known (yet).
  /// Thread-safe.
  [[nodiscard]] std::optional<double> score(std::string_view name, std::int64_t frame) const;

  /// Pairs submitted so far.
  [[nodiscard]] std::int64_t picture_count() const;

  /// All scores. Valid after finish(), and after wait() until the next pair is submitted; the
  /// columns do not change once prepare() has made them.
  [[nodiscard]] const ScoreTable& scores() const;

  /// Pooled score over all scored frames by stored or printed name, after finish(); nothing if the
  /// name is unknown or a frame has no value.
  [[nodiscard]] std::optional<PooledScore> pooled(std::string_view name) const;

  /// Memory for pictures that this session measures: page-locked if it may use a GPU, so that they
  /// are uploaded without a copy by the CPU. Other memory works too.
  [[nodiscard]] PictureAllocator picture_allocator() const;

  /// Where and how each extractor runs; empty before prepare().
  [[nodiscard]] std::vector<FeatureDispatch> dispatch() const;

  /// What a report says about the run, for format_report().
  [[nodiscard]] ReportInfo report_info() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// "0.1.0"
[[nodiscard]] std::string_view version();

}  // namespace hipvmaf
