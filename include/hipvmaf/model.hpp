// VMAF models: a support-vector regression over feature scores (Li et al., "Toward a practical
// perceptual video quality metric", Netflix Technology Blog, 2016), read from libvmaf's JSON files
// or built in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hipvmaf {

/// An input of a model: a feature by its internal name, and the options of the extractor that
/// provides it.
struct ModelFeature {
  std::string internal_name;
  std::vector<std::pair<std::string, std::string>>
      options;  ///< (option, value text), in file order.
};

/// How a model is loaded.
struct ModelConfig {
  std::string name = "vmaf";      ///< Name of the score.
  bool disable_clip = false;      ///< Scores may leave the model's range.
  bool enable_transform = false;  ///< Apply the model file's score transform, if it has one.
};

/// One regression model. Immutable and cheap to copy.
class Model {
 public:
  [[nodiscard]] const std::string& name() const;
  /// Inputs, in the order predict() takes them.
  [[nodiscard]] std::span<const ModelFeature> features() const;

  /// Score of a frame from its feature values: transformed and clipped as the file and the config
  /// say. NaN if an input is NaN.
  [[nodiscard]] double predict(std::span<const double> values) const;
  /// The same before transform and clip.
  [[nodiscard]] double predict_raw(std::span<const double> values) const;
  /// Transform (if enabled), then clip.
  [[nodiscard]] double finish(double raw) const;

  struct Data;
  explicit Model(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const Data> data_;
};

/// Scores of a bootstrap collection on one frame.
struct BootstrapScores {
  std::vector<double> members;
  double bagging = 0;    ///< Mean of the members.
  double stddev = 0;     ///< Their standard deviation.
  double ci_p95_lo = 0;  ///< 95 % confidence interval.
  double ci_p95_hi = 0;
};

/// What a model file holds: a model, and for a bootstrap collection its members beside it.
struct LoadedModel {
  std::string origin;  ///< Built-in name or path, for messages.
  Model model;
  std::vector<Model> members;  ///< Named NAME_0001, NAME_0002, ...; empty for a plain model.
};

/// Combines the members' predictions; `raw` are their predict_raw() values, `scores` their
/// predict() values.
[[nodiscard]] BootstrapScores combine_members(std::span<const Model> members,
                                              std::span<const double> raw,
                                              std::span<const double> scores);

/// Reads a model file. Throws Error(io) or Error(bad_model) with path, key and what is wrong with
/// it.
[[nodiscard]] LoadedModel load_model_file(const std::filesystem::path& path,
                                          const ModelConfig& config);

/// Reads a model from JSON text; `origin` names it in errors.
[[nodiscard]] LoadedModel parse_model(std::string_view json, std::string_view origin,
                                      const ModelConfig& config);

/// A built-in model: a refit of the published model of that name, with the same inputs, options,
/// transform and clip.
struct BuiltinModel {
  std::string_view name;  ///< For example "vmaf_v0.6.1".
  std::string_view summary;
  /// Largest measured difference from the published model's scores, before transform and clip, for
  /// inputs that the model rescales to -0.1..1.15.
  double max_deviation;
};

[[nodiscard]] std::span<const BuiltinModel> builtin_models();

/// Loads a built-in model. Throws Error(unknown_name) that lists the known ones.
[[nodiscard]] LoadedModel load_builtin_model(std::string_view name, const ModelConfig& config);

}  // namespace hipvmaf
