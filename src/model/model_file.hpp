// Reading model files in libvmaf's JSON format.
#pragma once

#include <string_view>

#include <hipvmaf/model.hpp>

#include "model/json_tree.hpp"

namespace hipvmaf {

/// Reads a model or a bootstrap collection from the top-level object of a file. Throws
/// Error(bad_model) that begins with `origin` and the path of the key.
[[nodiscard]] LoadedModel read_model(const JsonNode& top, std::string_view origin,
                                     const ModelConfig& config);

}  // namespace hipvmaf
