#include "cli/requests.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "features/options.hpp"

namespace hipvmaf::cli {
namespace {

/// Text cut at unescaped separators, escapes undone.
std::vector<std::string> split(std::string_view text, char separator, std::size_t most_parts) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == separator && parts.size() < most_parts) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
      if (text[i] == '\\' && i + 1 < text.size()) parts.back() += text[++i];
    }
  }
  return parts;
}

std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

constexpr std::size_t kAll = SIZE_MAX;

bool is_flag(const std::string& key) { return key == "disable_clip" || key == "enable_transform"; }

void set_overload(std::vector<Session::Overload>& overloads, const std::string& key,
                  const std::string& value) {
  const std::size_t dot = key.find('.');
  const std::string extractor = key.substr(0, dot);
  std::string option = key.substr(dot + 1);
  option.resize(std::min(option.size(), option.find('.')));
  auto at = std::ranges::find(overloads, extractor, &Session::Overload::extractor);
  if (at == overloads.end()) {
    overloads.push_back({extractor, {}});
    at = overloads.end() - 1;
  }
  at->options.emplace_back(option, normalise_option_text(value));
}

}  // namespace

ModelRequest parse_model_request(std::string_view text) {
  ModelRequest request;
  for (const std::string& pair : split(text, ':', kAll)) {
    const std::vector<std::string> parts = split(pair, '=', 2);
    const std::string key = unescape(parts[0]);
    const bool has_value = parts.size() == 2;
    const std::string value = has_value ? unescape(parts[1]) : std::string{};
    if (!has_value && !is_flag(key)) {
      throw UsageError(
          fmt::format("option -m/--model: \"{}\" in \"{}\" is no key=value pair", pair, text));
    }
    if (key == "version") {
      request.version = value;
    } else if (key == "path") {
      request.path = value;
    } else if (key == "name") {
      request.config.name = value;
    } else if (key == "disable_clip") {
      request.config.disable_clip |= !has_value || value == "true";
    } else if (key == "enable_transform") {
      request.config.enable_transform |= !has_value || value == "true";
    } else if (key.find('.') != std::string::npos) {
      set_overload(request.overloads, key, value);
    } else {
      throw UsageError(fmt::format(
          "option -m/--model: unknown key \"{}\" in \"{}\"; keys are version, path, name, "
          "disable_clip, enable_transform and EXTRACTOR.OPTION",
          key, text));
    }
  }
  if (request.origin().empty()) {
    throw UsageError(
        fmt::format("option -m/--model: \"{}\" needs version=NAME or path=FILE", text));
  }
  return request;
}

FeatureRequest parse_feature_request(std::string_view text) {
  const std::vector<std::string> parts = split(text, '=', 2);
  FeatureRequest request{unescape(parts[0]), {}};
  if (request.extractor.empty())
    throw UsageError(fmt::format("option --feature: \"{}\" names no extractor", text));
  if (parts.size() == 1) return request;
  for (const std::string& pair : split(parts[1], ':', kAll)) {
    const std::vector<std::string> option = split(pair, '=', kAll);
    if (option.size() < 2) {
      throw UsageError(
          fmt::format("option --feature: \"{}\" in \"{}\" is no option=value pair", pair, text));
    }
    request.options.emplace_back(unescape(option[0]), normalise_option_text(unescape(option[1])));
  }
  return request;
}

Preset aom_ctc_preset(std::string_view version) {
  if (version == "proposed")
    throw UsageError("option --aom_ctc: proposed is no longer supported; use v1.0 .. v7.0");
  const bool known = version.size() == 4 && version[0] == 'v' && version[1] >= '1' &&
                     version[1] <= '7' && version.substr(2) == ".0";
  if (!known)
    throw UsageError(
        fmt::format("option --aom_ctc: unknown version \"{}\"; use v1.0 .. v7.0", version));
  const char major = version[1];
  Preset preset;
  preset.models = {parse_model_request("version=vmaf_v0.6.1:name=vmaf"),
                   parse_model_request("version=vmaf_v0.6.1neg:name=vmaf_neg")};
  for (const std::string_view feature :
       {std::string_view("psnr=reduced_hbd_peak=true:enable_apsnr=true:min_sse=0.5"),
        std::string_view("ciede"),
        major == '7' ? std::string_view("float_ssim=scale=1:enable_db=true:clip_db=true")
                     : std::string_view("float_ssim=enable_db=true:clip_db=true"),
        std::string_view("float_ms_ssim=enable_db=true:clip_db=true"),
        std::string_view("psnr_hvs")}) {
    preset.features.push_back(parse_feature_request(feature));
  }
  if (major >= '3') preset.features.push_back(parse_feature_request("cambi"));
  preset.allow_depth_difference = major >= '6';
  return preset;
}

Preset nflx_ctc_preset(std::string_view version) {
  if (version != "v1.0") {
    throw UsageError(fmt::format("option --nflx_ctc: unknown version \"{}\"; use v1.0", version));
  }
  Preset preset;
  preset.models = {parse_model_request("version=vmaf_4k_v0.6.1:name=vmaf"),
                   parse_model_request("version=vmaf_4k_v0.6.1neg:name=vmaf_neg")};
  for (const char* feature : {"psnr=enable_chroma=true:enable_apsnr=true",
                              "float_ssim=enable_db=true:clip_db=true", "cambi"}) {
    preset.features.push_back(parse_feature_request(feature));
  }
  return preset;
}

}  // namespace hipvmaf::cli
