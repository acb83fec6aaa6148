// Extractor `float_motion`: temporal activity of the reference video in binary32. The distorted
// video is not read.
//
// Each frame is blurred; the mean absolute difference of two blurred frames is the motion of the
// later one. Options add the same figure of the frames at half their size, and of chroma. motion2
// and motion3 follow from motion as for the fixed-point extractor (motion_temporal.hpp).
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/motion/motion_options.hpp"

namespace hipvmaf {

/// Sums of absolute differences between a frame and the one before it, by plane (Y, Cb, Cr) in
/// 8-bit code values, each sum made row by row in binary32. 0 for what is not measured and for the
/// first frame.
struct FloatMotionRaw {
  std::array<float, 3> full;    ///< Of the blurred planes.
  std::array<float, 3> halved;  ///< Of the blurred planes at half their size.
};

namespace float_motion {

/// Planes measured: 1, or 3 with motion_add_uv.
[[nodiscard]] int measured_planes(const OptionValues& options);

/// Taps of the blur: 1, 3 or 5.
[[nodiscard]] int taps_of(const OptionValues& options);

void check_format(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

inline constexpr int kMinimumSide = 3;  ///< Of every plane measured.

inline constexpr std::array kOptions{
    figures_option("debug", true, "also emit motion, the score before the minimum"),
    motion::kForceZero,
    motion::kFpsWeight,
    motion::kBlendFactor,
    motion::kBlendOffset,
    flag_option("motion_add_scale1", "mdc", "add the motion of the frames at half their size"),
    integer_option("motion_filter_size", "mfs", 5, 0, 9,
                   "taps of the blur: 1 for none, 3, or 5 for any other number"),
    flag_option("motion_add_uv", "mau", "add the motion of Cb and Cr"),
    motion::kMaximum,
};

inline bool emits_motion(const OptionValues& options, const PictureFormat&) {
  return options.flag("debug");
}
// Without motion, motion3 of the first frame need not wait for the second one.
inline ColumnPhase motion3_phase(const OptionValues& options) {
  return options.flag("motion_force_zero") ? ColumnPhase::first_frame : ColumnPhase::second_frame;
}

/// Places in kFeatures.
enum Feature { kMotion2, kMotion3, kMotion };

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "VMAF_feature_motion2_score", .alias = "motion2"},
    FeatureSpec{.internal_name = "VMAF_feature_motion3_score",
                .alias = "motion3",
                .phase_under = motion3_phase},
    FeatureSpec{
        .internal_name = "VMAF_feature_motion_score", .alias = "motion", .condition = emits_motion},
};

}  // namespace float_motion

inline constexpr Descriptor float_motion_descriptor{
    .name = "float_motion",
    .summary = "Temporal activity of the reference, from blurred frames in floating point",
    .range = "8-bit code values, 0 to motion_max_val",
    .direction = Direction::neither,
    .source =
        "Li et al., Toward a practical perceptual video quality metric, Netflix Technology "
        "Blog, 2016",
    .cost_ms = 2.4,
    .options = float_motion::kOptions,
    .features = float_motion::kFeatures,
    .every_frame = true,
    .reach = [](const OptionValues& options) { return options.flag("motion_force_zero") ? 0 : 1; },
    .planes =
        [](const OptionValues& options) {
          return options.flag("motion_add_uv") ? PlaneUse::all : PlaneUse::luma;
        },
    .pictures = [](const OptionValues&) { return kReferenceOnly; },
    .minimum_width = float_motion::kMinimumSide,
    .minimum_height = float_motion::kMinimumSide,
    .check_format = float_motion::check_format,
    .raw_bytes = sizeof(FloatMotionRaw),
    .make_cpu_stage = float_motion::make_cpu_stage,
    .make_gpu_stage = on_gpu(float_motion::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = float_motion::make_scalar_stage,
};

}  // namespace hipvmaf
