// Numbers as text, without the locale: a program that set a comma locale reads and writes the same
// digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hipvmaf {

/// A decimal number (optional sign, exponent) that makes up the whole text; nothing for inf, nan,
/// overflow.
[[nodiscard]] std::optional<double> parse_real(std::string_view text);

/// A decimal integer that makes up the whole text.
[[nodiscard]] std::optional<long long> parse_integer(std::string_view text);

/// The number that begins the text, as C atof takes it: leading blanks, sign, decimal or
/// hexadecimal, "inf" and "nan"; whatever follows is ignored. 0 when there is no number.
[[nodiscard]] double leading_real(std::string_view text);

/// The decimal integer that begins the text, as C atoi takes it. 0 when there is none; values
/// beyond the range of long long stop at its ends.
[[nodiscard]] long long leading_integer(std::string_view text);

/// The text as a binary32 number if all of it is one (blanks around it allowed, hexadecimal, inf
/// and nan too).
[[nodiscard]] std::optional<float> parse_whole_float(std::string_view text);

/// C "%.<digits>g".
[[nodiscard]] std::string format_general(double value, int digits = 6);

/// C "%.<decimals>f".
[[nodiscard]] std::string format_fixed(double value, int decimals);

}  // namespace hipvmaf
