// Readers of video files: frames of one format, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <hipvmaf/log.hpp>
#include <hipvmaf/picture.hpp>

namespace hipvmaf {

/// What the samples of a video mean, as its file says. Samples are always handed on as stored.
enum class SampleRange : std::uint8_t { unknown, limited, full };

/// A video being read from its start. Not thread-safe.
class VideoReader {
 public:
  VideoReader() = default;
  VideoReader(const VideoReader&) = delete;
  VideoReader& operator=(const VideoReader&) = delete;
  virtual ~VideoReader() = default;

  /// Format of all its pictures, known before the first one is read.
  [[nodiscard]] virtual const PictureFormat& format() const = 0;

  /// The next picture, or nothing at the end of the video.
  /// Throws Error(bad_input) naming file, frame and byte offset if the video is broken or cut off
  /// there; frames read before stay valid.
  [[nodiscard]] virtual std::optional<Picture> read() = 0;

  /// Skips a frame; false at the end. Cheaper than read() where the container allows it.
  virtual bool skip() { return read().has_value(); }

  /// Whether skip() costs next to nothing, so that the rest of a long file can be counted.
  [[nodiscard]] virtual bool skips_by_seeking() const { return false; }

  /// How many frames the whole video has, as far as its length or its header tells; for progress
  /// displays only.
  [[nodiscard]] virtual std::optional<std::int64_t> expected_frames() const { return std::nullopt; }

  [[nodiscard]] virtual SampleRange range() const { return SampleRange::unknown; }

  /// Path as given ("-" for standard input), for messages.
  [[nodiscard]] virtual const std::string& name() const = 0;
};

/// How to open a video.
struct OpenOptions {
  /// The file is raw planar YUV of this format.
  std::optional<PictureFormat> raw_format;
  /// Decoder threads, 0 = the decoder's choice.
  int decoder_threads = 0;
  /// Memory of the pictures.
  PictureAllocator allocator = {};
  LogCallback log;
  /// Asked a few times a second while an input has nothing to read; true ends the wait with an
  /// error.
  std::function<bool()> stops_waiting;
};

/// Opens a video: raw YUV if options say so, else Y4M by its magic, else anything that FFmpeg opens
/// (if built in). Throws Error(io) if it cannot be opened, Error(bad_input) if it is no video that
/// can be read.
[[nodiscard]] std::unique_ptr<VideoReader> open_video(const std::string& path,
                                                      const OpenOptions& options);

}  // namespace hipvmaf
