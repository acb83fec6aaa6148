// Extractor `ssimulacra2`: SSIMULACRA 2.1, a perceptual score of compression artefacts.
//
// Both pictures are turned into linear light and, at six scales, into the XYB colour space. Per
// scale and channel three error maps are made from Gaussian-blurred planes: loss of structure,
// ringing and blurring. Their means and fourth-power means, weighted, summed and bent by a cubic
// and a power, give the score.
//
// The input is Y'CbCr, taken as sRGB-coded R'G'B' through a matrix; a luma sample takes the chroma
// sample that covers it, without interpolation.
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/ssimulacra2/ssimulacra2_math.hpp"

namespace hipvmaf {

/// Sums of the error maps of one channel of one scale: loss of structure, ringing, blurring. Errors
/// without a weight in the score (ssimulacra2::needs_of) stay 0, as do scales that are too small.
///
/// Pixels are added in row-major order, into one double each.
struct Ssimulacra2Sums {
  std::array<double, 3> error;
  std::array<double, 3> fourth_power;

  bool operator==(const Ssimulacra2Sums&) const = default;
};

/// By channel (X, Y, B) and scale.
struct Ssimulacra2Raw {
  std::array<std::array<Ssimulacra2Sums, ssimulacra2::kScales>, ssimulacra2::kChannels> sums;

  bool operator==(const Ssimulacra2Raw&) const = default;
};

namespace ssimulacra2 {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);

inline constexpr std::array kOptions{
    integer_option("yuv_matrix", "", 0, 0, 3,
                   "colour matrix and range: 0 BT.709 limited, 1 BT.601 limited, 2 BT.709 full, 3 "
                   "BT.601 full"),
};

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "ssimulacra2", .alias = {}},
};

}  // namespace ssimulacra2

inline constexpr Descriptor ssimulacra2_descriptor{
    .name = "ssimulacra2",
    .summary = "SSIMULACRA 2.1: multiscale structure, ringing and blurring in the XYB colour space",
    .range =
        "100 (identical) down; 90 very high, 70 high, 50 medium, 30 low quality, no lower limit",
    .direction = Direction::higher_is_better,
    .source =
        "J. Sneyers (Cloudinary), SSIMULACRA 2.1, 2023; blur of Charalampidis, Recursive "
        "Implementation of the Gaussian Filter Using Truncated Cosine Functions, IEEE TSP 64, "
        "2016",
    .cost_ms = 150,
    .options = ssimulacra2::kOptions,
    .features = ssimulacra2::kFeatures,
    .planes = [](const OptionValues&) { return PlaneUse::all; },
    .minimum_width = ssimulacra2::kSmallestSide,
    .minimum_height = ssimulacra2::kSmallestSide,
    .needs_chroma = true,
    .raw_bytes = sizeof(Ssimulacra2Raw),
    .make_cpu_stage = ssimulacra2::make_cpu_stage,
    .make_gpu_stage = on_gpu(ssimulacra2::make_gpu_stage),
    .gpu_tolerance = 1e-6,
    .make_scalar_stage = ssimulacra2::make_scalar_stage,
};

}  // namespace hipvmaf
