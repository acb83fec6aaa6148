// The little languages of --model and --feature, and the presets written in them.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hipvmaf/model.hpp>
#include <hipvmaf/session.hpp>

namespace hipvmaf::cli {

/// A command line that makes no sense; what() is one line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// --model key=value:key=value...
struct ModelRequest {
  std::string version;  ///< Name of a built-in model; wins over `path`.
  std::string path;
  ModelConfig config;
  std::vector<Session::Overload> overloads;

  /// What messages call the model: the version, else the path.
  [[nodiscard]] const std::string& origin() const { return version.empty() ? path : version; }
};

/// --feature NAME[=option=value:option=value...]
struct FeatureRequest {
  std::string extractor;
  Session::Options options;
};

/// A backslash takes the next character literally, so that paths may hold ':' and '='. Throws
/// UsageError.
[[nodiscard]] ModelRequest parse_model_request(std::string_view text);
[[nodiscard]] FeatureRequest parse_feature_request(std::string_view text);

/// Models and features of a common test condition.
struct Preset {
  std::vector<ModelRequest> models;
  std::vector<FeatureRequest> features;
  bool allow_depth_difference = false;  ///< The two inputs may differ in bit depth.
};

/// --aom_ctc v1.0 ... v7.0 (AOMedia common test conditions). Throws UsageError for another version.
[[nodiscard]] Preset aom_ctc_preset(std::string_view version);
/// --nflx_ctc v1.0 (Netflix common test conditions). Throws UsageError for another version.
[[nodiscard]] Preset nflx_ctc_preset(std::string_view version);

}  // namespace hipvmaf::cli
