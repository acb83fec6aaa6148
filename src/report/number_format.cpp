#include "report/number_format.hpp"

#include <cmath>

#include "base/numbers.hpp"

namespace hipvmaf {
namespace {

constexpr int kDecimals = 6;
constexpr int kFineDecimals = 16;

// Whether six decimals would show only zeros after the point of a value that has a small fraction.
// The products are rounded, and that decides the borderline cases: libvmaf prints 5.000001 with six
// decimals, 8.000001 with sixteen.
bool has_fine_fraction(double value) {
  constexpr double kIntegerLimit = 2147483648.0;
  const double magnitude = std::fabs(value);
  if (!(magnitude < kIntegerLimit)) return false;
  double fraction = magnitude - std::floor(magnitude);
  if (fraction == 0) return false;
  for (int i = 0; i < kDecimals; ++i) fraction *= 10;
  return fraction < 1;
}

}  // namespace

std::string format_score(double value, const Precision& precision) {
  if (precision.kind == Precision::Kind::significant) {
    return format_general(value, precision.digits);
  }
  return format_fixed(value, has_fine_fraction(value) ? kFineDecimals : kDecimals);
}

}  // namespace hipvmaf
