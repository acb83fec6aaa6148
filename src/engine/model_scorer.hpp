// Scores of one model, or of one bootstrap collection, from the feature columns of the score table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hipvmaf/log.hpp>
#include <hipvmaf/model.hpp>
#include <hipvmaf/score_table.hpp>
#include <hipvmaf/session.hpp>

#include "engine/feature_plan.hpp"

namespace hipvmaf {

/// Stored names of a model's inputs, in the order of predict(), with `overloads` on top of the
/// model's own options. A feature that no extractor provides keeps its internal name. Throws
/// Error(invalid_option).
[[nodiscard]] std::vector<std::string> input_names(const Model& model,
                                                   const std::vector<Session::Overload>& overloads);

class ModelScorer {
 public:
  /// Registers the features that the model needs, with `overloads` on top of the model's own
  /// options. Throws as Session::add_model() does.
  ModelScorer(LoadedModel model, const std::vector<Session::Overload>& overloads,
              UnknownOptions unknown, const LogCallback& log, FeaturePlan& plan);

  [[nodiscard]] const LoadedModel& loaded() const { return loaded_; }

  /// Finds the columns of the features. Throws Error(bad_model) for a feature that its extractor
  /// does not emit under the model's options.
  void bind(const FeaturePlan& plan, const FeaturePlan::Columns& columns);

  /// Adds the column of the model's own score.
  void add_score_column(ScoreTable& scores);
  /// Adds the columns of a collection's members and statistics; none for a plain model.
  void add_collection_columns(ScoreTable& scores);

  /// Predicts a frame whose features are all there and stores the scores.
  void score(std::int64_t frame, ScoreTable& scores, const LogCallback& log);

 private:
  /// A feature as the plan knows it.
  struct Input {
    std::size_t instance = 0;
    std::size_t feature = 0;
    std::size_t column = 0;
  };
  struct Predictor {
    Model model;
    std::vector<Input> inputs;
    std::vector<double> values;  // of the frame being scored
  };

  Predictor make_predictor(const Model& model, const std::vector<Session::Overload>& overloads,
                           std::vector<bool>& matched, UnknownOptions unknown,
                           const LogCallback& log, FeaturePlan& plan) const;
  void read_inputs(Predictor& predictor, std::int64_t frame, const ScoreTable& scores,
                   const LogCallback& log) const;
  void score_collection(std::int64_t frame, ScoreTable& scores, const LogCallback& log);

  LoadedModel loaded_;
  Predictor main_;
  std::vector<Predictor> members_;
  std::size_t score_column_ = 0;
  std::vector<std::size_t> member_columns_;
  std::vector<std::size_t> statistic_columns_;  // bagging, stddev, ci_p95_lo, ci_p95_hi
  std::vector<double> raw_;
  std::vector<double> finished_;
};

}  // namespace hipvmaf
