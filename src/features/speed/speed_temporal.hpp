// Extractor `speed_temporal`: SpEED (speed.hpp) of what luma has lost since the frame before, which
// for the first frame is 0.
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/speed/speed.hpp"

namespace hipvmaf {

struct SpeedTemporalRaw {
  speed::PlaneScore luma;

  bool operator==(const SpeedTemporalRaw&) const = default;
};

namespace speed_temporal {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

inline constexpr std::array kOptions{
    speed::kKernelScaleOption,
    speed::kPrescaleOption,
    speed::kPrescaleMethodOption,
    speed::kNeuralNoiseOption,
    speed::kNoiseFloorOption,
    real_option("speed_max_val", "mxv", speed::kHighestScore, 0, speed::kHighestScore,
                "part of the feature's name only, as in libvmaf: scores are not limited"),
    flag_option("speed_use_ref_diff", "urd",
                "subtract the current reference, not the current distorted frame, from the "
                "distorted frame before"),
};

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "Speed_temporal_feature_speed_temporal_score",
                .alias = "speed_temporal"},
};

}  // namespace speed_temporal

inline constexpr Descriptor speed_temporal_descriptor{
    .name = "speed_temporal",
    .summary =
        "Temporal efficient entropic differencing (SpEED): how far the entropies of 5x5 blocks of "
        "decimated luma frame differences are apart",
    .range = "bits, 0 (alike) and up",
    .direction = Direction::lower_is_better,
    .source =
        "C. G. Bampis, P. Gupta, R. Soundararajan and A. C. Bovik, SpEED-QA: Spatial Efficient "
        "Entropic Differencing for Image and Video Quality, IEEE Signal Processing Letters 24(9), "
        "2017",
    .cost_ms = 3.8,
    .options = speed_temporal::kOptions,
    .features = speed_temporal::kFeatures,
    .every_frame = true,
    .reach = [](const OptionValues&) { return 1; },
    .minimum_width = speed::kSmallestScaledSide,
    .minimum_height = speed::kSmallestScaledSide,
    .minimum_from_options = true,
    .check_options =
        [](const OptionValues& options) { speed::check_options("speed_temporal", options); },
    .check_format =
        [](const OptionValues& options, const PictureFormat& format) {
          speed::check_plane_size("speed_temporal", options, format, 0);
        },
    .raw_bytes = sizeof(SpeedTemporalRaw),
    .make_cpu_stage = speed_temporal::make_cpu_stage,
    .make_gpu_stage = on_gpu(speed_temporal::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = speed_temporal::make_scalar_stage,
};

}  // namespace hipvmaf
