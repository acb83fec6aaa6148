// The temporal rules that the motion extractors share: how the motion of each frame against an
// earlier one becomes motion2 (a minimum over neighbours) and motion3 (blended, averaged).
#pragma once

#include <array>
#include <cstdint>

#include "features/feature.hpp"

namespace hipvmaf::motion {

/// Frames apart that pictures are compared at most.
inline constexpr int kMaxDistance = 2;

struct TemporalRules {
  int distance = 1;  ///< Frames between compared pictures, 1..kMaxDistance.
  bool moving_average = false;
  double blend_factor = 1;
  double blend_offset = 0;
  double maximum = 0;  ///< Upper limit of motion2 and motion3.
};

/// Emits motion2 and motion3 of each frame as soon as they are final: one frame late, since the
/// next frame takes part in the minimum.
///
/// With s_i the motion of frame i against frame i - d, motion2 of frame i is min(s_i, s_{i+1}) for
/// d = 1 and min(s_{i-1}, s_{i+1}) for d = 2 (without s_{i-1} if it is undefined), and s_i for the
/// last frame. The first d frames have no s: their motion2 is 0, their motion3 that of s_d alone.
class TemporalScores {
 public:
  /// `motion2` and `motion3` are the figures' places in Descriptor::features.
  TemporalScores(const TemporalRules& rules, int motion2, int motion3);

  /// Frames come in order from 0. `motion` is ignored for the first `distance` ones.
  void push(std::int64_t frame, double motion, ScoreSink& sink);
  /// The stream has ended.
  void finish(ScoreSink& sink);

 private:
  [[nodiscard]] double blend(double motion) const;
  void settle(std::int64_t frame, double minimum, ScoreSink& sink);

  TemporalRules rules_;
  int motion2_;
  int motion3_;
  std::int64_t frames_ = 0;
  /// Motion of the last frames, newest first; infinite (neutral in a minimum) where undefined.
  std::array<double, kMaxDistance> recent_;
  double last_blended_ = 0;  ///< Of the last settled frame, before averaging.
};

}  // namespace hipvmaf::motion
