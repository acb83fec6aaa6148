#include <algorithm>
#include <cmath>
#include <limits>

#include <hipvmaf/report.hpp>

namespace hipvmaf {

std::optional<PooledScore> pool(const ScoreTable& scores, std::size_t column, std::int64_t first,
                                std::int64_t end, int subsample) {
  const std::int64_t step = std::max(subsample, 1);
  const std::int64_t begin = (first + step - 1) / step * step;
  if (begin >= end) return std::nullopt;

  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  PooledScore pooled{kInfinity, -kInfinity, 0, 0};
  double sum = 0;
  double reciprocal_sum = 0;
  bool any_nan = false;
  for (std::int64_t frame = begin; frame < end; frame += step) {
    const std::optional<double> value = scores.get(column, frame);
    if (!value) return std::nullopt;
    any_nan = any_nan || std::isnan(*value);
    pooled.min = std::min(pooled.min, *value);
    pooled.max = std::max(pooled.max, *value);
    sum += *value;
    reciprocal_sum += 1 / (*value + 1);
  }
  if (any_nan) {  // which the comparisons above do not see
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    return PooledScore{kNan, kNan, kNan, kNan};
  }
  const std::int64_t frames = (end - begin + step - 1) / step;
  const auto count = static_cast<double>(frames);
  pooled.mean = sum / count;
  pooled.harmonic_mean = count / reciprocal_sum - 1;
  return pooled;
}

}  // namespace hipvmaf
