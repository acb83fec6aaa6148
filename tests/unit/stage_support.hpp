// Runs the stages of one extractor on single pairs of pictures.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "features/feature.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {

using Requests = std::vector<std::pair<const char*, const char*>>;

inline OptionValues options_of(const Descriptor& extractor, const Requests& requests) {
  OptionTexts texts;
  for (const auto& [name, text] : requests) texts.set(name, text);
  return {extractor.name, extractor.options, texts};
}

template <class Raw>
Raw measure(const Descriptor& extractor, const PicturePair& pair, const Requests& requests = {}) {
  const auto stage =
      extractor.make_cpu_stage(options_of(extractor, requests), pair.reference.format());
  const auto frame = std::make_shared<Frame>(Frame{0, pair.reference, pair.distorted});
  Raw raw;
  stage->measure_into(FrameWindow(frame, {}), &raw);
  return raw;
}

/// Scores of one frame by their place in the descriptor's features.
class Scores : public ScoreSink {
 public:
  void emit(int feature, std::int64_t, double value) override { values_[feature] = value; }
  void aggregate(std::string_view, double) override {}
  double operator[](int feature) const { return values_.at(feature); }

 private:
  std::map<int, double> values_;
};

template <class Raw>
Scores scores_of_raw(const Descriptor& extractor, const Raw& raw, const PictureFormat& format,
                     const Requests& requests = {}) {
  Scores scores;
  extractor.make_scalar_stage(options_of(extractor, requests), format)->push_raw(0, &raw, scores);
  return scores;
}

template <class Raw>
Scores scores_of(const Descriptor& extractor, const PicturePair& pair,
                 const Requests& requests = {}) {
  return scores_of_raw(extractor, measure<Raw>(extractor, pair, requests), pair.reference.format(),
                       requests);
}

/// A clip of one frame without chroma.
inline ClipSpec luma_clip(std::string content, std::string distortion, int width, int height,
                          int bits) {
  return {.name = "",
          .content = std::move(content),
          .distortion = std::move(distortion),
          .seed = 5,
          .format = {width, height, ChromaFormat::yuv400, bits},
          .frames = 1};
}

/// A picture without chroma whose samples are value(x, y).
template <class Sample, class Value>
Picture luma_picture_of(const PictureFormat& format, Value value) {
  PictureBuffer buffer(format);
  const auto luma = buffer.plane<Sample>(0);
  for (int y = 0; y < luma.height; ++y) {
    for (int x = 0; x < luma.width; ++x) luma.row(y)[x] = static_cast<Sample>(value(x, y));
  }
  return std::move(buffer).finish();
}

template <class Value>
Picture luma_picture(int width, int height, int bits, Value value) {
  const PictureFormat format{width, height, ChromaFormat::yuv400, bits};
  return bits == 8 ? luma_picture_of<std::uint8_t>(format, value)
                   : luma_picture_of<std::uint16_t>(format, value);
}

inline Picture flat_picture(int width, int height, int bits, int level) {
  return luma_picture(width, height, bits, [&](int, int) { return level; });
}

inline int sample_at(const Picture& picture, int x, int y) {
  return picture.format().bit_depth == 8 ? picture.plane<std::uint8_t>(0).row(y)[x]
                                         : picture.plane<std::uint16_t>(0).row(y)[x];
}

/// The same luma in memory that is not the picture's own, with rows that are further apart.
class PaddedLuma {
 public:
  explicit PaddedLuma(const Picture& picture) {
    const PictureFormat& format = picture.format();
    const auto bytes = static_cast<std::size_t>(format.bytes_per_sample());
    const auto stride = static_cast<std::size_t>(format.width + 3) * bytes;
    memory_.assign(stride * static_cast<std::size_t>(format.height), std::byte{77});
    for (int y = 0; y < format.height; ++y) {
      const auto* row =
          bytes == 1 ? reinterpret_cast<const std::byte*>(picture.plane<std::uint8_t>(0).row(y))
                     : reinterpret_cast<const std::byte*>(picture.plane<std::uint16_t>(0).row(y));
      std::copy_n(row, static_cast<std::size_t>(format.width) * bytes,
                  memory_.data() + static_cast<std::size_t>(y) * stride);
    }
    const Picture::Plane plane{memory_.data(), static_cast<std::ptrdiff_t>(stride)};
    picture_ = Picture::wrap(format, {&plane, 1}, {});
  }

  [[nodiscard]] const Picture& picture() const { return picture_; }

 private:
  std::vector<std::byte> memory_;
  Picture picture_;
};

}  // namespace hipvmaf::test
