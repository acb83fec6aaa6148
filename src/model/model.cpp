#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hipvmaf/error.hpp>
#include <hipvmaf/model.hpp>

#include "model/model_data.hpp"

namespace hipvmaf {
namespace {

void correct_chroma(const Model::Data& model, std::span<double> x) {
  const ChromaCorrection& chroma = *model.chroma;
  const auto denormalised = [&](std::size_t i) {
    return model.rescales ? model.feature_scales[i].denormalise(x[i]) : x[i];
  };
  // Compared after the round trip: a value that vanishes in the rescaling counts as zero.
  if (denormalised(chroma.guided) != 0) return;
  const double inferred = -chroma.parameter * denormalised(chroma.guiding) + chroma.parameter;
  x[chroma.guided] =
      model.rescales ? model.feature_scales[chroma.guided].normalise(inferred) : inferred;
}

// Percentile of sorted values, interpolated linearly between neighbours.
double percentile(std::span<const double> sorted, double percent) {
  const double position = percent * static_cast<double>(sorted.size() - 1) / 100.0;
  const double below = std::floor(position);
  const double above = std::ceil(position);
  const double low = sorted[static_cast<std::size_t>(below)];
  if (below == above) return low;
  const double high = sorted[static_cast<std::size_t>(above)];
  return low * (above - position) + high * (position - below);
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double population_deviation(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double value : values) {
    const double difference = value - mean;
    sum += difference * difference;
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

const std::string& Model::name() const { return data_->name; }

std::span<const ModelFeature> Model::features() const { return data_->features; }

double Model::predict_raw(std::span<const double> values) const {
  const Data& model = *data_;
  if (values.size() != model.features.size()) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("model {} takes {} feature values, not {}", model.name,
                            model.features.size(), values.size()));
  }
  std::array<double, kMaxModelFeatures> inputs;
  const std::span<double> x(inputs.data(), values.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = model.rescales ? model.feature_scales[i].normalise(values[i]) : values[i];
  }
  if (model.chroma) correct_chroma(model, x);
  const double y = model.svr.predict(x);
  return model.rescales ? model.score_scale.denormalise(y) : y;
}

double Model::finish(double raw) const {
  double score = raw;
  if (data_->transform) score = data_->transform->apply(score);
  if (data_->range) score = data_->range->clip(score);
  return score;
}

double Model::predict(std::span<const double> values) const { return finish(predict_raw(values)); }

BootstrapScores combine_members(std::span<const Model> members, std::span<const double> raw,
                                std::span<const double> scores) {
  if (members.empty() || raw.size() != members.size() || scores.size() != members.size()) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("a collection of {} members got {} raw and {} final scores",
                            members.size(), raw.size(), scores.size()));
  }
  BootstrapScores result;
  result.members.assign(scores.begin(), scores.end());
  if (std::ranges::any_of(raw, [](double value) { return std::isnan(value); })) {
    result.bagging = result.stddev = result.ci_p95_lo = result.ci_p95_hi =
        std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const double mean = mean_of(raw);
  const double deviation = population_deviation(raw, mean);
  std::vector<double> sorted(raw.begin(), raw.end());
  std::ranges::sort(sorted);

  // All statistics are taken of raw scores; the first member maps them to final ones. The standard
  // deviation is scaled by the slope of that map.
  const Model& map = members.front();
  constexpr double kDelta = 0.01;
  const double slope = (map.finish(mean + kDelta) - map.finish(mean - kDelta)) / (2.0 * kDelta);
  result.bagging = map.finish(mean);
  result.stddev = deviation * slope;
  result.ci_p95_lo = map.finish(percentile(sorted, 2.5));
  result.ci_p95_hi = map.finish(percentile(sorted, 97.5));
  return result;
}

}  // namespace hipvmaf
