#include "capi/model.hpp"

#include <fmt/format.h>
#include <memory>

#include <hipvmaf/error.hpp>

#include "capi/border.hpp"
#include "capi/dictionary.hpp"
#include "capi/log.hpp"
#include "engine/model_scorer.hpp"

namespace hipvmaf::capi {

ScoredModel scored(const VmafModel& model) {
  return {model.model, input_names(model.model, model.overloads)};
}

ScoredCollection scored(const VmafModelCollection& collection) {
  ScoredCollection all{collection.name, {}};
  for (const Model& member : collection.members) {
    all.members.push_back({member, input_names(member, collection.overloads)});
  }
  return all;
}

LoadedModel loaded(const VmafModel& model) { return {model.origin, model.model, {}}; }

LoadedModel loaded(const VmafModelCollection& collection) {
  return {collection.origin, collection.members.front(), collection.members};
}

namespace {

ModelConfig config_of(const VmafModelConfig& config) {
  ModelConfig result;
  if (config.name != nullptr) result.name = config.name;
  result.disable_clip = (config.flags & VMAF_MODEL_FLAG_DISABLE_CLIP) != 0;
  result.enable_transform = (config.flags & VMAF_MODEL_FLAG_ENABLE_TRANSFORM) != 0 &&
                            (config.flags & VMAF_MODEL_FLAG_DISABLE_TRANSFORM) == 0;
  return result;
}

using Loader = LoadedModel (*)(const char* text, const ModelConfig& config);

LoadedModel load_version(const char* text, const ModelConfig& config) {
  return load_builtin_model(text, config);
}

LoadedModel load_path(const char* text, const ModelConfig& config) {
  return load_model_file(text, config);
}

int load(Loader loader, VmafModel** model, const VmafModelConfig* config, const char* text) {
  if (model == nullptr || config == nullptr || text == nullptr) return -EINVAL;
  return guarded(log_without_context(), [&] {
    LoadedModel loaded = loader(text, config_of(*config));
    if (!loaded.members.empty()) {
      throw Error(ErrorCode::bad_model,
                  fmt::format("{} is a collection of models, not a model", text));
    }
    *model = new VmafModel{std::move(loaded.origin), std::move(loaded.model), {}};
  });
}

int load_collection(Loader loader, VmafModel** model, VmafModelCollection** collection,
                    const VmafModelConfig* config, const char* text) {
  if (model == nullptr || collection == nullptr || config == nullptr || text == nullptr) {
    return -EINVAL;
  }
  return guarded(log_without_context(), [&] {
    LoadedModel loaded = loader(text, config_of(*config));
    if (loaded.members.empty()) {
      throw Error(ErrorCode::bad_model,
                  fmt::format("{} is a model, not a collection of models", text));
    }
    auto one = std::make_unique<VmafModel>(VmafModel{loaded.origin, loaded.model, {}});
    *collection = new VmafModelCollection{
        std::move(loaded.origin), loaded.model.name(), std::move(loaded.members), {}};
    *model = one.release();
  });
}

}  // namespace
}  // namespace hipvmaf::capi

using namespace hipvmaf;

int vmaf_model_load(VmafModel** model, VmafModelConfig* cfg, const char* version) {
  return capi::load(capi::load_version, model, cfg, version);
}

int vmaf_model_load_from_path(VmafModel** model, VmafModelConfig* cfg, const char* path) {
  return capi::load(capi::load_path, model, cfg, path);
}

int vmaf_model_collection_load(VmafModel** model, VmafModelCollection** model_collection,
                               VmafModelConfig* cfg, const char* version) {
  return capi::load_collection(capi::load_version, model, model_collection, cfg, version);
}

int vmaf_model_collection_load_from_path(VmafModel** model, VmafModelCollection** model_collection,
                                         VmafModelConfig* cfg, const char* path) {
  return capi::load_collection(capi::load_path, model, model_collection, cfg, path);
}

int vmaf_model_feature_overload(VmafModel* model, const char* feature_name,
                                VmafFeatureDictionary* opts_dict) {
  if (model == nullptr || feature_name == nullptr || opts_dict == nullptr) return -EINVAL;
  const std::unique_ptr<VmafFeatureDictionary> consumed(opts_dict);
  return capi::guarded(capi::log_without_context(), [&] {
    model->overloads.push_back({feature_name, capi::options_of(opts_dict)});
  });
}

int vmaf_model_collection_feature_overload(VmafModel* model, VmafModelCollection** model_collection,
                                           const char* feature_name,
                                           VmafFeatureDictionary* opts_dict) {
  if (model == nullptr || model_collection == nullptr || *model_collection == nullptr ||
      feature_name == nullptr || opts_dict == nullptr) {
    return -EINVAL;
  }
  const std::unique_ptr<VmafFeatureDictionary> consumed(opts_dict);
  return capi::guarded(capi::log_without_context(), [&] {
    const Session::Overload overload{feature_name, capi::options_of(opts_dict)};
    (*model_collection)->overloads.push_back(overload);
    model->overloads.push_back(overload);
  });
}

void vmaf_model_destroy(VmafModel* model) { delete model; }

void vmaf_model_collection_destroy(VmafModelCollection* model_collection) {
  delete model_collection;
}
