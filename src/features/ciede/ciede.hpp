// Extractor `ciede`: mean CIEDE2000 colour difference of all pixels, on a logarithmic scale.
//
// Each pixel of luma size takes the chroma sample it lies under, is converted to L*a*b* as limited
// range with a BT.709-like matrix, and compared with its counterpart. All stored chroma samples
// count, the last column and row of odd sizes too.
#pragma once

#include <array>

#include "features/feature.hpp"

namespace hipvmaf {

struct CiedeRaw {
  double sum;  ///< Of the pixels' differences, added row by row.
};

namespace ciede {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "ciede2000", .alias = {}},
};

}  // namespace ciede

inline constexpr Descriptor ciede_descriptor{
    .name = "ciede",
    .summary = "CIEDE2000 colour difference, mean of all pixels on a logarithmic scale",
    .range = "45 - 20 log10(mean difference), infinite for equal pictures",
    .direction = Direction::higher_is_better,
    .source =
        "Sharma, Wu, Dalal, The CIEDE2000 color-difference formula, Color Res. Appl. 30, 2005; "
        "weights and scale of Yang, Ming, Yu, Color image quality assessment based on CIEDE2000, "
        "Advances in Multimedia, 2012",
    .cost_ms = 390,
    .options = {},
    .features = ciede::kFeatures,
    .planes = [](const OptionValues&) { return PlaneUse::all; },
    .needs_chroma = true,
    .raw_bytes = sizeof(CiedeRaw),
    .make_cpu_stage = ciede::make_cpu_stage,
    .make_gpu_stage = on_gpu(ciede::make_gpu_stage),
    .gpu_tolerance = 1e-6,
    .make_scalar_stage = ciede::make_scalar_stage,
};

}  // namespace hipvmaf
