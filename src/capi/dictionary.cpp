#include "capi/dictionary.hpp"

#include <memory>

#include "capi/border.hpp"
#include "capi/log.hpp"

using namespace hipvmaf;

int vmaf_feature_dictionary_set(VmafFeatureDictionary** dict, const char* key, const char* val) {
  if (dict == nullptr || key == nullptr || val == nullptr) return -EINVAL;
  return capi::guarded(capi::log_without_context(), [&] {
    auto made = *dict == nullptr ? std::make_unique<VmafFeatureDictionary>() : nullptr;
    VmafFeatureDictionary& target = made ? *made : **dict;
    target.texts.set(key, normalise_option_text(val));
    if (made) *dict = made.release();
  });
}

int vmaf_feature_dictionary_free(VmafFeatureDictionary** dict) {
  if (dict == nullptr) return -EINVAL;
  delete *dict;
  *dict = nullptr;
  return 0;
}
