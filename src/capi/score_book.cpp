#include "capi/score_book.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include <hipvmaf/error.hpp>

namespace hipvmaf::capi {
namespace {

// Of a frame; the tables have a place for every index below. Six days at 120 frames per second.
constexpr unsigned kMaxIndex = 1U << 26;

void require_index(unsigned index) {
  if (index < kMaxIndex) return;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("index {} is too large; {} is the limit", index, kMaxIndex - 1));
}

// The weights of a model are shared by its copies, so they tell models apart.
bool same(const ScoredModel& a, const ScoredModel& b) {
  return a.model.features().data() == b.model.features().data() && a.inputs == b.inputs;
}

std::array<std::string, 4> statistics_of(const std::string& collection) {
  return {collection + "_bagging", collection + "_stddev", collection + "_ci_p95_lo",
          collection + "_ci_p95_hi"};
}

}  // namespace

void ScoreBook::attach(const Session& session) {
  const std::lock_guard lock(mutex_);
  session_ = &session;
  imported_before_session_ = own_.column_count();
  for (std::size_t c = 0; c < own_.column_count(); ++c) {
    if (!session_makes(own_.stored_name(c))) continue;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("feature \"{}\" has been imported, and an extractor makes it too",
                            own_.stored_name(c)));
  }
}

void ScoreBook::add_frame(unsigned index) {
  require_index(index);
  const std::lock_guard lock(mutex_);
  if (frames_.frame_of(index)) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("index {} has a pair of pictures already", index));
  }
  frames_.add(index);
}

void ScoreBook::drop_frame() {
  const std::lock_guard lock(mutex_);
  frames_.drop();
}

std::int64_t ScoreBook::frame_count() const {
  const std::lock_guard lock(mutex_);
  return frames_.count();
}

void ScoreBook::extracted(std::string_view name, std::int64_t frame, double value) {
  const std::lock_guard lock(mutex_);
  notify(name, frames_.index_of(frame), value);
}

void ScoreBook::import(std::string_view name, double value, unsigned index) {
  require_index(index);
  const std::lock_guard lock(mutex_);
  if (!name_fits_reports(name)) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("\"{}\" is empty or has a comma, a vertical bar or a control "
                            "character, which reports cannot hold",
                            name));
  }
  if (session_makes(name) || own(name, index)) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("feature \"{}\" cannot be overwritten at index {}", name, index));
  }
  store(name, index, value);
}

std::optional<double> ScoreBook::find(std::string_view name, unsigned index) const {
  const std::lock_guard lock(mutex_);
  return lookup(name, index);
}

bool ScoreBook::is_used(const ScoredModel& model) {
  const std::lock_guard lock(mutex_);
  return know(model).is_used;
}

void ScoreBook::use(const ScoredModel& model) {
  const std::lock_guard lock(mutex_);
  know(model).is_used = true;
}

double ScoreBook::score(const ScoredModel& model, unsigned index) {
  const std::lock_guard lock(mutex_);
  know(model);
  if (const auto known = own(model.model.name(), index)) return *known;
  const std::vector<double> values = require_values(model, index);
  warn_of_nan(model, values, index);
  const double value = model.model.predict(values);
  store(model.model.name(), index, value);
  return value;
}

BootstrapScores ScoreBook::score(const ScoredCollection& collection, unsigned index) {
  const std::lock_guard lock(mutex_);
  const std::array<std::string, 4> names = statistics_of(collection.name);
  std::vector<Model> models;
  std::vector<double> raw;
  std::vector<double> finished;
  for (const ScoredModel& member : collection.members) {
    know(member);
    models.push_back(member.model);
    raw.push_back(member.model.predict_raw(require_values(member, index)));
    finished.push_back(member.model.finish(raw.back()));
  }
  BootstrapScores scores = combine_members(models, raw, finished);
  for (std::size_t k = 0; k < models.size(); ++k) {
    if (!own(models[k].name(), index)) store(models[k].name(), index, finished[k]);
  }
  const std::array values{scores.bagging, scores.stddev, scores.ci_p95_lo, scores.ci_p95_hi};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!own(names[i], index)) store(names[i], index, values[i]);
  }
  return scores;
}

void ScoreBook::add_handler(const VmafMetadataConfiguration& handler) {
  const std::lock_guard lock(mutex_);
  handlers_.push_back(handler);
}

