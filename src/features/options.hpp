// Options of extractors: their table, how text becomes values, and how requests for one extractor
// are merged.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hipvmaf {

enum class OptionType { boolean, integer, real, text };

/// What an option does to the extractor's identity when several requests name the extractor.
enum class OptionRole {
  identity,  ///< Changes the figures: part of the feature name; another value is another instance.
  figures,   ///< Only adds figures (debug, enable_mse): true in any request is true.
  setting,  ///< Neither: a value given in one request holds for all; two different given values are
            ///< an error.
};

/// One row of an extractor's option table.
struct OptionSpec {
  std::string_view name;
  std::string_view key;  ///< Short name in feature names; empty unless role is identity.
  OptionType type = OptionType::boolean;
  OptionRole role = OptionRole::identity;
  double default_number = 0;      ///< Booleans: 0 or 1.
  std::string_view default_text;  ///< Text options only.
  double minimum = 0;             ///< Inclusive range of integers and reals.
  double maximum = 0;
  std::string_view help;
};

[[nodiscard]] constexpr OptionSpec flag_option(std::string_view name, std::string_view key,
                                               std::string_view help) {
  return {name, key, OptionType::boolean, OptionRole::identity, 0, {}, 0, 1, help};
}
[[nodiscard]] constexpr OptionSpec figures_option(std::string_view name, bool on,
                                                  std::string_view help) {
  return {name, {}, OptionType::boolean, OptionRole::figures, on ? 1.0 : 0.0, {}, 0, 1, help};
}
[[nodiscard]] constexpr OptionSpec setting_flag(std::string_view name, std::string_view help) {
  return {name, {}, OptionType::boolean, OptionRole::setting, 0, {}, 0, 1, help};
}
[[nodiscard]] constexpr OptionSpec integer_option(std::string_view name, std::string_view key,
                                                  int value, int minimum, int maximum,
                                                  std::string_view help) {
  return {name,
          key,
          OptionType::integer,
          key.empty() ? OptionRole::setting : OptionRole::identity,
          static_cast<double>(value),
          {},
          static_cast<double>(minimum),
          static_cast<double>(maximum),
          help};
}
[[nodiscard]] constexpr OptionSpec real_option(std::string_view name, std::string_view key,
                                               double value, double minimum, double maximum,
                                               std::string_view help) {
  return {name,  key, OptionType::real, key.empty() ? OptionRole::setting : OptionRole::identity,
          value, {},  minimum,          maximum,
          help};
}
[[nodiscard]] constexpr OptionSpec text_option(std::string_view name, std::string_view key,
                                               std::string_view value, std::string_view help) {
  return {name,
          key,
          OptionType::text,
          key.empty() ? OptionRole::setting : OptionRole::identity,
          0,
          value,
          0,
          0,
          help};
}

/// Options as a request gives them: (name, text) in order; a name given twice keeps its place and
/// the last text.
class OptionTexts {
 public:
  using Entry = std::pair<std::string, std::string>;

  void set(std::string_view name, std::string_view text);
  /// Sets every option of `other` on top of these.
  void merge(const OptionTexts& other);
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] const std::string* find(std::string_view name) const;
  bool operator==(const OptionTexts&) const = default;

 private:
  std::vector<Entry> entries_;
};

/// The text that an option value given on the command line or through an API stands for: a number
/// is rounded to binary32 and rewritten with six significant digits ("0.50" -> "0.5"); anything
/// else stays as it is.
[[nodiscard]] std::string normalise_option_text(std::string_view text);

using OptionValue = std::variant<bool, int, double, std::string>;

/// The parsed options of one extractor instance.
class OptionValues {
 public:
  /// All defaults.
  explicit OptionValues(std::span<const OptionSpec> specs);

  /// Parses the texts that belong to the table; others are left to unknown_options().
  /// Throws Error(invalid_option) naming `extractor`, option, value and what is allowed.
  OptionValues(std::string_view extractor, std::span<const OptionSpec> specs,
               const OptionTexts& texts);

  /// Value of an option by name; T is bool, int, double or std::string as the table says.
  template <class T>
  [[nodiscard]] const T& get(std::string_view name) const {
    return std::get<T>(values_[index_of(name)]);
  }
  [[nodiscard]] bool flag(std::string_view name) const { return get<bool>(name); }
  [[nodiscard]] double real(std::string_view name) const { return get<double>(name); }
  [[nodiscard]] int integer(std::string_view name) const { return get<int>(name); }

  [[nodiscard]] std::span<const OptionSpec> specs() const { return specs_; }
  [[nodiscard]] const OptionValue& value(std::size_t i) const { return values_[i]; }
  /// Whether a request gave the option, be it the default value.
  [[nodiscard]] bool given(std::size_t i) const { return given_[i]; }
  [[nodiscard]] bool is_default(std::size_t i) const;

  /// "_key_value" of every identity option that is not at its default, sorted by option name.
  [[nodiscard]] std::string name_suffix() const;

  /// Takes in another request for the same instance (equal name_suffix). Returns one warning per
  /// setting that was given in one of them only and is not the default. Throws
  /// Error(invalid_option) if both give a setting different values.
  std::vector<std::string> merge(std::string_view extractor, const OptionValues& other);

 private:
  [[nodiscard]] std::size_t index_of(std::string_view name) const;

  std::span<const OptionSpec> specs_;
  std::vector<OptionValue> values_;
  std::vector<bool> given_;
};

/// Names in `texts` that are not in the table.
[[nodiscard]] std::vector<std::string> unknown_options(std::span<const OptionSpec> specs,
                                                       const OptionTexts& texts);

/// "a, b, c" of the table, for messages.
[[nodiscard]] std::string list_options(std::span<const OptionSpec> specs);

}  // namespace hipvmaf
