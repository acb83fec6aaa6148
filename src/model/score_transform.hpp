// What happens to a score after the regression: a polynomial, a piecewise linear map, and a clip.
#pragma once

#include <optional>
#include <vector>

namespace hipvmaf {

/// A model file's score transform (used for viewing conditions other than those of the training).
struct ScoreTransform {
  struct Knot {
    double x = 0;
    double y = 0;
  };

  std::optional<double> p0, p1, p2;  ///< p0 + p1 s + p2 s^2; identity if none is set.
  std::vector<Knot> knots;           ///< Piecewise linear stage; fewer than two do nothing.
  bool out_lte_in = false;           ///< The result may not exceed the input.
  bool out_gte_in = false;           ///< The result may not fall below the input.

  /// NaN gives NaN.
  [[nodiscard]] double apply(double score) const;

 private:
  [[nodiscard]] double polynomial(double score) const;
  [[nodiscard]] double piecewise_linear(double score) const;
};

/// The range that scores are clipped to.
struct ScoreRange {
  double low = 0;
  double high = 0;

  /// NaN gives NaN; with low > high everything ends at high.
  [[nodiscard]] double clip(double score) const;
};

}  // namespace hipvmaf
