#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include <hipvmaf/error.hpp>
#include <hipvmaf/report.hpp>

#include "report/writers.hpp"

namespace hipvmaf {
namespace {

// Bytes of the UTF-8 sequence that begins `text` (not empty); 0 if it is none. Overlong forms,
// surrogates and values beyond U+10FFFF are none.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  // The first byte limits what the second may be.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high || !continues(2)) return 0;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return continues(3) ? 4 : 0;
  return 0;
}

void require_fit(std::string_view name) {
  if (name_fits_reports(name)) return;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("reports cannot hold a score named \"{}\"; rename it without control "
                          "characters, commas and '|', in UTF-8",
                          name));
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool name_fits_reports(std::string_view name) {
  if (name.empty()) return false;
  while (!name.empty()) {
    const char c = name[0];
    const bool control = (c >= 0 && c < ' ') || c == '\x7F';
    if (control || c == ',' || c == '|') return false;
    const std::size_t length = utf8_sequence(name);
    if (length == 0) return false;
    name.remove_prefix(length);
  }
  return true;
}

std::string format_report(ReportFormat format, const ScoreTable& scores, const ReportInfo& info,
                          const Precision& precision) {
  for (std::size_t c = 0; c < scores.column_count(); ++c) require_fit(scores.printed_name(c));
  for (const auto& aggregate : scores.aggregates()) require_fit(aggregate.first);
  const ReportSource source{scores, info, precision};
  switch (format) {
    case ReportFormat::xml:
      return write_xml(source);
    case ReportFormat::json:
      return write_json(source);
    case ReportFormat::csv:
      return write_csv(source);
    case ReportFormat::sub:
      return write_sub(source);
  }
  throw Error(ErrorCode::invalid_argument, "unknown report format");
}

std::optional<ReportFormat> format_of_extension(const std::filesystem::path& path) {
  constexpr std::array<std::pair<std::string_view, ReportFormat>, 4> kExtensions = {{
      {".xml", ReportFormat::xml},
      {".json", ReportFormat::json},
      {".csv", ReportFormat::csv},
      {".sub", ReportFormat::sub},
  }};
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), lower);
  for (const auto& [known, format] : kExtensions) {
    if (extension == known) return format;
  }
  return std::nullopt;
}

}  // namespace hipvmaf
