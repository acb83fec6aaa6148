#include <algorithm>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "features/motion/float_motion.hpp"
#include "features/motion/float_motion_math.hpp"
#include "features/motion/motion_temporal.hpp"
#include "features/scored_planes.hpp"

namespace hipvmaf::float_motion {
namespace {

constexpr int kMaxHalvedWidth = 7680;

float samples(int width, int height) {
  return static_cast<float>(static_cast<std::int64_t>(width) * height);
}

class Scores final : public ScalarStageOf<FloatMotionRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options)),
        weight_(options.real("motion_fps_weight")),
        maximum_(options.real("motion_max_val")),
        temporal_({.blend_factor = options.real("motion_blend_factor"),
                   .blend_offset = options.real("motion_blend_offset"),
                   .maximum = maximum_},
                  kMotion2, kMotion3) {
    for (int p = 0; p < planes_; ++p) {
      const int width = scored_width(format, p);
      const int height = scored_height(format, p);
      full_samples_[static_cast<std::size_t>(p)] = samples(width, height);
      halved_samples_[static_cast<std::size_t>(p)] =
          samples(halved_size(width), halved_size(height));
    }
  }

  void finish(ScoreSink& sink) override { temporal_.finish(sink); }

 protected:
  void push(std::int64_t frame, const FloatMotionRaw& raw, ScoreSink& sink) override {
    const double motion = distance(raw) * weight_;
    sink.emit(kMotion, frame, std::min(motion, maximum_));
    temporal_.push(frame, motion, sink);
  }

 private:
  // Halved planes that are not measured add 0.
  [[nodiscard]] double distance(const FloatMotionRaw& raw) const {
    double sum = 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(planes_); ++p) {
      const float full = raw.full[p] / full_samples_[p];
      const float halved = raw.halved[p] / halved_samples_[p];
      sum += static_cast<double>(full + halved);
    }
    return sum;
  }

  int planes_;
  std::array<float, 3> full_samples_{};
  std::array<float, 3> halved_samples_{};
  double weight_;
  double maximum_;
  motion::TemporalScores temporal_;
};

}  // namespace

int measured_planes(const OptionValues& options) { return options.flag("motion_add_uv") ? 3 : 1; }

int taps_of(const OptionValues& options) {
  const int size = options.integer("motion_filter_size");
  return size == 1 || size == 3 ? size : 5;
}

void check_format(const OptionValues& options, const PictureFormat& format) {
  const auto refuse = [&](const std::string& need) {
    throw Error(
        ErrorCode::unsupported_format,
        fmt::format("extractor float_motion {}, the videos are {}", need, format.describe()));
  };
  if (options.flag("motion_add_uv")) {
    if (format.chroma == ChromaFormat::yuv400) refuse("with motion_add_uv needs chroma planes");
    if (scored_width(format, 1) < kMinimumSide || scored_height(format, 1) < kMinimumSide) {
      refuse(
          fmt::format("with motion_add_uv needs chroma planes of at least {0}x{0}", kMinimumSide));
    }
  }
  if (options.flag("motion_add_scale1") && halved_size(format.width) > kMaxHalvedWidth) {
    refuse(fmt::format("with motion_add_scale1 takes pictures of at most {} columns",
                       2 * kMaxHalvedWidth));
  }
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::float_motion
