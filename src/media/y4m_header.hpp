// The first line of a YUV4MPEG2 (Y4M) file.
#pragma once

#include <cstdint>
#include <string_view>

#include <hipvmaf/picture.hpp>

#include "media/video_reader.hpp"

namespace hipvmaf {

/// How the chroma planes of a Y4M frame relate to those of its picture.
enum class Y4mLayout : std::uint8_t {
  planar,  ///< The same planes.
  alpha,   ///< A fourth plane of the size of luma follows.
  yuv411,  ///< A quarter as wide as luma; the picture has 4:2:2.
};

enum class Interlacing : std::uint8_t { unknown, progressive, interlaced };

struct Y4mHeader {
  PictureFormat format;  ///< Of the pictures that the frames become.
  Y4mLayout layout = Y4mLayout::planar;
  Interlacing interlacing = Interlacing::unknown;
  SampleRange range = SampleRange::unknown;
  bool version_2 = true;  ///< The magic is YUV4MPEG2.
};

/// Parses the line without its line end. Throws Error(bad_input) that says what is wrong with it,
/// without a file name.
[[nodiscard]] Y4mHeader parse_y4m_header(std::string_view line);

}  // namespace hipvmaf
