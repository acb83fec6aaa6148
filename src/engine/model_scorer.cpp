#include "engine/model_scorer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <hipvmaf/error.hpp>

#include "features/registry.hpp"

namespace hipvmaf {
namespace {

constexpr std::array<std::string_view, 4> kStatistics{"bagging", "stddev", "ci_p95_lo",
                                                      "ci_p95_hi"};

void require_providers(const LoadedModel& loaded) {
  std::vector<std::string> missing;
  const auto collect = [&](const Model& model) {
    for (const ModelFeature& feature : model.features()) {
      const bool known = std::ranges::find(missing, feature.internal_name) != missing.end();
      if (!known && find_provider(feature.internal_name) == nullptr)
        missing.push_back(feature.internal_name);
    }
  };
  collect(loaded.model);
  std::ranges::for_each(loaded.members, collect);
  if (missing.empty()) return;
  throw Error(ErrorCode::unknown_name,
              fmt::format("model {} needs features that no extractor of this build provides: {}",
                          loaded.origin, fmt::join(missing, ", ")));
}

OptionTexts texts_of(const std::vector<std::pair<std::string, std::string>>& options) {
  OptionTexts texts;
  for (const auto& [option, text] : options) texts.set(option, text);
  return texts;
}

/// Options that a model's feature asks its extractor for.
OptionTexts options_of(const ModelFeature& feature, const Descriptor& extractor,
                       const std::vector<Session::Overload>& overloads) {
  OptionTexts texts = texts_of(feature.options);
  for (const Session::Overload& overload : overloads) {
    if (overload.extractor == extractor.name) texts.merge(texts_of(overload.options));
  }
  return texts;
}

std::size_t feature_index(const Descriptor& extractor, std::string_view internal_name) {
  const auto at = std::ranges::find(extractor.features, internal_name, &FeatureSpec::internal_name);
  return static_cast<std::size_t>(at - extractor.features.begin());
}

}  // namespace

std::vector<std::string> input_names(const Model& model,
                                     const std::vector<Session::Overload>& overloads) {
  std::vector<std::string> names;
  for (const ModelFeature& feature : model.features()) {
    const Descriptor* const extractor = find_provider(feature.internal_name);
    if (extractor == nullptr) {
      names.push_back(feature.internal_name);
      continue;
    }
    const OptionValues values(extractor->name, extractor->options,
                              options_of(feature, *extractor, overloads));
    names.push_back(
        stored_name(extractor->features[feature_index(*extractor, feature.internal_name)],
                    values.name_suffix()));
  }
  return names;
}

ModelScorer::ModelScorer(LoadedModel model, const std::vector<Session::Overload>& overloads,
                         UnknownOptions unknown, const LogCallback& log, FeaturePlan& plan)
    : loaded_((require_providers(model), std::move(model))), main_{loaded_.model, {}, {}} {
  std::vector<bool> matched(overloads.size(), false);
  main_ = make_predictor(loaded_.model, overloads, matched, unknown, log, plan);
  members_.reserve(loaded_.members.size());
  for (const Model& member : loaded_.members) {
    members_.push_back(make_predictor(member, overloads, matched, unknown, log, plan));
  }
  raw_.resize(members_.size());
  finished_.resize(members_.size());
  for (std::size_t i = 0; i < overloads.size(); ++i) {
    if (matched[i]) continue;
    log_to(log, LogLevel::warning,
           fmt::format("model {} has no feature of extractor {}; its overload changes nothing",
                       loaded_.origin, overloads[i].extractor));
  }
}

ModelScorer::Predictor ModelScorer::make_predictor(const Model& model,
                                                   const std::vector<Session::Overload>& overloads,
                                                   std::vector<bool>& matched,
                                                   UnknownOptions unknown, const LogCallback& log,
                                                   FeaturePlan& plan) const {
  Predictor predictor{model, {}, {}};
  for (const ModelFeature& feature : model.features()) {
    const Descriptor& extractor = *find_provider(feature.internal_name);
    for (std::size_t i = 0; i < overloads.size(); ++i) {
      if (overloads[i].extractor != extractor.name) continue;
      matched[i] = true;
      const std::vector<std::string> strangers =
          unknown_options(extractor.options, texts_of(overloads[i].options));
      if (unknown == UnknownOptions::refuse && !strangers.empty()) {
        throw Error(ErrorCode::unknown_name,
                    fmt::format("model {}: extractor {} has no option {}; its options are: {}",
                                loaded_.origin, extractor.name, fmt::join(strangers, ", "),
                                list_options(extractor.options)));
      }
    }
    const std::size_t instance = plan.request(extractor, options_of(feature, extractor, overloads),
                                              UnknownOptions::warn, log);
    predictor.inputs.push_back({instance, feature_index(extractor, feature.internal_name), 0});
  }
  predictor.values.resize(predictor.inputs.size());
  return predictor;
}

void ModelScorer::bind(const FeaturePlan& plan, const FeaturePlan::Columns& columns) {
  const auto bind_inputs = [&](Predictor& predictor) {
    for (Input& input : predictor.inputs) {
      const std::ptrdiff_t column = columns[input.instance][input.feature];
      if (column == FeaturePlan::kNotEmitted) {
        const Descriptor& extractor = *plan.instances()[input.instance].extractor;
        throw Error(ErrorCode::bad_model,
                    fmt::format("model {} needs feature {}, which extractor {} does not emit with "
                                "the model's options "
                                "for these videos",
                                loaded_.origin, extractor.features[input.feature].internal_name,
                                extractor.name));
      }
      input.column = static_cast<std::size_t>(column);
    }
  };
  bind_inputs(main_);
  std::ranges::for_each(members_, bind_inputs);
}

void ModelScorer::add_score_column(ScoreTable& scores) {
  const std::string& name = loaded_.model.name();
  score_column_ = scores.add_column(name, name);
}

void ModelScorer::add_collection_columns(ScoreTable& scores) {
  if (members_.empty()) return;
  const auto add = [&](const std::string& name) { return scores.add_column(name, name); };
  for (const Predictor& member : members_) member_columns_.push_back(add(member.model.name()));
  for (const std::string_view statistic : kStatistics) {
    statistic_columns_.push_back(add(fmt::format("{}_{}", loaded_.model.name(), statistic)));
  }
}

void ModelScorer::read_inputs(Predictor& predictor, std::int64_t frame, const ScoreTable& scores,
                              const LogCallback& log) const {
  for (std::size_t i = 0; i < predictor.inputs.size(); ++i) {
    const std::size_t column = predictor.inputs[i].column;
    predictor.values[i] = scores.get(column, frame).value();
    if (std::isnan(predictor.values[i]) && &predictor == &main_) {
      log_to(log, LogLevel::warning,
             fmt::format("frame {}: {} is not a number, and so is the score of model {}", frame,
                         scores.printed_name(column), loaded_.model.name()));
    }
  }
}

void ModelScorer::score(std::int64_t frame, ScoreTable& scores, const LogCallback& log) {
  read_inputs(main_, frame, scores, log);
  scores.set(score_column_, frame, main_.model.predict(main_.values));
  if (!members_.empty()) score_collection(frame, scores, log);
}

void ModelScorer::score_collection(std::int64_t frame, ScoreTable& scores, const LogCallback& log) {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    read_inputs(members_[k], frame, scores, log);
    raw_[k] = members_[k].model.predict_raw(members_[k].values);
    finished_[k] = members_[k].model.finish(raw_[k]);
    scores.set(member_columns_[k], frame, finished_[k]);
  }
  const BootstrapScores result = combine_members(loaded_.members, raw_, finished_);
  const std::array values{result.bagging, result.stddev, result.ci_p95_lo, result.ci_p95_hi};
  for (std::size_t i = 0; i < values.size(); ++i)
    scores.set(statistic_columns_[i], frame, values[i]);
}

}  // namespace hipvmaf
