#include "features/options.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"

namespace hipvmaf {
namespace {

OptionValue default_value(const OptionSpec& spec) {
  switch (spec.type) {
    case OptionType::boolean:
      return spec.default_number != 0;
    case OptionType::integer:
      return static_cast<int>(spec.default_number);
    case OptionType::real:
      return spec.default_number;
    case OptionType::text:
      return std::string(spec.default_text);
  }
  throw std::logic_error("option type");
}

[[noreturn]] void refuse(std::string_view extractor, const OptionSpec& spec, std::string_view text,
                         const std::string& allowed) {
  throw Error(ErrorCode::invalid_option, fmt::format("option {} of extractor {}: \"{}\" is not {}",
                                                     spec.name, extractor, text, allowed));
}

std::string range_of(const OptionSpec& spec) {
  return fmt::format("{} from {} to {}",
                     spec.type == OptionType::integer ? "an integer" : "a number",
                     format_general(spec.minimum, 17), format_general(spec.maximum, 17));
}

// Zero is only taken from a text that begins with it: everything else that scans as zero is no
// number.
bool is_no_number(double value, std::string_view text) {
  return value == 0 && (text.empty() || text[0] != '0');
}

OptionValue parse(std::string_view extractor, const OptionSpec& spec, const std::string& text) {
  switch (spec.type) {
    case OptionType::boolean:
      if (text != "true" && text != "false") refuse(extractor, spec, text, "true or false");
      return text == "true";
    case OptionType::integer: {
      const long long value = leading_integer(text);
      const bool in_range =
          static_cast<double>(value) >= spec.minimum && static_cast<double>(value) <= spec.maximum;
      if (is_no_number(static_cast<double>(value), text) || !in_range)
        refuse(extractor, spec, text, range_of(spec));
      return static_cast<int>(value);
    }
    case OptionType::real: {
      const double value = leading_real(text);
      const bool in_range = value >= spec.minimum && value <= spec.maximum;  // false for NaN
      if (is_no_number(value, text) || !in_range) refuse(extractor, spec, text, range_of(spec));
      return value;
    }
    case OptionType::text:
      return text;
  }
  throw std::logic_error("option type");
}

std::string print(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const int* number = std::get_if<int>(&value)) return fmt::format("{}", *number);
  if (const double* number = std::get_if<double>(&value)) return format_general(*number);
  return std::get<std::string>(value);
}

}  // namespace

void OptionTexts::set(std::string_view name, std::string_view text) {
  const auto at = std::ranges::find(entries_, name, &Entry::first);
  if (at != entries_.end()) {
    at->second = text;
  } else {
    entries_.emplace_back(name, text);
  }
}

void OptionTexts::merge(const OptionTexts& other) {
  for (const auto& [name, text] : other.entries_) set(name, text);
}

const std::string* OptionTexts::find(std::string_view name) const {
  const auto at = std::ranges::find(entries_, name, &Entry::first);
  return at == entries_.end() ? nullptr : &at->second;
}

std::string normalise_option_text(std::string_view text) {
  const auto number = parse_whole_float(text);
  return number ? format_general(static_cast<double>(*number)) : std::string(text);
}

OptionValues::OptionValues(std::span<const OptionSpec> specs)
    : specs_(specs), given_(specs.size(), false) {
  values_.reserve(specs.size());
  for (const OptionSpec& spec : specs) values_.push_back(default_value(spec));
}

OptionValues::OptionValues(std::string_view extractor, std::span<const OptionSpec> specs,
                           const OptionTexts& texts)
    : OptionValues(specs) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (const std::string* text = texts.find(specs[i].name)) {
      values_[i] = parse(extractor, specs[i], *text);
      given_[i] = true;
    }
  }
}

std::size_t OptionValues::index_of(std::string_view name) const {
  const auto at = std::ranges::find(specs_, name, &OptionSpec::name);
  if (at == specs_.end()) throw std::logic_error(fmt::format("no option named {}", name));
  return static_cast<std::size_t>(at - specs_.begin());
}

bool OptionValues::is_default(std::size_t i) const {
  return values_[i] == default_value(specs_[i]);
}

std::string OptionValues::name_suffix() const {
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    if (specs_[i].role == OptionRole::identity && !is_default(i)) named.push_back(i);
  }
  std::ranges::sort(named, {}, [this](std::size_t i) { return specs_[i].name; });
  std::string suffix;
  for (const std::size_t i : named) {
    suffix += fmt::format("_{}", specs_[i].key);
    if (specs_[i].type != OptionType::boolean) suffix += fmt::format("_{}", print(values_[i]));
  }
  return suffix;
}

std::vector<std::string> OptionValues::merge(std::string_view extractor,
                                             const OptionValues& other) {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const OptionSpec& spec = specs_[i];
    if (spec.role == OptionRole::figures) {
      values_[i] = std::get<bool>(values_[i]) || std::get<bool>(other.values_[i]);
    } else if (spec.role == OptionRole::setting) {
      if (given_[i] && other.given_[i] && values_[i] != other.values_[i]) {
        throw Error(
            ErrorCode::invalid_option,
            fmt::format(
                "extractor {} is requested with option {} as \"{}\" and as \"{}\"; give one value",
                extractor, spec.name, print(values_[i]), print(other.values_[i])));
      }
      if (given_[i] != other.given_[i]) {
        if (other.given_[i]) values_[i] = other.values_[i];
        if (!is_default(i)) {
          warnings.push_back(fmt::format(
              "extractor {} runs once for several requests; {}={} holds for all of them", extractor,
              spec.name, print(values_[i])));
        }
      }
    }
    given_[i] = given_[i] || other.given_[i];
  }
  return warnings;
}

std::vector<std::string> unknown_options(std::span<const OptionSpec> specs,
                                         const OptionTexts& texts) {
  std::vector<std::string> unknown;
  for (const auto& [name, text] : texts.entries()) {
    if (std::ranges::find(specs, name, &OptionSpec::name) == specs.end()) unknown.push_back(name);
  }
  return unknown;
}

std::string list_options(std::span<const OptionSpec> specs) {
  std::vector<std::string_view> names;
  names.reserve(specs.size());
  for (const OptionSpec& spec : specs) names.push_back(spec.name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace hipvmaf
