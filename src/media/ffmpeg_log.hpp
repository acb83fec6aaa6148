// What FFmpeg's libraries have to say, without their printing it.
#pragma once

#include <string>

#include <hipvmaf/log.hpp>

namespace hipvmaf {

/// Receives the messages of the FFmpeg contexts whose `opaque` member points to it: errors as
/// warnings, warnings as debug messages, the rest not at all. While the process has had one,
/// FFmpeg's libraries print nothing. Must outlive those contexts.
class FfmpegLogSink {
 public:
  FfmpegLogSink(std::string label, LogCallback log);
  FfmpegLogSink(const FfmpegLogSink&) = delete;
  FfmpegLogSink& operator=(const FfmpegLogSink&) = delete;
  ~FfmpegLogSink();

  /// Passes messages on from now on. Until then only errors are remembered: a file that is no video
  /// makes FFmpeg's libraries complain before the reader refuses it.
  void start();

  /// Hands a message on. Called from FFmpeg's threads, one at a time.
  void receive(int av_level, const std::string& message, bool from_demuxer);

  /// The last error that the demuxer told of since the last call, empty if none. Some files that
  /// are cut off or damaged show it in no other way.
  [[nodiscard]] std::string take_demuxer_error();

 private:
  std::string label_;
  LogCallback log_;
  bool started_ = false;
  std::string demuxer_error_;
};

}  // namespace hipvmaf
