// Extractor `psnr_hvs`: PSNR of what an observer sees, in the domain of an 8x8 DCT.
//
// Both pictures are cut into blocks of 8x8, seven samples apart, and transformed with an integer
// DCT. The differences of the coefficients are weighted by the sensitivity of the eye to their
// frequency, after the part that the block's own texture masks has been taken off. The weighted
// squares of all coefficients of all blocks of a plane are added up one by one, in binary32, into
// one sum: blocks from the left, then from the top, coefficients of a block in raster order (rows
// of one vertical frequency). That order is part of the figure.
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/psnr_hvs/psnr_hvs_math.hpp"

namespace hipvmaf {

/// Running binary32 sums of the squared visible errors of Y, Cb and Cr; planes that are not
/// measured stay 0.
struct PsnrHvsRaw {
  std::array<float, 3> error;

  bool operator==(const PsnrHvsRaw&) const = default;
};

namespace psnr_hvs {

/// Planes measured: 1 or 3.
[[nodiscard]] int measured_planes(const OptionValues& options);

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);
void check_format(const OptionValues& options, const PictureFormat& format);

inline constexpr std::array kOptions{
    figures_option("enable_chroma", true,
                   "also measure Cb and Cr; without them psnr_hvs is psnr_hvs_y"),
};

inline bool measures_chroma(const OptionValues& options, const PictureFormat&) {
  return options.flag("enable_chroma");
}

/// Place of the weighted mean of the planes in kFeatures; those of the planes come before it.
inline constexpr int kMeanFeature = 3;

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "psnr_hvs_y", .alias = {}},
    FeatureSpec{.internal_name = "psnr_hvs_cb", .alias = {}, .condition = measures_chroma},
    FeatureSpec{.internal_name = "psnr_hvs_cr", .alias = {}, .condition = measures_chroma},
    FeatureSpec{.internal_name = "psnr_hvs", .alias = {}},
};

}  // namespace psnr_hvs

inline constexpr Descriptor psnr_hvs_descriptor{
    .name = "psnr_hvs",
    .summary = "PSNR in the DCT domain with contrast sensitivity and contrast masking (PSNR-HVS-M)",
    .range = "dB, no limits; infinite for identical pictures",
    .direction = Direction::higher_is_better,
    .source =
        "Ponomarenko et al., On between-coefficient contrast masking of DCT basis functions, "
        "VPQM 2007; DCT and weights of the Xiph Daala tools",
    .cost_ms = 34,
    .options = psnr_hvs::kOptions,
    .features = psnr_hvs::kFeatures,
    .planes =
        [](const OptionValues& options) {
          return options.flag("enable_chroma") ? PlaneUse::all : PlaneUse::luma;
        },
    .minimum_width = psnr_hvs::kBlockSide,
    .minimum_height = psnr_hvs::kBlockSide,
    .needs_chroma = true,
    .maximum_bit_depth = 12,
    .check_format = psnr_hvs::check_format,
    .raw_bytes = sizeof(PsnrHvsRaw),
    .make_cpu_stage = psnr_hvs::make_cpu_stage,
    .make_gpu_stage = on_gpu(psnr_hvs::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = psnr_hvs::make_scalar_stage,
};

}  // namespace hipvmaf
