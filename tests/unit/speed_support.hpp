// Clips, options and raw scores for the tests of the SpEED extractors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "features/speed/speed_chroma.hpp"
#include "features/speed/speed_temporal.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {

using Entries = std::vector<OptionTexts::Entry>;

inline OptionValues options_of(const Descriptor& extractor, const Entries& entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, text);
  return {extractor.name, extractor.options, texts};
}

inline ClipSpec texture_clip(int width, int height, ChromaFormat chroma, int bits) {
  return {.name = "texture",
          .content = "texture",
          .distortion = "blurnoise",
          .seed = 77,
          .format = {width, height, chroma, bits},
          .frames = 3};
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

template <class Raw>
Raw measure(const Descriptor& extractor, const std::vector<PicturePair>& frames, std::size_t index,
            const Entries& entries = {}) {
  const auto stage =
      extractor.make_cpu_stage(options_of(extractor, entries), frames[0].reference.format());
  Raw raw;
  stage->measure_into(window_of(frames, index), &raw);
  return raw;
}

inline SpeedChromaRaw measure_chroma(const PicturePair& pair, const Entries& entries = {}) {
  return measure<SpeedChromaRaw>(speed_chroma_descriptor, {pair}, 0, entries);
}

inline SpeedTemporalRaw measure_temporal(const std::vector<PicturePair>& frames, std::size_t index,
                                         const Entries& entries = {}) {
  return measure<SpeedTemporalRaw>(speed_temporal_descriptor, frames, index, entries);
}

}  // namespace hipvmaf::test
