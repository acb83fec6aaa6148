#include "engine/feature_plan.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <hipvmaf/error.hpp>

namespace hipvmaf {
namespace {

bool is_emitted(const FeatureSpec& feature, const OptionValues& options,
                const PictureFormat& format) {
  return feature.condition == nullptr || feature.condition(options, format);
}

ColumnPhase phase_of(const FeatureSpec& feature, const OptionValues& options) {
  return feature.phase_under == nullptr ? feature.phase : feature.phase_under(options);
}

void report_unknown_options(const Descriptor& extractor, const OptionTexts& texts,
                            UnknownOptions unknown, const LogCallback& log) {
  const std::vector<std::string> names = unknown_options(extractor.options, texts);
  if (names.empty()) return;
  const std::string message =
      fmt::format("extractor {} has no option {}; its options are: {}", extractor.name,
                  fmt::join(names, ", "), list_options(extractor.options));
  if (unknown == UnknownOptions::refuse) throw Error(ErrorCode::unknown_name, message);
  log_to(log, LogLevel::warning, message + " (ignored)");
}

}  // namespace

std::size_t FeaturePlan::request(const Descriptor& extractor, const OptionTexts& texts,
                                 UnknownOptions unknown, const LogCallback& log) {
  report_unknown_options(extractor, texts, unknown, log);
  OptionValues options(extractor.name, extractor.options, texts);
  if (extractor.check_options != nullptr) extractor.check_options(options);
  std::string suffix = options.name_suffix();

  const auto same = std::ranges::find_if(instances_, [&](const ExtractorInstance& instance) {
    return instance.extractor == &extractor && instance.suffix == suffix;
  });
  if (same != instances_.end()) {
    for (const std::string& warning : same->options.merge(extractor.name, options)) {
      log_to(log, LogLevel::warning, warning);
    }
    require_distinct_names(*same);
    return static_cast<std::size_t>(same - instances_.begin());
  }
  ExtractorInstance instance{&extractor, std::move(options), std::move(suffix)};
  require_distinct_names(instance);
  instances_.push_back(std::move(instance));
  return instances_.size() - 1;
}

// Features that take no suffix would meet under one name if two instances of an extractor emitted
// them.
void FeaturePlan::require_distinct_names(const ExtractorInstance& candidate) const {
  const PictureFormat any{.width = 1, .height = 1};  // 4:2:0, so that chroma features count
  for (const ExtractorInstance& other : instances_) {
    if (&other == &candidate || other.extractor != candidate.extractor) continue;
    for (const FeatureSpec& feature : candidate.extractor->features) {
      if (feature.provided || !is_emitted(feature, candidate.options, any) ||
          !is_emitted(feature, other.options, any)) {
        continue;
      }
      throw Error(ErrorCode::invalid_option,
                  fmt::format("two instances of extractor {} (\"{}\" and \"{}\") would both emit "
                              "{}; turn it off in "
                              "one of them",
                              candidate.extractor->name, other.suffix, candidate.suffix,
                              feature.internal_name));
    }
  }
}

int FeaturePlan::reach() const {
  int reach = 0;
  for (const ExtractorInstance& instance : instances_) reach = std::max(reach, instance.reach());
  return reach;
}

void FeaturePlan::require_format(const PictureFormat& format) const {
  for (const ExtractorInstance& instance : instances_) {
    hipvmaf::require_format(*instance.extractor, instance.options, format);
  }
}

std::vector<std::string> FeaturePlan::printed_names(std::size_t instance,
                                                    const PictureFormat& format) const {
  const auto& [extractor, options, suffix, needs_gpu] = instances_[instance];
  std::vector<std::string> names;
  for (const FeatureSpec& feature : extractor->features) {
    if (is_emitted(feature, options, format)) names.push_back(printed_name(feature, suffix));
  }
  return names;
}

FeaturePlan::Columns FeaturePlan::add_columns(const PictureFormat& format,
                                              ScoreTable& scores) const {
  Columns columns;
  columns.reserve(instances_.size());
  for (const ExtractorInstance& instance : instances_) {
    columns.emplace_back(instance.extractor->features.size(), kNotEmitted);
  }
  for (const ColumnPhase phase :
       {ColumnPhase::first_frame, ColumnPhase::second_frame, ColumnPhase::flush}) {
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      const ExtractorInstance& instance = instances_[i];
      for (std::size_t f = 0; f < instance.extractor->features.size(); ++f) {
        const FeatureSpec& feature = instance.extractor->features[f];
        if (phase_of(feature, instance.options) != phase ||
            !is_emitted(feature, instance.options, format)) {
          continue;
        }
        columns[i][f] = static_cast<std::ptrdiff_t>(scores.add_column(
            stored_name(feature, instance.suffix), printed_name(feature, instance.suffix)));
      }
    }
  }
  return columns;
}

}  // namespace hipvmaf
