#include <fmt/format.h>
#include <iterator>

#include "report/writers.hpp"

namespace hipvmaf {

// A MicroDVD subtitle per frame, to be shown over the video.
std::string write_sub(const ReportSource& source) {
  std::string text;
  const auto out = std::back_inserter(text);
  source.for_each_frame([&](std::int64_t frame, auto values) {
    fmt::format_to(out, "{{{}}}{{{}}}frame: {}|", frame, frame + 1, frame);
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (values[c]) {
        fmt::format_to(out, "{}: {}|", source.scores.printed_name(c), source.number(*values[c]));
      }
    }
    text += '\n';
  });
  return text;
}

}  // namespace hipvmaf
