// The list of extractors. Options, names, documentation, plans and tests are all derived from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "features/feature.hpp"

namespace hipvmaf {

/// All extractors, in the order in which look-ups try them.
[[nodiscard]] std::span<const Descriptor* const> registry();

/// The extractor of that name, or null.
[[nodiscard]] const Descriptor* find_extractor(std::string_view name);

/// An extractor as users may name it: also with "integer_" before the name, or without its
/// "float_", and with "_hip" behind it, which asks for the GPU.
struct NamedExtractor {
  const Descriptor* extractor = nullptr;  ///< Null if there is none of that name.
  bool on_gpu = false;
};
[[nodiscard]] NamedExtractor find_named(std::string_view name);

/// The first extractor that provides a feature of that internal name, or null.
[[nodiscard]] const Descriptor* find_provider(std::string_view internal_name);

/// "a, b, c" of all extractors, for messages.
[[nodiscard]] std::string list_extractors();

}  // namespace hipvmaf
