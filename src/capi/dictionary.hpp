// VmafFeatureDictionary: options of an extractor.
#pragma once

#include <libvmaf/feature.h>

#include <hipvmaf/session.hpp>

#include "features/options.hpp"

struct VmafFeatureDictionary {
  hipvmaf::OptionTexts texts;
};

namespace hipvmaf::capi {

/// A copy of the options; none for a null pointer.
[[nodiscard]] inline Session::Options options_of(const VmafFeatureDictionary* dictionary) {
  return dictionary == nullptr ? Session::Options{} : dictionary->texts.entries();
}

}  // namespace hipvmaf::capi
