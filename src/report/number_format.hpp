// How reports print numbers.
#pragma once

#include <string>

#include <hipvmaf/report.hpp>

namespace hipvmaf {

/// A score as text; "inf", "-inf", "nan" or "-nan" if it is not finite.
[[nodiscard]] std::string format_score(double value, const Precision& precision);

}  // namespace hipvmaf
