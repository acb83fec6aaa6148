#include <algorithm>

#include "features/motion/motion.hpp"
#include "features/motion/motion_temporal.hpp"

namespace hipvmaf::motion {
namespace {

constexpr std::array<int, 2> kScorePlaces{kSad, kMotion};

class Scores final : public ScalarStageOf<MotionRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format, const ScorePlaces& places)
      : places_(places),
        distance_(distance(options)),
        samples_(static_cast<double>(format.width) * static_cast<double>(format.height)),
        weight_(options.real("motion_fps_weight")),
        maximum_(options.real("motion_max_val")),
        temporal_({.distance = distance_,
                   .moving_average = options.flag("motion_moving_average"),
                   .blend_factor = options.real("motion_blend_factor"),
                   .blend_offset = options.real("motion_blend_offset"),
                   .maximum = maximum_},
                  places.motion2, places.motion3) {}

  void finish(ScoreSink& sink) override { temporal_.finish(sink); }

 protected:
  void push(std::int64_t frame, const MotionRaw& raw, ScoreSink& sink) override {
    const double score = frame < distance_ ? 0.0 : score_of(raw.sad);
    for (const int place : places_.score) sink.emit(place, frame, score);
    temporal_.push(frame, score, sink);
  }

 private:
  [[nodiscard]] double score_of(std::uint64_t sad) const {
    return std::min(static_cast<double>(sad) / 256.0 / samples_ * weight_, maximum_);
  }

  ScorePlaces places_;
  int distance_;
  double samples_;
  double weight_;
  double maximum_;
  TemporalScores temporal_;
};

}  // namespace

int distance(const OptionValues& options) {
  return options.flag("motion_five_frame_window") ? 2 : 1;
}

int reach(const OptionValues& options) {
  return options.flag("motion_force_zero") ? 0 : distance(options);
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return make_scores(options, format,
                     {.score = kScorePlaces, .motion2 = kMotion2, .motion3 = kMotion3});
}

std::unique_ptr<ScalarStage> make_scores(const OptionValues& options, const PictureFormat& format,
                                         const ScorePlaces& places) {
  return std::make_unique<Scores>(options, format, places);
}

}  // namespace hipvmaf::motion
