#include "cli/listings.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <hipvmaf/device.hpp>
#include <hipvmaf/model.hpp>

#include "base/numbers.hpp"
#include "features/registry.hpp"

namespace hipvmaf::cli {
namespace {

std::string_view direction_text(Direction direction) {
  switch (direction) {
    case Direction::higher_is_better:
      return "higher is better";
    case Direction::lower_is_better:
      return "lower is better";
    case Direction::neither:
      return "neither high nor low is better";
  }
  return "";
}

std::string_view type_text(OptionType type) {
  switch (type) {
    case OptionType::boolean:
      return "bool";
    case OptionType::integer:
      return "int";
    case OptionType::real:
      return "real";
    case OptionType::text:
      return "text";
  }
  return "";
}

std::string default_text(const OptionSpec& option) {
  if (option.type == OptionType::boolean) return option.default_number != 0 ? "true" : "false";
  if (option.type == OptionType::text) return std::string(option.default_text);
  return format_general(option.default_number);
}

std::string range_text(const OptionSpec& option) {
  if (option.type != OptionType::integer && option.type != OptionType::real) return "";
  return fmt::format("{} .. {}", format_general(option.minimum), format_general(option.maximum));
}

std::string feature_names(const Descriptor& extractor, std::string_view quote) {
  std::string names;
  for (const FeatureSpec& feature : extractor.features) {
    if (!names.empty()) names += ", ";
    names += fmt::format("{}{}{}", quote, printed_name(feature, ""), quote);
  }
  return names;
}

std::string inputs_text(const Descriptor& extractor) {
  const OptionValues defaults(extractor.options);
  const bool chroma = extractor.planes != nullptr && extractor.planes(defaults) == PlaneUse::all;
  const PictureUse read =
      extractor.pictures == nullptr ? PictureUse{} : extractor.pictures(defaults);
  std::string text = chroma ? "luma and chroma" : "luma";
  if (!read.distorted) text += " of the reference";
  if (!read.reference) text += " of the distorted video";
  text += fmt::format(", 8 to {} bit, at least {}x{}", extractor.maximum_bit_depth,
                      extractor.minimum_width, extractor.minimum_height);
  if (extractor.minimum_from_options) text += " with default options";
  if (extractor.needs_chroma) text += ", not 4:0:0";
  return text;
}

void append_option_table(const Descriptor& extractor, std::string& page) {
  if (extractor.options.empty()) {
    page += "No options.\n\n";
    return;
  }
  page += "| option | in names | type | default | range | effect |\n|---|---|---|---|---|---|\n";
  for (const OptionSpec& option : extractor.options) {
    page +=
        fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", option.name,
                    option.key.empty() ? "" : fmt::format("`{}`", option.key),
                    type_text(option.type), default_text(option), range_text(option), option.help);
  }
  page += "\n";
}

}  // namespace

std::string features_text() {
  std::string text;
  for (const Descriptor* extractor : registry()) {
    text += fmt::format("{}\n  {} ({}; {})\n  emits: {}\n  needs: {}\n", extractor->name,
                        extractor->summary, extractor->range, direction_text(extractor->direction),
                        feature_names(*extractor, ""), inputs_text(*extractor));
    for (const OptionSpec& option : extractor->options) {
      const std::string range = range_text(option);
      text += fmt::format("  {}={}{}  {}\n", option.name, default_text(option),
                          range.empty() ? "" : fmt::format(" ({})", range), option.help);
    }
    text += "\n";
  }
  return text;
}

std::string features_markdown() {
  std::string page =
      "# Metrics\n\n<!-- Made by `hipvmaf features --markdown`; a test fails when it is stale. "
      "-->\n\n"
      "Every extractor is requested with `--feature NAME` or `--feature "
      "NAME=option=value:option=value`. Options with an\n"
      "entry under \"in names\" become part of the reported names when they differ from the "
      "default, as in\n"
      "`integer_vif_scale0_egl_1`.\n\n"
      "Cost is the time of one thread for a 1080p pair of frames of 8 bit with default options, as "
      "measured on one x86-64\n"
      "core with `build/release/bin/extractors_bench --benchmark_filter=/8`. Run that for the "
      "figures of your machine; what\n"
      "carries over is the ratio between metrics.\n\n";
  for (const Descriptor* extractor : registry()) {
    page += fmt::format("## {}\n\n{}.\n\n", extractor->name, extractor->summary);
    page += fmt::format(
        "- Range: {}; {}\n- Input: {}\n- Cost: {} ms\n- Emits: {}\n- Source: {}\n\n",
        extractor->range, direction_text(extractor->direction), inputs_text(*extractor),
        format_general(extractor->cost_ms), feature_names(*extractor, "`"), extractor->source);
    append_option_table(*extractor, page);
  }
  page.pop_back();
  return page;
}

std::string models_text() {
  std::size_t width = 0;
  for (const BuiltinModel& model : builtin_models()) width = std::max(width, model.name.size());
  std::string text =
      "Built-in models are refits of the published ones. \"within\" is the largest difference from "
      "the published score,\n"
      "in points, measured with the rescaled inputs between -0.1 and 1.15 and before the score "
      "transform.\n"
      "--model path=FILE takes a published model file itself.\n\n";
  for (const BuiltinModel& model : builtin_models()) {
    text += fmt::format("{:{}}  within {}  {}\n", model.name, width,
                        format_general(model.max_deviation, 2), model.summary);
  }
  return text;
}

std::string models_markdown() {
  std::string page = "| model | within | what it is |\n|---|---|---|\n";
  for (const BuiltinModel& model : builtin_models()) {
    page += fmt::format("| `{}` | {} | {} |\n", model.name, format_general(model.max_deviation, 2),
                        model.summary);
  }
  return page;
}

std::string devices_text() {
  std::string text = fmt::format("GPU platform of this build: {}\n", gpu_platform());
  text += describe(list_devices()) + "\n";
  for (const Descriptor* extractor : registry()) {
    text += fmt::format("{:16} {}\n", extractor->name,
                        runs_on_gpu(extractor->name) ? "GPU or CPU" : "CPU only");
  }
  return text;
}

}  // namespace hipvmaf::cli
