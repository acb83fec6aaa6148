// Extractor `ssim`: structural similarity of luma at full size, from integer moments.
//
// Means, variances and the covariance around every pixel come from exact integer sums over a 9-tap
// Gaussian window; windows at the border count by the weight that is inside the picture. The score
// is the weighted mean of the similarity of all pixels.
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/ssim/decibels.hpp"

namespace hipvmaf {

struct SsimRaw {
  /// Sum of the weighted similarities, added from 0 in raster order.
  double weighted_similarity = 0;

  bool operator==(const SsimRaw&) const = default;
};

namespace ssim {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

inline constexpr std::array kOptions{similarity::kEnableDb, similarity::kClipDb};

inline constexpr std::array kFeatures{FeatureSpec{.internal_name = "ssim", .alias = {}}};

}  // namespace ssim

inline constexpr Descriptor ssim_descriptor{
    .name = "ssim",
    .summary = "Structural similarity of luma at full size, from integer moments",
    .range = "-1 to 1; with enable_db dB, up to infinity or the cap",
    .direction = Direction::higher_is_better,
    .source =
        "Z. Wang, A. C. Bovik, H. R. Sheikh and E. P. Simoncelli, Image quality assessment: from "
        "error visibility to structural similarity, IEEE Trans. Image Processing 13(4), 2004; with "
        "the window of the Daala tools",
    .cost_ms = 21,
    .options = ssim::kOptions,
    .features = ssim::kFeatures,
    .raw_bytes = sizeof(SsimRaw),
    .make_cpu_stage = ssim::make_cpu_stage,
    .make_gpu_stage = on_gpu(ssim::make_gpu_stage),
    .make_scalar_stage = ssim::make_scalar_stage,
};

}  // namespace hipvmaf
