// Extractor `motion`: temporal activity of the reference video in fixed point. The distorted video
// is not read.
//
// The sum of absolute differences (SAD) of two reference frames after a low-pass filter, per pixel,
// is the motion score of the later one. motion2 takes the smaller one of a frame's score and a
// neighbour's, so that a scene cut does not count as motion; motion3 is motion2 through a blend
// towards a constant, and optionally a moving average (motion_temporal.hpp).
//
// The filter is linear, so it runs once, on the difference of the frames: no filtered frame is
// kept.
#pragma once

#include <array>
#include <cstdint>

#include "features/feature.hpp"
#include "features/motion/motion_options.hpp"

namespace hipvmaf {

/// What is measured between a frame and the one `distance` before it; 0 for the first `distance`
/// frames of a stream.
struct MotionRaw {
  std::uint64_t
      sad;  ///< Sum of absolute filtered luma differences, in 1/256 of an 8-bit code value.
};

namespace motion {

/// Frames between the two pictures that are compared: 1, or 2 with the five-frame window.
[[nodiscard]] int distance(const OptionValues& options);

/// Earlier frames whose samples are read: the distance, or 0 if motion is forced to zero.
[[nodiscard]] int reach(const OptionValues& options);

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

/// Where an extractor that measures MotionRaw has its figures in Descriptor::features. The score of
/// a frame goes to each of `score`.
struct ScorePlaces {
  std::span<const int> score;
  int motion2;
  int motion3;
};
std::unique_ptr<ScalarStage> make_scores(const OptionValues& options, const PictureFormat& format,
                                         const ScorePlaces& places);

inline constexpr std::array kOptions{
    kForceZero,
    kBlendFactor,
    kBlendOffset,
    kFpsWeight,
    kMaximum,
    flag_option("motion_five_frame_window", "mffw",
                "compare frames two apart, and take the smaller score of the two neighbours"),
    kMovingAverage,
    figures_option("debug", false, "also emit integer_motion, the score before the minimum"),
};

/// Places in kFeatures.
enum Feature { kSad, kMotion, kMotion2, kMotion3 };

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion_sad_score", .alias = {}},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion_score",
                .alias = "integer_motion",
                .condition = [](const OptionValues& options,
                                const PictureFormat&) { return options.flag("debug"); }},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion2_score",
                .alias = "integer_motion2",
                .phase = ColumnPhase::flush},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion3_score",
                .alias = "integer_motion3",
                .phase = ColumnPhase::flush},
};

}  // namespace motion

inline constexpr Descriptor motion_descriptor{
    .name = "motion",
    .summary = "Temporal activity of the reference, from low-passed frame differences",
    .range = "8-bit code values, 0 to motion_max_val",
    .direction = Direction::neither,
    .source =
        "Li et al., Toward a practical perceptual video quality metric, Netflix Technology "
        "Blog, 2016",
    .cost_ms = 3.1,
    .options = motion::kOptions,
    .features = motion::kFeatures,
    .every_frame = true,
    .reach = motion::reach,
    .pictures = [](const OptionValues&) { return kReferenceOnly; },
    .minimum_width = 3,
    .minimum_height = 3,
    .raw_bytes = sizeof(MotionRaw),
    .make_cpu_stage = motion::make_cpu_stage,
    .make_gpu_stage = on_gpu(motion::make_gpu_stage),
    .make_scalar_stage = motion::make_scalar_stage,
};

}  // namespace hipvmaf
