// Which steps of level are visible on a display, by its transfer function. Levels are 10-bit codes
// in limited range, 64 (black) to 940 (white).
#pragma once

#include <cstdint>
#include <vector>

namespace hipvmaf::cambi {

enum class Eotf { bt1886, pq };

/// Luminance in cd/m2 at a level; levels beyond black and white count as those.
[[nodiscard]] double luminance(Eotf eotf, int level);

/// The highest level at which a step of d up is visible, for d = 1 .. steps (at place d - 1): one
/// that raises the luminance by more than `threshold` times itself. 0 if it is visible nowhere,
/// 1023 if everywhere. Never decreases with d.
[[nodiscard]] std::vector<int> highest_visible_levels(Eotf eotf, double threshold, int steps);

/// The lowest level of at least that luminance; 0 if black has it.
[[nodiscard]] int lowest_bright_level(Eotf eotf, double threshold);

/// The steps that count, by level.
struct VisibleSteps {
  int steps = 0;        ///< Largest step examined.
  int first_level = 0;  ///< Level of index 0 below; may be negative.
  /// Levels that can matter to any contrast are first_level and up; 0 if there are none.
  int level_count = 0;
  /// By level - first_level: the steps from this one to `steps` count; steps + 1 if none does. For
  /// every level and step that count, level - step and level + step are indices too.
  std::vector<std::uint8_t> first_step;
};

[[nodiscard]] VisibleSteps visible_steps(Eotf eotf, double visibility_threshold,
                                         double luminance_threshold, int steps);

}  // namespace hipvmaf::cambi
