// Model files for tests, small enough to predict by hand.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include <hipvmaf/error.hpp>
#include <hipvmaf/model.hpp>

namespace hipvmaf::test {

/// A model whose score is its only input: linear kernel, one support vector, no rescaling.
inline nlohmann::ordered_json identity_model() {
  nlohmann::ordered_json dict;
  dict["model_type"] = "LIBSVMNUSVR";
  dict["norm_type"] = "none";
  dict["feature_names"] = {"VMAF_integer_feature_adm2_score"};
  dict["model"] =
      "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 \n";
  nlohmann::ordered_json file;
  file["model_dict"] = std::move(dict);
  return file;
}

/// identity_model() with one key of model_dict replaced by JSON text.
inline std::string identity_model_with(std::string_view key, std::string_view json) {
  nlohmann::ordered_json file = identity_model();
  file["model_dict"][std::string(key)] = "@";
  std::string text = file.dump();
  return text.replace(text.find("\"@\""), 3, json);
}

/// The message of the Error(bad_model) that parsing throws; empty if it succeeds.
inline std::string parse_failure(std::string_view json, const ModelConfig& config = {}) {
  try {
    (void)parse_model(json, "zoo.json", config);
  } catch (const Error& error) {
    return error.code() == ErrorCode::bad_model ? error.what() : "another code";
  }
  return {};
}

}  // namespace hipvmaf::test
