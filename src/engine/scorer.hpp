// The ordered half of the engine: turns the raw scores of frame 0, 1, 2, ... into the score table,
// runs the models on every frame as soon as its features are final, and says which frames are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include <hipvmaf/log.hpp>
#include <hipvmaf/score_table.hpp>
#include <hipvmaf/session.hpp>

#include "engine/feature_plan.hpp"
#include "engine/model_scorer.hpp"

namespace hipvmaf {

/// Where the raw scores of each instance lie in a frame's block of raw scores.
struct RawLayout {
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;

  explicit RawLayout(const FeaturePlan& plan);
};

struct ScorerConfig {
  int subsample = 1;
  bool predict = true;
  LogCallback log;
  std::function<void(std::int64_t)> on_frame;
  Session::ScoreCallback on_score;
};

class Scorer {
 public:
  /// `models` are bound here and used until the scorer's end; `scores` gets all columns.
  Scorer(const FeaturePlan& plan, const RawLayout& layout, const PictureFormat& format,
         std::vector<ModelScorer>& models, ScoreTable& scores, ScorerConfig config);
  ~Scorer();

  /// Takes the raw scores of the next frame. Not thread-safe; frames come in order.
  void push(std::int64_t frame, const std::byte* raw);

  /// The stream has ended: stores the figures that waited for a next frame.
  void flush();

  /// Throws Error(internal) if a figure of a frame that was pushed is missing.
  void require_complete() const;

  /// Reads one value; thread-safe beside push() and flush().
  [[nodiscard]] std::optional<double> score(std::string_view name, std::int64_t frame) const;

  /// Whether an instance runs on a frame.
  [[nodiscard]] bool is_due(std::size_t instance, std::int64_t frame) const;

  /// Seconds of processor time, of all threads, between the first and the latest stored value.
  [[nodiscard]] double processor_seconds() const;

 private:
  class Sink;
  struct Stored {
    std::size_t column;
    std::int64_t frame;
    double value;
  };

  void store(std::size_t column, std::int64_t frame, double value);
  void report_stored();
  void complete_frames();
  void note_time();

  const FeaturePlan& plan_;
  const RawLayout& layout_;
  std::vector<ModelScorer>& models_;
  ScoreTable& scores_;
  ScorerConfig config_;
  FeaturePlan::Columns columns_;
  std::vector<std::unique_ptr<ScalarStage>> stages_;

  mutable std::mutex scores_mutex_;  // guards scores_ against readers of score()
  std::vector<Stored> stored_;       // what on_score has not been told yet
  std::size_t figures_per_frame_ = 0;
  std::deque<std::size_t>
      missing_;  // figures that are still missing of frame first_incomplete_ and later ones
  std::int64_t first_incomplete_ = 0;
  bool timing_ = false;
  std::clock_t first_stored_ = 0;
  std::clock_t last_stored_ = 0;
};

}  // namespace hipvmaf
