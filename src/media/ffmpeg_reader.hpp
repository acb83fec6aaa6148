// Video that FFmpeg's libraries demux and decode.
#pragma once

#include <memory>
#include <string>

#include "media/byte_source.hpp"
#include "media/video_reader.hpp"

namespace hipvmaf {

/// Whether this build can use FFmpeg's libraries.
[[nodiscard]] bool has_ffmpeg();

/// Opens the best video stream of a file, image sequence (img%03d.png) or address that FFmpeg
/// knows. Pictures keep subsampling, depth and sample values of the decoder; planar video is not
/// copied, RGB becomes 4:4:4 (BT.601, limited range, as FFmpeg converts unless told otherwise).
/// Every damaged frame is an error. Throws Error(io) or Error(bad_input); builds without FFmpeg
/// throw Error(bad_input).
[[nodiscard]] std::unique_ptr<VideoReader> open_ffmpeg(const std::string& path,
                                                       const OpenOptions& options);

/// The same from bytes that cannot be read twice (a pipe).
[[nodiscard]] std::unique_ptr<VideoReader> open_ffmpeg(std::unique_ptr<ByteSource> source,
                                                       const OpenOptions& options);

}  // namespace hipvmaf
