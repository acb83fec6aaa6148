#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "base/numbers.hpp"
#include "report/writers.hpp"

namespace hipvmaf {
namespace {

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string number_or_null(const ReportSource& source, double value) {
  return std::isfinite(value) ? source.number(value) : "null";
}

// The metrics of one frame. A null has no line end of its own: libvmaf writes it so, and the bytes
// are to be the same.
void write_metrics(const ReportSource& source, std::span<const std::string> names,
                   std::span<const std::optional<double>> values, std::string& text) {
  bool first = true;
  bool line_open = false;
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (!values[c]) continue;
    if (!first) text += line_open ? "," : ",\n";
    line_open = !std::isfinite(*values[c]);
    first = false;
    fmt::format_to(std::back_inserter(text), "        \"{}\": {}", names[c],
                   number_or_null(source, *values[c]));
  }
  if (!line_open) text += '\n';
}

void write_pooled(const ReportSource& source, const PooledScore& pooled, std::string& text) {
  fmt::format_to(std::back_inserter(text),
                 "      \"min\": {},\n      \"max\": {},\n"
                 "      \"mean\": {},\n      \"harmonic_mean\": {}\n",
                 number_or_null(source, pooled.min), number_or_null(source, pooled.max),
                 number_or_null(source, pooled.mean), number_or_null(source, pooled.harmonic_mean));
}

void write_provenance(const std::vector<FeatureDispatch>& provenance, std::string& text) {
  const auto out = std::back_inserter(text);
  text += "  \"provenance\": [";
  std::string_view separator = "\n";
  for (const FeatureDispatch& part : provenance) {
    std::string features;
    for (const std::string& name : part.features) {
      fmt::format_to(std::back_inserter(features), "{}\"{}\"", features.empty() ? "" : ", ",
                     escape(name));
    }
    fmt::format_to(out,
                   "{}    {{\n      \"extractor\": \"{}\",\n      \"features\": [{}],\n"
                   "      \"backend\": \"{}\"",
                   separator, escape(part.extractor), features, part.on_gpu ? "hip" : "cpu");
    if (part.on_gpu) {
      fmt::format_to(out, ",\n      \"device\": \"{}\",\n      \"strategy\": \"{}\"",
                     escape(part.device),
                     part.submission == Submission::graph ? "graph" : "direct");
    }
    text += "\n    }";
    separator = ",\n";
  }
  text += "\n  ]";
}

}  // namespace

std::string write_json(const ReportSource& source) {
  const ReportInfo& info = source.info;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{{\n  \"version\": \"{}\",\n", escape(info.version));
  fmt::format_to(out, "  \"fps\": {},\n",
                 std::isfinite(info.fps) ? format_fixed(info.fps, 2) : "null");
  if (info.incomplete) text += "  \"incomplete\": true,\n";

  const std::vector<std::string> names = source.names(escape);
  text += "  \"frames\": [";
  std::string_view separator = "\n";
  source.for_each_frame([&](std::int64_t frame, auto values) {
    fmt::format_to(out, "{}    {{\n      \"frameNum\": {},\n      \"metrics\": {{\n", separator,
                   frame);
    write_metrics(source, names, values, text);
    text += "      }\n    }";
    separator = ",\n";
  });
  text += "\n  ],\n";

  text += "  \"pooled_metrics\": {";
  separator = "\n";
  for (std::size_t c = 0; c < names.size(); ++c) {
    fmt::format_to(out, "{}    \"{}\": {{\n", separator, names[c]);
    if (const auto pooled = source.pooled(c)) write_pooled(source, *pooled, text);
    text += "    }";
    separator = ",\n";
  }
  text += "\n  },\n";

  text += "  \"aggregate_metrics\": {";
  separator = "\n";
  for (const auto& [name, value] : source.scores.aggregates()) {
    fmt::format_to(out, "{}    \"{}\": {}", separator, escape(name), number_or_null(source, value));
    separator = ",\n";
  }
  text += "\n  }";
  if (!info.provenance.empty()) {
    text += ",\n";
    write_provenance(info.provenance, text);
  }
  text += "\n}\n";
  return text;
}

}  // namespace hipvmaf
