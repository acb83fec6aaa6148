#include "features/motion/motion_temporal.hpp"

#include <algorithm>
#include <limits>

namespace hipvmaf::motion {

TemporalScores::TemporalScores(const TemporalRules& rules, int motion2, int motion3)
    : rules_(rules), motion2_(motion2), motion3_(motion3) {
  recent_.fill(std::numeric_limits<double>::infinity());
}

void TemporalScores::push(std::int64_t frame, double motion, ScoreSink& sink) {
  frames_ = frame + 1;
  if (frame < rules_.distance) {
    sink.emit(motion2_, frame, 0);
    return;
  }
  if (frame == rules_.distance) {
    last_blended_ = blend(motion);
    for (std::int64_t first = 0; first < frame; ++first) sink.emit(motion3_, first, last_blended_);
  } else {
    const double before = recent_[static_cast<std::size_t>(rules_.distance - 1)];
    settle(frame - 1, std::min(before, motion), sink);
  }
  recent_ = {motion, recent_[0]};
}

void TemporalScores::finish(ScoreSink& sink) {
  if (frames_ > rules_.distance) {
    settle(frames_ - 1, recent_[0], sink);
  } else {
    for (std::int64_t frame = 0; frame < frames_; ++frame) sink.emit(motion3_, frame, 0);
  }
}

double TemporalScores::blend(double motion) const {
  const double blended = motion * rules_.blend_factor +
                         (1.0 - rules_.blend_factor) * std::min(rules_.blend_offset, motion);
  return std::min(blended, rules_.maximum);
}

void TemporalScores::settle(std::int64_t frame, double minimum, ScoreSink& sink) {
  sink.emit(motion2_, frame, std::min(minimum, rules_.maximum));
  const double blended = blend(minimum);
  sink.emit(motion3_, frame, rules_.moving_average ? (blended + last_blended_) / 2.0 : blended);
  last_blended_ = blended;
}

}  // namespace hipvmaf::motion
