#include "base/numbers.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <system_error>

namespace hipvmaf {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

// The longest "%f" of a double: sign, 309 digits, point and up to 17 decimals.
constexpr std::size_t kLongestNumber = 352;

std::string_view without_leading_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// Reads the number that begins `text` (no blanks) the way C does, which from_chars does not quite:
// a plus sign and the prefix 0x. Sets `end` to what follows; `end` is all of the text when there is
// no number.
template <class Real>
std::optional<Real> scan(std::string_view text, std::string_view& end) {
  end = text;
  std::string_view digits = text;
  bool negative = false;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) {
    negative = digits[0] == '-';
    digits.remove_prefix(1);
  }
  if (digits.empty() || digits[0] == '+' || digits[0] == '-') return std::nullopt;
  std::chars_format format = std::chars_format::general;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
    format = std::chars_format::hex;
    digits.remove_prefix(2);
  }
  Real value = 0;
  auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, format);
  if (error == std::errc::invalid_argument) {
    if (format != std::chars_format::hex) return std::nullopt;
    rest = digits.data() - 1;  // "0x" and no digit: the number is the zero
    value = 0;
  } else if (error == std::errc::result_out_of_range) {
    // from_chars leaves the value alone; a negative exponent means underflow.
    const std::string_view number(digits.data(), static_cast<std::size_t>(rest - digits.data()));
    const std::size_t exponent =
        number.find_first_of(format == std::chars_format::hex ? "pP" : "eE");
    const bool underflow = exponent != std::string_view::npos
                               ? number[exponent + 1] == '-'
                               : number[number.find_first_not_of('0')] == '.';
    value = underflow ? Real{0} : std::numeric_limits<Real>::infinity();
  }
  end = text.substr(static_cast<std::size_t>(rest - text.data()));
  return negative ? -value : value;
}

template <class Value, class... Format>
std::string print(Value value, Format... format) {
  std::array<char, kLongestNumber> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
  return {buffer.data(), result.ptr};
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool finite = value - value == 0;
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || !finite)
    return std::nullopt;
  return value;
}

std::optional<long long> parse_integer(std::string_view text) {
  long long value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

double leading_real(std::string_view text) {
  std::string_view end;
  return scan<double>(without_leading_blanks(text), end).value_or(0.0);
}

long long leading_integer(std::string_view text) {
  text = without_leading_blanks(text);
  const bool negative = !text.empty() && text[0] == '-';
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  long long value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    return negative ? std::numeric_limits<long long>::min() : std::numeric_limits<long long>::max();
  }
  return value;
}

std::optional<float> parse_whole_float(std::string_view text) {
  std::string_view end;
  const auto value = scan<float>(without_leading_blanks(text), end);
  if (!value || !without_leading_blanks(end).empty()) return std::nullopt;
  return value;
}

std::string format_general(double value, int digits) {
  return print(value, std::chars_format::general, digits);
}

std::string format_fixed(double value, int decimals) {
  return print(value, std::chars_format::fixed, decimals);
}

}  // namespace hipvmaf
