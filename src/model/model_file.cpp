#include "model/model_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"
#include "model/model_data.hpp"

namespace hipvmaf {
namespace {

using Type = JsonNode::Type;

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxKnots = 10;
// A collection's support vectors take at most 128 MiB.
constexpr std::size_t kMaxCollectionNumbers = std::size_t{1} << 24;

constexpr std::string_view kModelTypes[]{"LIBSVMNUSVR", "BOOTSTRAP_LIBSVMNUSVR",
                                         "RESIDUEBOOTSTRAP_LIBSVMNUSVR"};

struct ReadModel {
  Model::Data data;
  std::string type;  // model_type
};

void refuse_repeated_keys(const JsonCursor& object) {
  std::vector<std::string_view> keys(object.node().keys.begin(), object.node().keys.end());
  std::ranges::sort(keys);
  const auto repeated = std::ranges::adjacent_find(keys);
  if (repeated != keys.end()) object.fail(fmt::format("the key \"{}\" is repeated", *repeated));
}

// Member of an object, if it is there. Keys are unique (refuse_repeated_keys).
std::optional<JsonCursor> find(const JsonCursor& object, std::string_view key) {
  const auto index = object.node().index_of(key);
  return index ? std::optional(object[*index]) : std::nullopt;
}

JsonCursor require_member(const JsonCursor& object, std::string_view key) {
  auto member = find(object, key);
  if (!member) object.fail(fmt::format("the key \"{}\" is missing", key));
  return *member;
}

std::string read_model_type(const JsonCursor& dict) {
  const auto type = find(dict, "model_type");
  if (!type) return {};
  if (std::ranges::find(kModelTypes, type->string()) == std::end(kModelTypes)) {
    type->fail(fmt::format("unknown type \"{}\"", type->string()));
  }
  return type->string();
}

// An option's number is rounded once, from its digits to binary32, and rewritten with six digits.
std::string number_text(std::string_view digits) {
  return format_general(static_cast<double>(parse_whole_float(digits).value_or(0.0F)));
}

std::string option_text(const JsonCursor& value) {
  switch (value.node().type) {
    case Type::number:
      return number_text(value.node().text);
    case Type::boolean:
      return value.node().truth ? "true" : "false";
    case Type::string:
      return value.node().text;
    default:
      value.fail("an option is a number, a boolean or a string");
  }
}

using Options = decltype(ModelFeature::options);

Options read_options(const JsonCursor& dict) {
  dict.require(Type::object);
  Options options;
  for (std::size_t i = 0; i < dict.size(); ++i) {
    std::string text = option_text(dict[i]);
    const auto earlier = std::ranges::find(options, dict.key(i), &Options::value_type::first);
    if (earlier == options.end()) {
      options.emplace_back(dict.key(i), std::move(text));
    } else if (earlier->second != text) {
      dict[i].fail(fmt::format("given twice, as {} and {}", earlier->second, text));
    }
  }
  return options;
}

std::vector<ModelFeature> read_features(const JsonCursor& dict) {
  const JsonCursor names = require_member(dict, "feature_names");
  names.require(Type::array);
  if (names.size() == 0) names.fail("no features");
  if (names.size() > kMaxModelFeatures) {
    names.fail(fmt::format("{} features, at most {} are allowed", names.size(), kMaxModelFeatures));
  }
  std::vector<ModelFeature> features(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) features[i].internal_name = names[i].string();

  const auto dicts = find(dict, "feature_opts_dicts");
  if (!dicts) return features;
  dicts->require(Type::array);
  if (dicts->size() > kMaxModelFeatures) {
    dicts->fail(
        fmt::format("{} entries, at most {} are allowed", dicts->size(), kMaxModelFeatures));
  }
  for (std::size_t i = 0; i < dicts->size(); ++i) {
    // Entries beyond the last feature are checked and dropped.
    auto options = read_options((*dicts)[i]);
    if (i < features.size()) features[i].options = std::move(options);
  }
  return features;
}

// Slopes or intercepts: that of the score, then those of the features; missing ones are 0.
std::vector<double> read_scale_column(const JsonCursor& dict, std::string_view key,
                                      std::size_t features) {
  std::vector<double> values;
  if (const auto array = find(dict, key)) {
    values = array->numbers(kMaxModelFeatures + 1);
    if (values.empty()) array->fail("no numbers");
  }
  values.resize(features + 1, 0.0);
  return values;
}

void read_scales(const JsonCursor& dict, Model::Data& model) {
  const JsonCursor norm = require_member(dict, "norm_type");
  if (norm.string() != "linear_rescale" && norm.string() != "none") {
    norm.fail(fmt::format("unknown type \"{}\"", norm.string()));
  }
  model.rescales = norm.string() == "linear_rescale";
  const std::vector<double> slopes = read_scale_column(dict, "slopes", model.features.size());
  const std::vector<double> intercepts =
      read_scale_column(dict, "intercepts", model.features.size());
  if (!model.rescales) return;

  const auto zero = std::ranges::find(slopes, 0.0);
  if (zero != slopes.end()) {
    const auto i = static_cast<std::size_t>(zero - slopes.begin());
    dict.fail(fmt::format("slopes: the slope of {} (element {}) is 0 or missing",
                          i == 0 ? "the score" : model.features[i - 1].internal_name, i));
  }
  model.score_scale = {slopes[0], intercepts[0]};
  for (std::size_t i = 1; i < slopes.size(); ++i) {
    model.feature_scales.push_back({slopes[i], intercepts[i]});
  }
}

// Index of the only feature whose name contains `part`.
std::size_t only_feature(const JsonCursor& parameter, const std::vector<ModelFeature>& features,
                         std::string_view part) {
  const auto matches = [part](const ModelFeature& feature) {
    return feature.internal_name.find(part) != std::string::npos;
  };
  const auto count = std::ranges::count_if(features, matches);
  if (count != 1) {
    parameter.fail(
        fmt::format("needs exactly one feature named like {}, the model has {}", part, count));
  }
  return static_cast<std::size_t>(std::ranges::find_if(features, matches) - features.begin());
}

std::optional<ChromaCorrection> read_chroma_correction(const JsonCursor& dict,
                                                       const std::vector<ModelFeature>& features) {
  const auto parameter = find(dict, "chroma_correction_parameter");
  if (!parameter) return std::nullopt;
  const double value = parameter->number();
  if (value == 0) return std::nullopt;
  return ChromaCorrection{value, only_feature(*parameter, features, "adm3"),
                          only_feature(*parameter, features, "speed_chroma")};
}

std::optional<ScoreRange> read_range(const JsonCursor& dict) {
  const auto clip = find(dict, "score_clip");
  if (!clip) return std::nullopt;
  clip->require(Type::array);
  if (clip->size() < 2) clip->fail("fewer than two numbers");
  return ScoreRange{(*clip)[0].number(), (*clip)[1].number()};
}

std::vector<ScoreTransform::Knot> read_knots(const JsonCursor& array) {
  array.require(Type::array);
  if (array.size() > kMaxKnots) {
    array.fail(fmt::format("{} knots, at most {} are allowed", array.size(), kMaxKnots));
  }
  std::vector<ScoreTransform::Knot> knots;
  for (std::size_t i = 0; i < array.size(); ++i) {
    std::vector<double> pair = array[i].numbers(2);
    pair.resize(2, 0.0);
    knots.push_back({pair[0], pair[1]});
  }
  return knots;
}

std::optional<ScoreTransform> read_transform(const JsonCursor& dict, bool enable) {
  const auto object = find(dict, "score_transform");
  if (!object) return std::nullopt;
  object->require(Type::object);
  refuse_repeated_keys(*object);

  // A null stands for an absent coefficient.
  const auto given = [&](std::string_view key) {
    auto member = find(*object, key);
    return member && !member->is(Type::null) ? member : std::nullopt;
  };
  const auto coefficient = [&](std::string_view key) {
    const auto member = given(key);
    return member ? std::optional(member->number()) : std::nullopt;
  };
  const auto is_true_text = [&](std::string_view key) {
    const auto member = find(*object, key);
    return member && member->string() == "true";
  };
  ScoreTransform transform{.p0 = coefficient("p0"),
                           .p1 = coefficient("p1"),
                           .p2 = coefficient("p2"),
                           .knots = {},
                           .out_lte_in = is_true_text("out_lte_in"),
                           .out_gte_in = is_true_text("out_gte_in")};
  if (const auto knots = given("knots")) transform.knots = read_knots(*knots);
  const auto enabled = find(*object, "enabled");
  const bool enabled_in_file = enabled && enabled->boolean();
  return enable || enabled_in_file ? std::optional(std::move(transform)) : std::nullopt;
}

ReadModel read_single(const JsonCursor& object, std::string name, const ModelConfig& config) {
  object.require(Type::object);
  refuse_repeated_keys(object);
  const JsonCursor dict = require_member(object, "model_dict");
  dict.require(Type::object);
  refuse_repeated_keys(dict);

  ReadModel read;
  read.type = read_model_type(dict);
  Model::Data& model = read.data;
  model.name = std::move(name);
  model.features = read_features(dict);
  read_scales(dict, model);
  model.chroma = read_chroma_correction(dict, model.features);
  model.transform = read_transform(dict, config.enable_transform);
  if (!config.disable_clip) model.range = read_range(dict);
  const JsonCursor svr = require_member(dict, "model");
  model.svr = parse_svr(svr.string(), model.features.size(), svr.where());
  return read;
}

Model make_model(Model::Data data) {
  return Model(std::make_shared<const Model::Data>(std::move(data)));
}

// Keys "0", "1", ... count up in file order; whatever stands between them is skipped.
LoadedModel read_collection(const JsonCursor& top, const ModelConfig& config) {
  std::optional<Model> whole;
  std::vector<Model> members;
  std::string type;
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < top.size(); ++i) {
    const std::size_t next = whole ? members.size() + 1 : 0;
    if (top.key(i) != std::to_string(next)) continue;
    ReadModel read = read_single(
        top[i], next == 0 ? config.name : fmt::format("{}_{:04}", config.name, next), config);
    numbers += read.data.svr.vectors.size();
    if (numbers > kMaxCollectionNumbers) {
      top.fail(fmt::format("more than {} numbers in support vectors", kMaxCollectionNumbers));
    }
    if (next == 1) type = read.type;
    if (next >= 1 && read.type != type) {
      top[i].fail(fmt::format("model_dict.model_type is \"{}\", that of member 1 is \"{}\"",
                              read.type, type));
    }
    if (next == 0) {
      whole = make_model(std::move(read.data));
    } else {
      members.push_back(make_model(std::move(read.data)));
    }
  }
  if (members.empty()) top.fail("a collection needs the keys \"0\" and \"1\", in this order");
  if (!type.ends_with("BOOTSTRAP_LIBSVMNUSVR")) {
    top.fail(fmt::format("1.model_dict.model_type is \"{}\", which is no bootstrap type", type));
  }
  return {{}, std::move(*whole), std::move(members)};
}

std::string read_file(const std::filesystem::path& path) {
  const auto fail = [&](std::string_view doing) {
    throw Error(ErrorCode::io, fmt::format("cannot {} the model file {}: {}", doing, path.string(),
                                           std::generic_category().message(errno)));
  };
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("open");
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxFileBytes) {
      throw Error(ErrorCode::bad_model, fmt::format("{}: larger than {} MiB, no model file is",
                                                    path.string(), kMaxFileBytes >> 20));
    }
  }
  if (file.bad()) fail("read");
  return text;
}

}  // namespace

LoadedModel read_model(const JsonNode& top, std::string_view origin, const ModelConfig& config) {
  const JsonCursor cursor(top, origin);
  cursor.require(Type::object);
  std::optional<LoadedModel> loaded;
  if (top.find("model_dict") != nullptr) {
    loaded = {{}, make_model(read_single(cursor, config.name, config).data), {}};
  } else if (top.find("0") != nullptr) {
    loaded = read_collection(cursor, config);
  } else {
    cursor.fail(
        "holds neither the key \"model_dict\" of a model nor the key \"0\" of a collection");
  }
  loaded->origin = origin;
  return std::move(*loaded);
}

LoadedModel parse_model(std::string_view json, std::string_view origin, const ModelConfig& config) {
  return read_model(parse_json(json, origin), origin, config);
}

LoadedModel load_model_file(const std::filesystem::path& path, const ModelConfig& config) {
  if (path.extension() == ".pkl") {
    throw Error(ErrorCode::bad_model,
                fmt::format("{}: pickled models are not supported, use the JSON file of the model",
                            path.string()));
  }
  return parse_model(read_file(path), path.string(), config);
}

}  // namespace hipvmaf
