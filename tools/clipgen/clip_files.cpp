// The table of named clips, and clips as YUV4MPEG2 files.
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <hipvmaf/error.hpp>

#include "clipgen/clip_generator.hpp"

namespace hipvmaf::test {
namespace {

static_assert(std::endian::native == std::endian::little, "samples are written as they lie");

constexpr auto k400 = ChromaFormat::yuv400;
constexpr auto k420 = ChromaFormat::yuv420;
constexpr auto k422 = ChromaFormat::yuv422;
constexpr auto k444 = ChromaFormat::yuv444;

std::string colour_space(const PictureFormat& format) {
  const int depth = format.bit_depth;
  if (format.chroma == k400) return depth == 8 ? "mono" : fmt::format("mono{}", depth);
  if (format.chroma == k420 && depth == 8) return "420jpeg";
  std::string name = format.chroma == k420 ? "420" : format.chroma == k422 ? "422" : "444";
  if (depth > 8) name += fmt::format("p{}", depth);
  return name;
}

class Y4mFile {
 public:
  Y4mFile(const std::filesystem::path& path, const PictureFormat& format)
      : path_(path), stream_(path, std::ios::binary) {
    require_good();
    stream_ << fmt::format("YUV4MPEG2 W{} H{} F25:1 Ip A1:1 C{}\n", format.width, format.height,
                           colour_space(format));
  }

  void write(const Picture& picture) {
    stream_ << "FRAME\n";
    const PictureFormat& format = picture.format();
    const int sample_bytes = format.bytes_per_sample();
    for (int p = 0; p < format.plane_count(); ++p) {
      const auto rows = picture.plane<char>(p);
      for (int y = 0; y < rows.height; ++y) {
        stream_.write(rows.row(y), std::streamsize{rows.width} * sample_bytes);
      }
    }
  }

  void close() {
    stream_.close();
    require_good();
  }

 private:
  void require_good() const {
    if (stream_) return;
    throw Error(ErrorCode::io, fmt::format("cannot write {}: {}", path_.string(),
                                           std::generic_category().message(errno)));
  }

  std::filesystem::path path_;
  std::ofstream stream_;
};

}  // namespace

std::span<const ClipSpec> standard_clips() {
  static const std::array<ClipSpec, 14> clips = {{
      {"cif8", "texture", "block", 11, {352, 288, k420, 8}, 10, 0},
      {"sd8", "texture", "blurnoise", 12, {576, 324, k420, 8}, 6, 0},
      {"sd10", "texture", "quant", 13, {480, 270, k420, 10}, 5, 0},
      {"band10", "gradient", "quant", 14, {640, 360, k420, 10}, 4, 0},
      {"odd422", "texture", "noise", 15, {322, 182, k422, 8}, 4, 0},
      {"small444", "texture", "block", 16, {256, 144, k444, 12}, 4, 0},
      {"noise16", "noise", "blur", 17, {160, 90, k420, 16}, 4, 0},
      {"flat8", "flat", "none", 18, {176, 144, k420, 8}, 3, 0},
      {"hd8", "texture", "block", 19, {1920, 1080, k420, 8}, 3, 0},
      {"mono8", "texture", "blur", 20, {64, 64, k400, 8}, 3, 0},
      {"oddsize", "texture", "sharpen", 21, {353, 289, k420, 8}, 4, 0},
      {"same8", "texture", "none", 22, {352, 288, k420, 8}, 3, 0},
      {"cut8", "texture", "noise", 23, {352, 288, k420, 8}, 8, 4},
      {"uhd10", "texture", "blurnoise", 24, {3840, 2160, k420, 10}, 2, 0},
  }};
  return clips;
}

const ClipSpec& standard_clip(std::string_view name) {
  const auto clips = standard_clips();
  const auto at = std::ranges::find(clips, name, &ClipSpec::name);
  if (at == clips.end()) throw std::invalid_argument(fmt::format("no clip is named \"{}\"", name));
  return *at;
}

void write_clip(const ClipSpec& clip, const std::filesystem::path& folder) {
  Y4mFile reference(folder / (clip.name + "_ref.y4m"), clip.format);
  Y4mFile distorted(folder / (clip.name + "_dis.y4m"), clip.format);
  for (int i = 0; i < clip.frames; ++i) {
    const PicturePair frame = make_frame(clip, i);
    reference.write(frame.reference);
    distorted.write(frame.distorted);
  }
  reference.close();
  distorted.close();
}

}  // namespace hipvmaf::test
