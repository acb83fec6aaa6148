// Clips and raw scores for the tests of the SpEED extractors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "features/speed/speed_chroma.hpp"
#include "features/speed/speed_temporal.hpp"
#include "stage_support.hpp"

namespace hipvmaf::test {

inline ClipSpec texture_clip(int width, int height, ChromaFormat chroma, int bits) {
  ClipSpec clip = small_clip(width, height, chroma, bits);
  clip.frames = 3;
  return clip;
}

inline std::vector<PicturePair> frames_of(const ClipSpec& clip) {
  std::vector<PicturePair> frames;
  for (int i = 0; i < clip.frames; ++i) frames.push_back(make_frame(clip, i));
  return frames;
}

inline FrameWindow window_of(const std::vector<PicturePair>& frames, std::size_t index) {
  const auto frame = [&](std::size_t i) {
    return std::make_shared<const Frame>(
        Frame{static_cast<std::int64_t>(i), frames[i].reference, frames[i].distorted});
  };
  if (index == 0) return {frame(0), {}};
  const std::array earlier{frame(index - 1)};
  return {frame(index), earlier};
}

inline SpeedChromaRaw measure_chroma(const PicturePair& pair, const Requests& requests = {}) {
  return measure<SpeedChromaRaw>(speed_chroma_descriptor, pair, requests);
}

inline SpeedTemporalRaw measure_temporal(const std::vector<PicturePair>& frames, std::size_t index,
                                         const Requests& requests = {}) {
  const auto stage = speed_temporal_descriptor.make_cpu_stage(
      options_of(speed_temporal_descriptor, requests), frames[0].reference.format());
  SpeedTemporalRaw raw;
  stage->measure_into(window_of(frames, index), &raw);
  return raw;
}

}  // namespace hipvmaf::test