ScoreTable ScoreBook::table() const {
  const std::lock_guard lock(mutex_);
  ScoreTable all;
  const auto copy_own = [&](std::size_t column) {
    const std::size_t to = all.add_column(own_.stored_name(column), own_.printed_name(column));
    for (std::int64_t i = 0; i < own_.frame_end(); ++i) {
      if (const auto value = own_.get(column, i)) all.set(to, i, *value);
    }
  };
  for (std::size_t c = 0; c < imported_before_session_; ++c) copy_own(c);
  if (session_ != nullptr) {
    const ScoreTable& made = session_->scores();
    for (std::size_t c = 0; c < made.column_count(); ++c) {
      const std::size_t to = all.add_column(made.stored_name(c), made.printed_name(c));
      for (std::int64_t frame = 0; frame < made.frame_end(); ++frame) {
        if (const auto value = made.get(c, frame)) all.set(to, frames_.index_of(frame), *value);
      }
    }
    for (const auto& [name, value] : made.aggregates()) all.set_aggregate(name, value);
  }
  for (std::size_t c = imported_before_session_; c < own_.column_count(); ++c) copy_own(c);
  return all;
}

ScoreBook::KnownModel& ScoreBook::know(const ScoredModel& model) {
  const std::string& name = model.model.name();
  const auto at = std::ranges::find_if(
      models_, [&](const KnownModel& known) { return known.scored.model.name() == name; });
  if (at == models_.end()) return models_.emplace_back(KnownModel{model});
  if (same(at->scored, model)) return *at;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("two models are named {}; give each its own name", name));
}

std::optional<double> ScoreBook::lookup(std::string_view name, unsigned index) const {
  if (const auto value = own(name, index)) return value;
  if (session_ == nullptr) return std::nullopt;
  const std::optional<std::int64_t> frame = frames_.frame_of(index);
  return frame ? session_->score(name, *frame) : std::nullopt;
}

std::optional<double> ScoreBook::own(std::string_view name, unsigned index) const {
  const auto column = own_.find(name);
  return column ? own_.get(*column, index) : std::nullopt;
}

bool ScoreBook::session_makes(std::string_view name) const {
  if (session_ == nullptr) return false;
  const ScoreTable& made = session_->scores();
  for (std::size_t c = 0; c < made.column_count(); ++c) {
    if (made.stored_name(c) == name) return true;
  }
  return false;
}

std::optional<std::vector<double>> ScoreBook::values_of(const std::vector<std::string>& inputs,
                                                        unsigned index,
                                                        std::string_view& missing) const {
  std::vector<double> values;
  for (const std::string& input : inputs) {
    const std::optional<double> value = lookup(input, index);
    if (!value) {
      missing = input;
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

std::vector<double> ScoreBook::require_values(const ScoredModel& model, unsigned index) const {
  std::string_view missing;
  auto values = values_of(model.inputs, index, missing);
  if (values) return *std::move(values);
  throw Error(ErrorCode::invalid_argument, fmt::format("model {}: no feature '{}' at index {}",
                                                       model.model.name(), missing, index));
}

void ScoreBook::warn_of_nan(const ScoredModel& model, const std::vector<double>& values,
                            unsigned index) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    log_to(log_, LogLevel::warning,
           fmt::format("frame {}: {} is not a number, and so is the score of model {}", index,
                       model.inputs[i], model.model.name()));
  }
}

void ScoreBook::store(std::string_view name, unsigned index, double value) {
  const auto column = own_.find(name);
  own_.set(column ? *column : own_.add_column(std::string(name), std::string(name)), index, value);
  notify(name, index, value);
}

// As the interface wants it: each handler of another name has the models predict first, so that a
// model's handler hears of a frame when its last feature arrives.
void ScoreBook::notify(std::string_view name, unsigned index, double value) {
  for (const VmafMetadataConfiguration& handler : handlers_) {
    if (name != handler.feature_name) {
      predict_used_models(index);
      continue;
    }
    VmafMetadata metadata{handler.feature_name, index, value};
    handler.callback(handler.data, &metadata);
  }
}

void ScoreBook::predict_used_models(unsigned index) {
  for (const KnownModel& known : models_) {
    if (!known.is_used || own(known.scored.model.name(), index)) continue;
    std::string_view missing;
    const auto values = values_of(known.scored.inputs, index, missing);
    if (!values) continue;
    warn_of_nan(known.scored, *values, index);
    store(known.scored.model.name(), index, known.scored.model.predict(*values));
  }
}

}  // namespace hipvmaf::capi
