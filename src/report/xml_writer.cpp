#include <fmt/format.h>
#include <iterator>

#include "base/numbers.hpp"
#include "report/writers.hpp"

namespace hipvmaf {
namespace {

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool continues_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

// Attribute names cannot be escaped.
std::string attribute_name(std::string_view text) {
  std::string result;
  if (!begins_name(text[0])) result += '_';
  for (const char c : text) result += continues_name(c) ? c : '_';
  return result;
}

}  // namespace

std::string write_xml(const ReportSource& source) {
  const ReportInfo& info = source.info;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "<VMAF version=\"{}\"{}>\n", escape(info.version),
                 info.incomplete ? " incomplete=\"true\"" : "");
  fmt::format_to(out, "  <params qualityWidth=\"{}\" qualityHeight=\"{}\" />\n", info.width,
                 info.height);
  fmt::format_to(out, "  <fyi fps=\"{}\" />\n", format_fixed(info.fps, 2));

  text += "  <frames>\n";
  const std::vector<std::string> attributes = source.names(attribute_name);
  source.for_each_frame([&](std::int64_t frame, auto values) {
    fmt::format_to(out, "    <frame frameNum=\"{}\" ", frame);
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (values[c]) fmt::format_to(out, "{}=\"{}\" ", attributes[c], source.number(*values[c]));
    }
    text += "/>\n";
  });
  text += "  </frames>\n";

  text += "  <pooled_metrics>\n";
  const std::vector<std::string> names = source.names(escape);
  for (std::size_t c = 0; c < names.size(); ++c) {
    fmt::format_to(out, "    <metric name=\"{}\" ", names[c]);
    if (const auto pooled = source.pooled(c)) {
      fmt::format_to(out, "min=\"{}\" max=\"{}\" mean=\"{}\" harmonic_mean=\"{}\" ",
                     source.number(pooled->min), source.number(pooled->max),
                     source.number(pooled->mean), source.number(pooled->harmonic_mean));
    }
    text += "/>\n";
  }
  text += "  </pooled_metrics>\n";

  text += "  <aggregate_metrics ";
  for (const auto& [name, value] : source.scores.aggregates()) {
    fmt::format_to(out, "{}=\"{}\" ", attribute_name(name), source.number(value));
  }
  text += "/>\n</VMAF>\n";
  return text;
}

}  // namespace hipvmaf
