#include "engine/scorer.hpp"

#include <fmt/format.h>

#include <hipvmaf/error.hpp>

namespace hipvmaf {

RawLayout::RawLayout(const FeaturePlan& plan) {
  constexpr std::size_t kAlignment = alignof(std::max_align_t);
  for (const ExtractorInstance& instance : plan.instances()) {
    offsets.push_back(bytes);
    bytes += (instance.extractor->raw_bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
}

/// Stores the scores of one instance; those of frames that are not reported are dropped.
class Scorer::Sink final : public ScoreSink {
 public:
  Sink(Scorer& scorer, std::size_t instance)
      : scorer_(scorer), columns_(scorer.columns_[instance]) {}

  void emit(int feature, std::int64_t frame, double value) override {
    const std::ptrdiff_t column = columns_[static_cast<std::size_t>(feature)];
    if (column == FeaturePlan::kNotEmitted || frame % scorer_.config_.subsample != 0) return;
    scorer_.store(static_cast<std::size_t>(column), frame, value);
    --scorer_.missing_[static_cast<std::size_t>((frame - scorer_.first_incomplete_) /
                                                scorer_.config_.subsample)];
  }

  void aggregate(std::string_view name, double value) override {
    scorer_.scores_.set_aggregate(name, value);
  }

 private:
  Scorer& scorer_;
  const std::vector<std::ptrdiff_t>& columns_;
};

Scorer::Scorer(const FeaturePlan& plan, const RawLayout& layout, const PictureFormat& format,
               std::vector<ModelScorer>& models, ScoreTable& scores, ScorerConfig config)
    : plan_(plan),
      layout_(layout),
      models_(models),
      scores_(scores),
      config_(std::move(config)),
      columns_(plan.add_columns(format, scores)),
      figures_per_frame_(scores.column_count()) {
  for (const ExtractorInstance& instance : plan.instances()) {
    stages_.push_back(instance.extractor->make_scalar_stage(instance.options, format));
  }
  if (!config_.predict) models_.clear();
  for (ModelScorer& model : models_) {
    model.bind(plan, columns_);
    model.add_score_column(scores);
  }
  for (ModelScorer& model : models_) model.add_collection_columns(scores);
}

Scorer::~Scorer() = default;

bool Scorer::is_due(std::size_t instance, std::int64_t frame) const {
  return frame % config_.subsample == 0 || plan_.instances()[instance].extractor->every_frame;
}

void Scorer::push(std::int64_t frame, const std::byte* raw) {
  {
    const std::lock_guard lock(scores_mutex_);
    if (frame % config_.subsample == 0) missing_.push_back(figures_per_frame_);
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      if (!is_due(i, frame)) continue;
      Sink sink(*this, i);
      stages_[i]->push_raw(frame, raw + layout_.offsets[i], sink);
    }
  }
  report_stored();
  complete_frames();
}

void Scorer::flush() {
  {
    const std::lock_guard lock(scores_mutex_);
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      Sink sink(*this, i);
      stages_[i]->finish(sink);
    }
  }
  report_stored();
  complete_frames();
}

void Scorer::require_complete() const {
  if (missing_.empty()) return;
  throw Error(ErrorCode::internal, fmt::format("frame {} lacks {} figures at the end of the stream",
                                               first_incomplete_, missing_.front()));
}

void Scorer::store(std::size_t column, std::int64_t frame, double value) {
  scores_.set(column, frame, value);
  if (config_.on_score) stored_.push_back({column, frame, value});
}

// Outside the lock, so that score() can be called.
void Scorer::report_stored() {
  for (const Stored& stored : stored_) {
    config_.on_score(scores_.stored_name(stored.column), stored.frame, stored.value);
  }
  stored_.clear();
}

void Scorer::complete_frames() {
  while (!missing_.empty() && missing_.front() == 0) {
    const std::int64_t frame = first_incomplete_;
    {
      const std::lock_guard lock(scores_mutex_);
      for (ModelScorer& model : models_) model.score(frame, scores_, config_.log);
      if (scores_.column_count() > 0) note_time();
    }
    missing_.pop_front();
    first_incomplete_ += config_.subsample;
    if (config_.on_frame) config_.on_frame(frame);
  }
}

void Scorer::note_time() {
  last_stored_ = std::clock();
  if (!timing_) first_stored_ = last_stored_;
  timing_ = true;
}

std::optional<double> Scorer::score(std::string_view name, std::int64_t frame) const {
  const std::lock_guard lock(scores_mutex_);
  const auto column = scores_.find(name);
  return column ? scores_.get(*column, frame) : std::nullopt;
}

double Scorer::processor_seconds() const {
  return static_cast<double>(last_stored_ - first_stored_) / CLOCKS_PER_SEC;
}

}  // namespace hipvmaf
