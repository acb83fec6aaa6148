// The scores of a run: one column per feature and model score, one value (or none) per frame, and
// the aggregates, which are figures of the whole run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hipvmaf {

/// Columns and aggregates keep the order in which they were added; reports show them so. Not
/// thread-safe.
class ScoreTable {
 public:
  /// Adds an empty column. Throws Error(invalid_argument) if the stored name is taken.
  std::size_t add_column(std::string stored_name, std::string printed_name);

  [[nodiscard]] std::size_t column_count() const { return columns_.size(); }
  /// Key of the column: the feature's internal name, or its alias with the options' suffix.
  [[nodiscard]] const std::string& stored_name(std::size_t column) const {
    return columns_[column].stored_name;
  }
  /// Name in reports.
  [[nodiscard]] const std::string& printed_name(std::size_t column) const {
    return columns_[column].printed_name;
  }
  /// The column of that stored name or, failing that, of that printed name.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

  /// Stores a value. Throws Error(invalid_argument) if there is one already.
  void set(std::size_t column, std::int64_t frame, double value);
  [[nodiscard]] std::optional<double> get(std::size_t column, std::int64_t frame) const;
  /// One more than the largest frame index that any column has a value for.
  [[nodiscard]] std::int64_t frame_end() const { return frame_end_; }

  /// Sets a figure of the whole run. Throws Error(invalid_argument) if it was set to another value
  /// before.
  void set_aggregate(std::string_view name, double value);
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& aggregates() const {
    return aggregates_;
  }

 private:
  struct Column {
    std::string stored_name;
    std::string printed_name;
    std::vector<double> values;
    std::vector<bool> present;
  };
  std::vector<Column> columns_;
  std::vector<std::pair<std::string, double>> aggregates_;
  std::int64_t frame_end_ = 0;
};

}  // namespace hipvmaf
