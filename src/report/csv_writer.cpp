#include <fmt/format.h>
#include <iterator>

#include "report/writers.hpp"

namespace hipvmaf {

std::string write_csv(const ReportSource& source) {
  std::string text = "Frame,";
  for (std::size_t c = 0; c < source.scores.column_count(); ++c) {
    text += source.scores.printed_name(c);
    text += ',';
  }
  text += '\n';
  source.for_each_frame([&](std::int64_t frame, auto values) {
    fmt::format_to(std::back_inserter(text), "{},", frame);
    for (const std::optional<double>& value : values) {
      if (value) text += source.number(*value);
      text += ',';  // a missing value leaves an empty cell, so that columns stay columns
    }
    text += '\n';
  });
  return text;
}

}  // namespace hipvmaf
