// What the options mean for pictures of a given format. Sizes that are not given follow the
// picture; feature names come from the options alone and never show them.
#pragma once

#include <cstddef>

#include <hipvmaf/picture.hpp>

#include "features/cambi/cambi_visibility.hpp"
#include "features/options.hpp"

namespace hipvmaf::cambi {

struct Size {
  int width = 0;
  int height = 0;

  bool operator==(const Size&) const = default;
};

/// How one of the two pictures is measured.
struct Analysis {
  Size size;       ///< The picture is brought to this size first.
  int radius = 0;  ///< Windows reach so many pixels to each side, at every scale.
};

struct Settings {
  Analysis distorted;
  Analysis reference;
  bool smooths_dither = false;
  bool starts_at_half_size = false;
  int steps = 0;  ///< Contrast steps examined, 1 .. kMostSteps.
  double pooled_share = 0;
  Eotf eotf = Eotf::bt1886;
  double visibility_threshold = 0;
  double luminance_threshold = 0;
};

[[nodiscard]] Settings effective_settings(const OptionValues& options, const PictureFormat& format);

/// Side of the window of an analysis, in pixels; odd.
[[nodiscard]] constexpr int window_side(int radius) { return 2 * radius + 1; }

/// Size of the picture at a scale, of which the first is the analysis size or half of it.
[[nodiscard]] Size size_at_scale(Size analysed, bool starts_at_half_size, int scale);

/// How many of the contrasts of a picture are averaged: at least 1, at most all.
[[nodiscard]] std::size_t pooled_count(double share, Size size);

}  // namespace hipvmaf::cambi
