// What the tests of float_vif share.
#pragma once

#include <vector>

#include "features/float_vif/float_vif.hpp"

namespace hipvmaf::floatvif_test {

using Entries = std::vector<OptionTexts::Entry>;

inline OptionValues options_of(const Entries& entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, text);
  return {"float_vif", float_vif_descriptor.options, texts};
}

}  // namespace hipvmaf::floatvif_test
