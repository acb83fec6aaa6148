#include "model/score_transform.hpp"

#include <cmath>
#include <cstddef>

namespace hipvmaf {

double ScoreTransform::polynomial(double score) const {
  if (!p0 && !p1 && !p2) return score;
  double sum = 0;
  if (p0) sum += *p0;
  if (p1) sum += *p1 * score;
  if (p2) sum += *p2 * score * score;
  return sum;
}

double ScoreTransform::piecewise_linear(double score) const {
  // The comparisons below would turn NaN into 0.
  if (knots.size() < 2 || std::isnan(score)) return score;
  double result = 0;
  const std::size_t last = knots.size() - 2;
  for (std::size_t i = 0; i <= last; ++i) {
    const Knot& from = knots[i];
    const Knot& to = knots[i + 1];
    // An ill-formed list ends the stage with what the segments before gave.
    if (!(from.x < to.x && from.y <= to.y)) break;
    const bool inside = from.x <= score && score <= to.x;
    const bool before = i == 0 && score < from.x;
    const bool beyond = i == last && score > to.x;
    if (!inside && !before && !beyond) continue;
    const double slope = (to.y - from.y) / (to.x - from.x);
    const double intercept = from.y - from.x * slope;
    result = slope * score + intercept;
  }
  return result;
}

double ScoreTransform::apply(double score) const {
  double result = piecewise_linear(polynomial(score));
  if (out_lte_in && result > score) result = score;
  if (out_gte_in && result < score) result = score;
  return result;
}

double ScoreRange::clip(double score) const {
  if (score < low) score = low;
  if (score > high) score = high;
  return score;
}

}  // namespace hipvmaf
