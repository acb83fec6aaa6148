#include "features/cambi/cambi_visibility.hpp"

#include <algorithm>
#include <cmath>

namespace hipvmaf::cambi {
namespace {

constexpr int kBlack = 64;
constexpr int kWhite = 940;
constexpr int kVisibleNowhere = 0;
constexpr int kVisibleEverywhere = 1023;

// ITU-R BT.1886 with a white of 300 and a black of 0.01 cd/m2.
double bt1886_luminance(double signal) {
  constexpr double gamma = 2.4;
  const double white_root = std::pow(300.0, 1.0 / gamma);
  const double black_root = std::pow(0.01, 1.0 / gamma);
  const double span = white_root - black_root;
  return std::pow(span, gamma) * std::pow(std::max(signal + black_root / span, 0.0), gamma);
}

// SMPTE ST 2084.
double pq_luminance(double signal) {
  constexpr double m1 = 0.1593017578125;
  constexpr double m2 = 78.84375;
  constexpr double c1 = 0.8359375;
  constexpr double c2 = 18.8515625;
  constexpr double c3 = 18.6875;
  const double root = std::pow(signal, 1.0 / m2);
  return 10000.0 * std::pow(std::max(root - c1, 0.0) / (c2 - c3 * root), 1.0 / m1);
}

class Contrast {
 public:
  Contrast(Eotf eotf, double threshold) : eotf_(eotf), threshold_(threshold) {}

  [[nodiscard]] bool is_visible(int level, int step) const {
    const double here = luminance(eotf_, level);
    return luminance(eotf_, level + step) - here > threshold_ * here;
  }

  [[nodiscard]] bool is_last_visible(int level, int step) const {
    return is_visible(level, step) && !is_visible(level + 1, step);
  }

 private:
  Eotf eotf_;
  double threshold_;
};

int highest_visible_level(const Contrast& contrast, int step) {
  int low = kBlack;
  int high = kWhite - step - 1;
  if (!contrast.is_visible(low, step)) return kVisibleNowhere;
  if (contrast.is_last_visible(low, step)) return low;
  if (contrast.is_last_visible(high, step)) return high;
  if (contrast.is_visible(high, step)) return kVisibleEverywhere;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (contrast.is_last_visible(middle, step)) return middle;
    (contrast.is_visible(middle, step) ? low : high) = middle;
  }
  return low;
}

}  // namespace

double luminance(Eotf eotf, int level) {
  const double signal =
      static_cast<double>(std::clamp(level, kBlack, kWhite) - kBlack) / (kWhite - kBlack);
  return eotf == Eotf::pq ? pq_luminance(signal) : bt1886_luminance(signal);
}

std::vector<int> highest_visible_levels(Eotf eotf, double threshold, int steps) {
  const Contrast contrast(eotf, threshold);
  std::vector<int> levels;
  for (int step = 1; step <= steps; ++step) {
    levels.push_back(highest_visible_level(contrast, step));
  }
  return levels;
}

int lowest_bright_level(Eotf eotf, double threshold) {
  int level = kBlack;
  // White bounds the search: rounding may leave it just below its nominal luminance.
  while (level < kWhite && luminance(eotf, level) < threshold) ++level;
  return level == kBlack ? 0 : level;
}

VisibleSteps visible_steps(Eotf eotf, double visibility_threshold, double luminance_threshold,
                           int steps) {
  const std::vector<int> highest = highest_visible_levels(eotf, visibility_threshold, steps);
  const int bright = lowest_bright_level(eotf, luminance_threshold);
  VisibleSteps visible;
  visible.steps = steps;
  // A step counts only where level + steps + step > bright, by the definition of the metric, and
  // looks `step` levels down and up.
  visible.first_level = bright - 3 * steps + 1;
  visible.level_count = std::max(0, highest.back() + steps - visible.first_level + 1);
  for (int i = 0; i < visible.level_count; ++i) {
    const int level = visible.first_level + i;
    int first = std::max(1, bright - level - steps + 1);
    while (first <= steps && level > highest[static_cast<std::size_t>(first - 1)]) ++first;
    visible.first_step.push_back(static_cast<std::uint8_t>(std::min(first, steps + 1)));
  }
  return visible;
}

}  // namespace hipvmaf::cambi
