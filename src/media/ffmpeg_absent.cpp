// Stands in for ffmpeg_reader.cpp and sws_converter.cpp in builds without FFmpeg.
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "media/ffmpeg_reader.hpp"
#include "media/scaler.hpp"

namespace hipvmaf {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: this is no Y4M file, and this build reads nothing else but raw YUV; "
                          "build with -DHIPVMAF_FFMPEG=ON to read encoded video",
                          input_label(path)));
}

}  // namespace

bool has_ffmpeg() { return false; }

std::unique_ptr<VideoReader> open_ffmpeg(const std::string& path, const OpenOptions& /*options*/) {
  refuse(path);
}

std::unique_ptr<VideoReader> open_ffmpeg(std::unique_ptr<ByteSource> source,
                                         const OpenOptions& /*options*/) {
  refuse(source->path());
}

int resampling_depth(int bit_depth) { return bit_depth; }

std::unique_ptr<Resampler> make_resampler(const PictureFormat& from, const PictureFormat& to,
                                          Scaler /*scaler*/) {
  throw Error(ErrorCode::unsupported_format,
              fmt::format("converting {} to {} takes libswscale, which this build does not have; "
                          "build with -DHIPVMAF_FFMPEG=ON",
                          from.describe(), to.describe()));
}

}  // namespace hipvmaf
