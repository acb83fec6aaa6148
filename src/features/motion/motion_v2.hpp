// Extractor `motion_v2`: the scores of `motion` under the names that VMAFx gives them. Frames are
// always compared with the one right before, so there is no five-frame window.
#pragma once

#include <array>

#include "features/motion/motion.hpp"

namespace hipvmaf {

namespace motion_v2 {

void check_options(const OptionValues& options);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

inline constexpr std::array kOptions{
    motion::kForceZero,
    motion::kBlendFactor,
    motion::kBlendOffset,
    motion::kFpsWeight,
    motion::kMaximum,
    flag_option("motion_five_frame_window", "mffw", "not supported: false is the only value"),
    motion::kMovingAverage,
};

/// Places in kFeatures.
enum Feature { kSad, kMotion2, kMotion3 };

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion_v2_sad_score", .alias = {}},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion2_v2_score",
                .alias = {},
                .phase = ColumnPhase::flush},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion3_v2_score",
                .alias = {},
                .phase = ColumnPhase::flush},
};

}  // namespace motion_v2

inline constexpr Descriptor motion_v2_descriptor{
    .name = "motion_v2",
    .summary = "Temporal activity of the reference: the scores of motion under VMAFx's names",
    .range = motion_descriptor.range,
    .direction = motion_descriptor.direction,
    .source = motion_descriptor.source,
    .cost_ms = 3.1,
    .options = motion_v2::kOptions,
    .features = motion_v2::kFeatures,
    .every_frame = true,
    .reach = motion::reach,
    .pictures = motion_descriptor.pictures,
    .minimum_width = motion_descriptor.minimum_width,
    .minimum_height = motion_descriptor.minimum_height,
    .check_options = motion_v2::check_options,
    .raw_bytes = sizeof(MotionRaw),
    .make_cpu_stage = motion::make_cpu_stage,
    .make_gpu_stage = on_gpu(motion::make_gpu_stage),
    .make_scalar_stage = motion_v2::make_scalar_stage,
};

}  // namespace hipvmaf
