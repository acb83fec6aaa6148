#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "media/byte_source.hpp"
#include "media/container_magic.hpp"
#include "media/ffmpeg_reader.hpp"
#include "media/raw_reader.hpp"
#include "media/video_reader.hpp"
#include "media/y4m_reader.hpp"

namespace hipvmaf {
namespace {

// Image sequences and addresses, which are no files themselves.
bool only_ffmpeg_knows(const std::string& path) {
  const bool looks_special =
      path.find('%') != std::string::npos || path.find("://") != std::string::npos;
  std::error_code ignored;
  return looks_special && !std::filesystem::exists(path, ignored);
}

bool is_named_like_raw_video(const std::string& path) {
  constexpr std::array<std::string_view, 3> kExtensions = {".yuv", ".raw", ".yuv420p"};
  return std::ranges::any_of(kExtensions,
                             [&path](std::string_view e) { return path.ends_with(e); });
}

}  // namespace

std::unique_ptr<VideoReader> open_video(const std::string& path, const OpenOptions& options) {
  if (options.raw_format) {
    return open_raw(open_byte_source(path, options.stops_waiting), *options.raw_format, options.log,
                    options.allocator);
  }
  if (only_ffmpeg_knows(path)) return open_ffmpeg(path, options);
  auto source = open_byte_source(path, options.stops_waiting);
  const auto head = source->peek(kMagicBytes);
  if (head.empty()) {
    throw Error(ErrorCode::bad_input, fmt::format("{} is empty", source->label()));
  }
  if (is_y4m(head)) return open_y4m(std::move(source), options.log, options.allocator);
  if (container_kind(head).empty() && is_named_like_raw_video(path)) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: raw YUV needs --width, --height, --pixel_format and --bitdepth",
                            source->label()));
  }
  // Files are handed over by name, so that FFmpeg can seek in them.
  if (path != "-" && source->size()) return open_ffmpeg(path, options);
  return open_ffmpeg(std::move(source), options);
}

}  // namespace hipvmaf
