// The decibel form of the SSIM scores: options enable_db and clip_db of the family.
#pragma once

#include <cmath>
#include <limits>

#include <hipvmaf/picture.hpp>

#include "features/options.hpp"

namespace hipvmaf::similarity {

inline constexpr OptionSpec kEnableDb =
    setting_flag("enable_db", "emit the score s as -10 log10(1 - s) decibels");
inline constexpr OptionSpec kClipDb =
    setting_flag("clip_db", "cap the decibels at the PSNR of a squared error of 0.5 per picture");

/// Gives the scores of a plane their final form.
class ScoreScale {
 public:
  ScoreScale(const OptionValues& options, const PictureFormat& format, int plane)
      : in_decibels_(options.flag("enable_db")) {
    if (!options.flag("clip_db")) return;
    const double peak = (1 << format.bit_depth) - 1;
    const double samples =
        static_cast<double>(format.plane_width(plane)) * format.plane_height(plane);
    cap_ = std::ceil(10.0 * std::log10(peak * peak / (0.5 / samples)));
  }

  /// A score of 1 is infinitely many decibels, or the cap. So is, as in libvmaf, NaN and a score
  /// that rounding has lifted above 1.
  [[nodiscard]] double operator()(double score) const {
    if (!in_decibels_) return score;
    const double decibels = -10.0 * std::log10(1.0 - score);
    return decibels < cap_ ? decibels : cap_;
  }

 private:
  bool in_decibels_;
  double cap_ = std::numeric_limits<double>::infinity();
};

}  // namespace hipvmaf::similarity
