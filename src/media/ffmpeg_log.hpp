// What FFmpeg's libraries have to say, without their printing it.
#pragma once

#include <mutex>
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

  /// Hands a message on. Called from FFmpeg's threads, one at a time.
  void receive(int av_level, const std::string& message);

 private:
  std::string label_;
  LogCallback log_;
};

}  // namespace hipvmaf
