// The four report formats. Their layouts are libvmaf's to the byte, since scripts parse them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hipvmaf/report.hpp>
#include <hipvmaf/score_table.hpp>

#include "report/number_format.hpp"

namespace hipvmaf {

/// What a writer writes. Names fit reports.
struct ReportSource {
  const ScoreTable& scores;
  const ReportInfo& info;
  const Precision& precision;

  [[nodiscard]] std::string number(double value) const { return format_score(value, precision); }

  [[nodiscard]] std::optional<PooledScore> pooled(std::size_t column) const {
    return pool(scores, column, 0, info.picture_count, info.subsample);
  }

  /// Printed names of all columns, each passed through `escape`.
  template <class Escape>
  [[nodiscard]] std::vector<std::string> names(Escape escape) const {
    std::vector<std::string> result;
    result.reserve(scores.column_count());
    for (std::size_t c = 0; c < scores.column_count(); ++c) {
      result.push_back(escape(scores.printed_name(c)));
    }
    return result;
  }

  /// Calls visit(frame, values) for every frame that a report lists: not left out by subsampling,
  /// and with a value in some column. `values` has one entry per column.
  template <class Visit>
  void for_each_frame(Visit visit) const {
    std::vector<std::optional<double>> values(scores.column_count());
    const std::int64_t step = std::max(info.subsample, 1);
    for (std::int64_t frame = 0; frame < scores.frame_end(); frame += step) {
      bool any = false;
      for (std::size_t c = 0; c < values.size(); ++c) {
        values[c] = scores.get(c, frame);
        any = any || values[c].has_value();
      }
      if (any) visit(frame, std::span<const std::optional<double>>(values));
    }
  }
};

[[nodiscard]] std::string write_xml(const ReportSource& source);
[[nodiscard]] std::string write_json(const ReportSource& source);
[[nodiscard]] std::string write_csv(const ReportSource& source);
[[nodiscard]] std::string write_sub(const ReportSource& source);

}  // namespace hipvmaf
