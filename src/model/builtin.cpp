// Built-in models. models/builtin.json lists them: each is a refitted model file, of which some
// keys of model_dict are replaced.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/model.hpp>

#include "model/embedded_files.hpp"
#include "model/json_tree.hpp"
#include "model/model_file.hpp"

namespace hipvmaf {
namespace {

constexpr std::string_view kCatalogueFile = "builtin.json";

JsonNode parse_embedded(std::string_view file_name) {
  const auto files = embedded_model_files();
  const auto file = std::ranges::find(files, file_name, &EmbeddedFile::name);
  if (file == files.end()) {
    throw Error(ErrorCode::internal, fmt::format("no embedded file {}", file_name));
  }
  return parse_json(file->text, file_name);
}

struct Catalogue {
  JsonNode tree;  // owns the names and summaries of the models
  std::vector<BuiltinModel> models;
};

std::string_view base_file(const JsonNode& entry) { return entry.find("base")->text; }

double measured_deviation(std::string_view file_name) {
  const JsonNode file = parse_embedded(file_name);
  return JsonCursor(*file.find("refit")->find("max_deviation"), file_name).number();
}

const Catalogue& catalogue() {
  static const Catalogue read = [] {
    Catalogue all{parse_embedded(kCatalogueFile), {}};
    for (std::size_t i = 0; i < all.tree.items.size(); ++i) {
      const JsonNode& entry = all.tree.items[i];
      all.models.push_back(
          {all.tree.keys[i], entry.find("summary")->text, measured_deviation(base_file(entry))});
    }
    return all;
  }();
  return read;
}

// Sets every member of `changes` in `object`.
void replace_members(JsonNode& object, const JsonNode& changes) {
  for (std::size_t i = 0; i < changes.items.size(); ++i) {
    if (const auto index = object.index_of(changes.keys[i])) {
      object.items[*index] = changes.items[i];
    } else {
      object.keys.push_back(changes.keys[i]);
      object.items.push_back(changes.items[i]);
    }
  }
}

}  // namespace

std::span<const BuiltinModel> builtin_models() { return catalogue().models; }

LoadedModel load_builtin_model(std::string_view name, const ModelConfig& config) {
  const JsonNode* entry = catalogue().tree.find(name);
  if (entry == nullptr) {
    throw Error(ErrorCode::unknown_name,
                fmt::format("no built-in model {}; there are {}; other models load from a path",
                            name, fmt::join(catalogue().tree.keys, ", ")));
  }
  JsonNode file = parse_embedded(base_file(*entry));
  if (const JsonNode* changes = entry->find("model_dict")) {
    replace_members(file.items[*file.index_of("model_dict")], *changes);
  }
  return read_model(file, name, config);
}

}  // namespace hipvmaf
