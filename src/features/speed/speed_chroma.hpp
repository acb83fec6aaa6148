// Extractor `speed_chroma`: SpEED (speed.hpp) of the planes Cb and Cr, and their mean.
//
// A plane that is flat in either picture says nothing: it scores 0, and the mean is then the other
// plane's score.
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/speed/speed.hpp"

namespace hipvmaf {

/// Of Cb and Cr.
struct SpeedChromaRaw {
  std::array<speed::PlaneScore, 2> planes;

  bool operator==(const SpeedChromaRaw&) const = default;
};

namespace speed_chroma {

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
                "upper limit of all scores"),
    integer_option("speed_weight_var_mode", "wvm", 0, 0, 6,
                   "block variances that weight the entropies of reference and distorted, r and d: "
                   "0: r, d; 1: r, r; 2: d, d; 3: mean, mean; 4: r, mean; 5: r, 3/4 r + 1/4 d; "
                   "6: r, 1/4 r + 3/4 d"),
};

/// Places in kFeatures.
enum Feature { kCb, kCr, kMean };

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "Speed_chroma_feature_speed_chroma_u_score",
                .alias = "speed_chroma_u"},
    FeatureSpec{.internal_name = "Speed_chroma_feature_speed_chroma_v_score",
                .alias = "speed_chroma_v"},
    FeatureSpec{.internal_name = "Speed_chroma_feature_speed_chroma_uv_score",
                .alias = "speed_chroma_uv"},
};

}  // namespace speed_chroma

inline constexpr Descriptor speed_chroma_descriptor{
    .name = "speed_chroma",
    .summary =
        "Spatial efficient entropic differencing (SpEED): how far the entropies of 5x5 blocks of "
        "decimated Cb and Cr are apart",
    .range = "bits, 0 (alike) to speed_max_val",
    .direction = Direction::lower_is_better,
    .source =
        "C. G. Bampis, P. Gupta, R. Soundararajan and A. C. Bovik, SpEED-QA: Spatial Efficient "
        "Entropic Differencing for Image and Video Quality, IEEE Signal Processing Letters 24(9), "
        "2017",
    .cost_ms = 2.2,
    .options = speed_chroma::kOptions,
    .features = speed_chroma::kFeatures,
    .planes = [](const OptionValues&) { return PlaneUse::all; },
    .minimum_width = speed::kSmallestScaledSide,
    .minimum_height = speed::kSmallestScaledSide,
    .minimum_from_options = true,
    .needs_chroma = true,
    .check_options =
        [](const OptionValues& options) { speed::check_options("speed_chroma", options); },
    .check_format =
        [](const OptionValues& options, const PictureFormat& format) {
          speed::check_plane_size("speed_chroma", options, format, 1);
        },
    .raw_bytes = sizeof(SpeedChromaRaw),
    .make_cpu_stage = speed_chroma::make_cpu_stage,
    .make_gpu_stage = on_gpu(speed_chroma::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = speed_chroma::make_scalar_stage,
};

}  // namespace hipvmaf
