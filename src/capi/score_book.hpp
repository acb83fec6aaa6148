// The scores of a context by name and index: those that its session makes, those that the caller
// imports, and those of models, which are predicted when someone asks for them.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <hipvmaf/model.hpp>
#include <hipvmaf/score_table.hpp>
#include <hipvmaf/session.hpp>

#include "capi/frame_indices.hpp"
#include "capi/metadata.h"

namespace hipvmaf::capi {

/// A model and the stored names of its inputs.
struct ScoredModel {
  Model model;
  std::vector<std::string> inputs;
};

struct ScoredCollection {
  std::string name;
  std::vector<ScoredModel> members;
};

/// Thread-safe.
class ScoreBook {
 public:
  explicit ScoreBook(LogCallback log) : log_(std::move(log)) {}

  /// Frame 0 is about to be measured by a session that has been prepared. Throws
  /// Error(invalid_argument) if it makes scores that have been imported.
  void attach(const Session& session);

  /// Numbers the next frame. Throws Error(invalid_argument) if the index is taken or too large.
  void add_frame(unsigned index);
  void drop_frame();
  [[nodiscard]] std::int64_t frame_count() const;

  /// The session has made a score.
  void extracted(std::string_view name, std::int64_t frame, double value);
  /// Throws Error(invalid_argument) if there is a score, or the session makes that one.
  void import(std::string_view name, double value, unsigned index);

  [[nodiscard]] std::optional<double> find(std::string_view name, unsigned index) const;

  /// Whether use() has been called for a model. Throws Error(invalid_argument) if another model has
  /// its name.
  [[nodiscard]] bool is_used(const ScoredModel& model);
  /// Has handlers get a model's scores as soon as they can be made.
  void use(const ScoredModel& model);

  /// Score of a model: the one that is stored, or predicted and stored. Throws
  /// Error(invalid_argument) naming the feature that is missing.
  double score(const ScoredModel& model, unsigned index);
  BootstrapScores score(const ScoredCollection& collection, unsigned index);

  void add_handler(const VmafMetadataConfiguration& handler);

  /// All scores, in the order of reports. Only while the session is measuring nothing.
  [[nodiscard]] ScoreTable table() const;

 private:
  struct KnownModel {
    ScoredModel scored;
    bool is_used = false;
  };

  KnownModel& know(const ScoredModel& model);
  [[nodiscard]] std::optional<double> lookup(std::string_view name, unsigned index) const;
  [[nodiscard]] std::optional<double> own(std::string_view name, unsigned index) const;
  [[nodiscard]] bool session_makes(std::string_view name) const;
  /// The inputs' values; or nothing and the name of one that is missing.
  [[nodiscard]] std::optional<std::vector<double>> values_of(const std::vector<std::string>& inputs,
                                                             unsigned index,
                                                             std::string_view& missing) const;
  [[nodiscard]] std::vector<double> require_values(const ScoredModel& model, unsigned index) const;
  void warn_of_nan(const ScoredModel& model, const std::vector<double>& values,
                   unsigned index) const;
  void store(std::string_view name, unsigned index, double value);
  void notify(std::string_view name, unsigned index, double value);
  void predict_used_models(unsigned index);

  LogCallback log_;
  mutable std::mutex mutex_;
  const Session* session_ = nullptr;
  FrameIndices frames_;
  ScoreTable own_;                           // imported and predicted
  std::size_t imported_before_session_ = 0;  // columns
  std::vector<KnownModel> models_;
  std::vector<VmafMetadataConfiguration> handlers_;
};

}  // namespace hipvmaf::capi
