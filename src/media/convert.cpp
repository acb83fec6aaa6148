#include "media/convert.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hipvmaf {
namespace {

/// One step of a conversion.
class Step {
 public:
  Step(const PictureFormat& to, const PictureAllocator& allocator) : pool_(to, allocator) {}
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;

  Picture run(const Picture& from) {
    PictureBuffer to = pool_.acquire();
    fill(from, to);
    return std::move(to).finish();
  }

 protected:
  [[nodiscard]] const PictureFormat& format() const { return pool_.format(); }
  virtual void fill(const Picture& from, const PictureBuffer& to) = 0;

 private:
  PicturePool pool_;
};

template <class From, class To>
void raise_row(const From* from, To* to, int width, int shift) {
  for (int x = 0; x < width; ++x) to[x] = static_cast<To>(unsigned{from[x]} << shift);
}

template <class From, class To>
void lower_row(const From* from, To* to, int width, int shift, unsigned largest) {
  const unsigned half = 1U << (shift - 1);
  for (int x = 0; x < width; ++x) {
    to[x] = static_cast<To>(std::min((unsigned{from[x]} + half) >> shift, largest));
  }
}

/// Changes the depth; where the target has fewer planes, the others are dropped.
class DepthStep final : public Step {
 public:
  using Step::Step;

 protected:
  void fill(const Picture& from, const PictureBuffer& to) override {
    for (int p = 0; p < format().plane_count(); ++p) {
      if (from.format().bytes_per_sample() == 1) {
        fill_from<std::uint8_t>(from, to, p);
      } else {
        fill_from<std::uint16_t>(from, to, p);
      }
    }
  }

 private:
  template <class From>
  void fill_from(const Picture& from, const PictureBuffer& to, int plane) {
    const int shift = format().bit_depth - from.format().bit_depth;
    if (format().bytes_per_sample() == 1) {
      fill_plane(from.plane<From>(plane), to.plane<std::uint8_t>(plane), shift);
    } else {
      fill_plane(from.plane<From>(plane), to.plane<std::uint16_t>(plane), shift);
    }
  }

  template <class From, class To>
  void fill_plane(PlaneView<const From> from, PlaneView<To> to, int shift) {
    const unsigned largest = (1U << format().bit_depth) - 1;
    for (int y = 0; y < to.height; ++y) {
      if (shift >= 0) {
        raise_row(from.row(y), to.row(y), to.width, shift);
      } else {
        lower_row(from.row(y), to.row(y), to.width, -shift, largest);
      }
    }
  }
};

/// Adds chroma of the middle value to a picture that has none.
class NeutralChromaStep final : public Step {
 public:
  using Step::Step;

 protected:
  void fill(const Picture& from, const PictureBuffer& to) override {
    if (format().bytes_per_sample() == 1) {
      fill_samples<std::uint8_t>(from, to);
    } else {
      fill_samples<std::uint16_t>(from, to);
    }
  }

 private:
  template <class Sample>
  void fill_samples(const Picture& from, const PictureBuffer& to) {
    const auto luma = from.plane<Sample>(0);
    const auto out = to.plane<Sample>(0);
    for (int y = 0; y < out.height; ++y) std::copy_n(luma.row(y), out.width, out.row(y));
    const auto middle = static_cast<Sample>(1 << (format().bit_depth - 1));
    for (int p = 1; p < format().plane_count(); ++p) {
      const auto chroma = to.plane<Sample>(p);
      for (int y = 0; y < chroma.height; ++y) std::fill_n(chroma.row(y), chroma.width, middle);
    }
  }
};

class ResampleStep final : public Step {
 public:
  ResampleStep(const PictureFormat& from, const PictureFormat& to, Scaler scaler,
               const PictureAllocator& allocator)
      : Step(to, allocator), resampler_(make_resampler(from, to, scaler)) {}

 protected:
  void fill(const Picture& from, const PictureBuffer& to) override { resampler_->run(from, to); }

 private:
  std::unique_ptr<Resampler> resampler_;
};

/// Raise the depth, resample, lower the depth: what is computed is computed at the finer depth.
std::vector<std::unique_ptr<Step>> plan(PictureFormat now, const PictureFormat& target,
                                        Scaler scaler, const PictureAllocator& allocator) {
  std::vector<std::unique_ptr<Step>> steps;
  const auto add_depth = [&](int depth, ChromaFormat chroma) {
    if (now.bit_depth == depth && now.chroma == chroma) return;
    now.bit_depth = depth;
    now.chroma = chroma;
    steps.push_back(std::make_unique<DepthStep>(now, allocator));
  };
  const bool drops_chroma = target.chroma == ChromaFormat::yuv400;
  const bool adds_chroma = now.chroma == ChromaFormat::yuv400 && !drops_chroma;
  const ChromaFormat kept = drops_chroma ? ChromaFormat::yuv400 : now.chroma;
  PictureFormat resampled = target;
  if (drops_chroma || adds_chroma) resampled.chroma = ChromaFormat::yuv400;
  const bool resamples =
      now.width != target.width || now.height != target.height || kept != resampled.chroma;
  const int finer = std::max(now.bit_depth, target.bit_depth);
  add_depth(resamples ? resampling_depth(finer) : finer, kept);
  if (resamples) {
    resampled.bit_depth = now.bit_depth;
    steps.push_back(std::make_unique<ResampleStep>(now, resampled, scaler, allocator));
    now = resampled;
  }
  add_depth(target.bit_depth, now.chroma);
  if (adds_chroma) steps.push_back(std::make_unique<NeutralChromaStep>(target, allocator));
  return steps;
}

class ConvertingReader final : public VideoReader {
 public:
  ConvertingReader(std::unique_ptr<VideoReader> video, const PictureFormat& format, Scaler scaler,
                   const PictureAllocator& allocator)
      : video_(std::move(video)),
        format_(format),
        steps_(plan(video_->format(), format, scaler, allocator)) {}

  [[nodiscard]] const PictureFormat& format() const override { return format_; }
  [[nodiscard]] const std::string& name() const override { return video_->name(); }
  [[nodiscard]] SampleRange range() const override { return video_->range(); }
  [[nodiscard]] bool skips_by_seeking() const override { return video_->skips_by_seeking(); }
  [[nodiscard]] std::optional<std::int64_t> expected_frames() const override {
    return video_->expected_frames();
  }
  bool skip() override { return video_->skip(); }

  std::optional<Picture> read() override {
    std::optional<Picture> picture = video_->read();
    if (!picture) return std::nullopt;
    for (const auto& step : steps_) picture = step->run(*picture);
    return picture;
  }

 private:
  std::unique_ptr<VideoReader> video_;
  PictureFormat format_;
  std::vector<std::unique_ptr<Step>> steps_;
};

}  // namespace

std::string_view to_string(Scaler scaler) {
  switch (scaler) {
    case Scaler::none:
      return "none";
    case Scaler::bicubic:
      return "bicubic";
    case Scaler::lanczos:
      return "lanczos";
    case Scaler::bilinear:
      return "bilinear";
  }
  return "unknown scaler";
}

std::unique_ptr<VideoReader> convert_video(std::unique_ptr<VideoReader> video,
                                           const PictureFormat& format, Scaler scaler,
                                           const PictureAllocator& allocator) {
  if (video->format() == format) return video;
  format.validate();
  return std::make_unique<ConvertingReader>(std::move(video), format, scaler, allocator);
}

}  // namespace hipvmaf
