#include "media/ffmpeg_log.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/log.h>
}

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <utility>
#include <vector>

namespace hipvmaf {
namespace {

/// The sinks that exist: a context's `opaque` is only trusted if it is one of them.
struct Registry {
  std::mutex mutex;
  std::vector<FfmpegLogSink*> sinks;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

// Every context that logs begins with a pointer to its class.
const AVClass* class_of(void* context) {
  return context == nullptr ? nullptr : *static_cast<const AVClass* const*>(context);
}

void* opaque_of(void* context) {
  const AVClass* kind = class_of(context);
  if (kind == avcodec_get_class()) return static_cast<AVCodecContext*>(context)->opaque;
  if (kind == avformat_get_class()) return static_cast<AVFormatContext*>(context)->opaque;
  return nullptr;
}

void on_message(void* context, int level, const char* format, va_list arguments) {
  if (level > AV_LOG_WARNING) return;
  void* opaque = opaque_of(context);
  if (opaque == nullptr) return;
  const std::lock_guard lock(registry().mutex);
  const auto at = std::ranges::find(registry().sinks, opaque);
  if (at == registry().sinks.end()) return;
  std::array<char, 1024> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  std::string message(text.data());
  while (!message.empty() && message.back() == '\n') message.pop_back();
  (*at)->receive(level, message, class_of(context) == avformat_get_class());
}

}  // namespace

FfmpegLogSink::FfmpegLogSink(std::string label, LogCallback log)
    : label_(std::move(label)), log_(std::move(log)) {
  const std::lock_guard lock(registry().mutex);
  registry().sinks.push_back(this);
  av_log_set_callback(on_message);
}

FfmpegLogSink::~FfmpegLogSink() {
  const std::lock_guard lock(registry().mutex);
  std::erase(registry().sinks, this);
}

void FfmpegLogSink::start() {
  const std::lock_guard lock(registry().mutex);
  started_ = true;
}

std::string FfmpegLogSink::take_demuxer_error() {
  const std::lock_guard lock(registry().mutex);
  return std::exchange(demuxer_error_, {});
}

void FfmpegLogSink::receive(int av_level, const std::string& message, bool from_demuxer) {
  if (from_demuxer && av_level <= AV_LOG_ERROR) demuxer_error_ = message;
  if (!started_) return;
  log_to(log_, av_level <= AV_LOG_ERROR ? LogLevel::warning : LogLevel::debug,
         fmt::format("{}: {}", label_, message));
}

}  // namespace hipvmaf
