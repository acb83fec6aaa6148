// Rows of the option tables that the motion extractors share.
#pragma once

#include "features/options.hpp"

namespace hipvmaf::motion {

inline constexpr double kHighestScore = 10000;

inline constexpr OptionSpec kForceZero =
    flag_option("motion_force_zero", "force_0", "read no sample; every score is 0");
inline constexpr OptionSpec kBlendFactor =
    real_option("motion_blend_factor", "mbf", 1, 0, 1,
                "share of motion2 in motion3; the rest is the smaller one of motion2 and "
                "motion_blend_offset");
inline constexpr OptionSpec kBlendOffset = real_option(
    "motion_blend_offset", "mbo", 40, 0, 1000, "what motion3 blends scores above it towards");
inline constexpr OptionSpec kFpsWeight = real_option(
    "motion_fps_weight", "mfw", 1, 0, 5, "factor on all scores, to even out frame rates");
inline constexpr OptionSpec kMaximum = real_option("motion_max_val", "mmxv", kHighestScore, 0,
                                                   kHighestScore, "upper limit of all scores");
inline constexpr OptionSpec kMovingAverage =
    flag_option("motion_moving_average", "mma", "average motion3 with that of the frame before");

}  // namespace hipvmaf::motion
