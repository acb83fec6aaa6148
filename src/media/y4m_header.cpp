#include "media/y4m_header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <string>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"

namespace hipvmaf {
namespace {

constexpr std::string_view kMagic = "YUV4MPEG";

// Text from a file as part of a one-line message.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown = "\"";
  for (const char c : text.substr(0, kLongest)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kLongest ? "...\"" : "\"");
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_input, fmt::format("Y4M header: {}", what));
}

int parse_side(char tag, std::string_view text) {
  const auto value = parse_integer(text);
  if (!value || *value < 1 || *value > kMaxPictureSide) {
    refuse(fmt::format("{} is no {} from 1 to {}", quoted(std::string(1, tag).append(text)),
                       tag == 'W' ? "width" : "height", kMaxPictureSide));
  }
  return static_cast<int>(*value);
}

void check_ratio(char tag, std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || !parse_integer(text.substr(0, colon)) ||
      !parse_integer(text.substr(colon + 1))) {
    refuse(fmt::format("{} is no ratio of two integers", quoted(std::string(1, tag).append(text))));
  }
}

struct ColourSpace {
  std::string_view name;
  ChromaFormat chroma;
  Y4mLayout layout = Y4mLayout::planar;
};

// At 8 bit.
constexpr std::array kColourSpaces = {
    ColourSpace{"420", ChromaFormat::yuv420},
    ColourSpace{"420jpeg", ChromaFormat::yuv420},
    ColourSpace{"420mpeg2", ChromaFormat::yuv420},
    ColourSpace{"420paldv", ChromaFormat::yuv420},
    ColourSpace{"411", ChromaFormat::yuv422, Y4mLayout::yuv411},
    ColourSpace{"422", ChromaFormat::yuv422},
    ColourSpace{"444", ChromaFormat::yuv444},
    ColourSpace{"444alpha", ChromaFormat::yuv444, Y4mLayout::alpha},
    ColourSpace{"mono", ChromaFormat::yuv400},
};

// What comes before the depth above 8 bit.
constexpr std::array kDeepColourSpaces = {
    ColourSpace{"420p", ChromaFormat::yuv420},
    ColourSpace{"422p", ChromaFormat::yuv422},
    ColourSpace{"444p", ChromaFormat::yuv444},
    ColourSpace{"mono", ChromaFormat::yuv400},
};

std::optional<int> parse_depth(std::string_view digits) {
  // The numbers themselves: signs and leading zeros are none.
  for (int depth = 9; depth <= 16; ++depth) {
    if (digits == fmt::format_int(depth).c_str()) return depth;
  }
  return std::nullopt;
}

void set_colour_space(Y4mHeader& header, std::string_view name) {
  if (const auto* at = std::ranges::find(kColourSpaces, name, &ColourSpace::name);
      at != kColourSpaces.end()) {
    header.format.chroma = at->chroma;
    header.format.bit_depth = 8;
    header.layout = at->layout;
    return;
  }
  for (const ColourSpace& space : kDeepColourSpaces) {
    if (!name.starts_with(space.name)) continue;
    if (const auto depth = parse_depth(name.substr(space.name.size()))) {
      header.format.chroma = space.chroma;
      header.format.bit_depth = *depth;
      header.layout = space.layout;
      return;
    }
  }
  refuse(fmt::format(
      "unknown chroma sampling type {}; known are 420, 420jpeg, 420mpeg2, 420paldv, 411, 422, 444, "
      "444alpha, mono, and 420pN, 422pN, 444pN, monoN with N from 9 to 16",
      quoted(name)));
}

Interlacing parse_interlacing(std::string_view text) {
  if (text.empty() || text[0] == '?') return Interlacing::unknown;
  return text[0] == 'p' ? Interlacing::progressive : Interlacing::interlaced;
}

SampleRange parse_extension(std::string_view text, SampleRange before) {
  if (text == "COLORRANGE=FULL") return SampleRange::full;
  if (text == "COLORRANGE=LIMITED") return SampleRange::limited;
  return before;
}

}  // namespace

Y4mHeader parse_y4m_header(std::string_view line) {
  if (!line.starts_with(kMagic)) refuse("it does not begin with YUV4MPEG2");
  line.remove_prefix(kMagic.size());
  Y4mHeader header;
  header.format = {};  // 4:2:0 at 8 bit unless a tag says otherwise
  header.version_2 = line.starts_with('2');
  if (!line.empty()) line.remove_prefix(1);
  bool has_rate = false;
  while (!line.empty()) {
    const std::string_view tag = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), tag.size() + 1));
    if (tag.empty()) continue;
    const std::string_view value = tag.substr(1);
    switch (tag[0]) {
      case 'W':
        header.format.width = parse_side('W', value);
        break;
      case 'H':
        header.format.height = parse_side('H', value);
        break;
      case 'F':
        check_ratio('F', value);
        has_rate = true;
        break;
      case 'A':
        check_ratio('A', value);
        break;
      case 'I':
        header.interlacing = parse_interlacing(value);
        break;
      case 'C':
        set_colour_space(header, value);
        break;
      case 'X':
        header.range = parse_extension(value, header.range);
        break;
      default:  // unknown tags are allowed
        break;
    }
  }
  if (header.format.width == 0) refuse("the width (W) is missing");
  if (header.format.height == 0) refuse("the height (H) is missing");
  if (!has_rate) refuse("the frame rate (F) is missing");
  return header;
}

}  // namespace hipvmaf
