#include <algorithm>

#include "features/motion/motion.hpp"
#include "features/motion/motion_temporal.hpp"

namespace hipvmaf::motion {
namespace {

TemporalRules rules_of(const OptionValues& options) {
  return {.distance = distance(options),
          .moving_average = options.flag("motion_moving_average"),
          .blend_factor = options.real("motion_blend_factor"),
          .blend_offset = options.real("motion_blend_offset"),
          .maximum = options.real("motion_max_val")};
}

class Scores final : public ScalarStageOf<MotionRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : distance_(distance(options)),
        samples_(static_cast<double>(format.width) * static_cast<double>(format.height)),
        weight_(options.real("motion_fps_weight")),
        maximum_(options.real("motion_max_val")),
        temporal_(rules_of(options), kMotion2, kMotion3) {}

  void finish(ScoreSink& sink) override { temporal_.finish(sink); }

 protected:
  void push(std::int64_t frame, const MotionRaw& raw, ScoreSink& sink) override {
    const double score = frame < distance_ ? 0.0 : score_of(raw.sad);
    sink.emit(kSad, frame, score);
    sink.emit(kMotion, frame, score);
    temporal_.push(frame, score, sink);
  }

 private:
  [[nodiscard]] double score_of(std::uint64_t sad) const {
    return std::min(static_cast<double>(sad) / 256.0 / samples_ * weight_, maximum_);
  }

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
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::motion
