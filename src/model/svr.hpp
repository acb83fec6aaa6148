// Support-vector regression as LIBSVM stores and evaluates it (Chang and Lin, "LIBSVM: a library
// for support vector machines", ACM TIST 2011).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace hipvmaf {

struct Svr {
  enum class Kernel { linear, polynomial, rbf, sigmoid };

  bool one_class = false;  ///< The output is +1 or -1.
  Kernel kernel = Kernel::rbf;
  int degree = 0;
  double gamma = 0;
  double coef0 = 0;
  double rho = 0;
  std::size_t inputs = 0;
  std::vector<double> coefficients;  ///< One per support vector.
  std::vector<double> vectors;       ///< The support vectors, `inputs` numbers each.

  /// y = sum of coefficient * kernel(x, vector) over the vectors in order, minus rho. `x` holds
  /// `inputs` numbers.
  [[nodiscard]] double predict(std::span<const double> x) const;
};

/// Parses LIBSVM's text format. Vectors may have indices 1..`inputs`. `where` begins the messages
/// of errors. Throws Error(bad_model) for text that is malformed, incomplete or of a type that is
/// no regression.
[[nodiscard]] Svr parse_svr(std::string_view text, std::size_t inputs, std::string_view where);

}  // namespace hipvmaf
