// Extractor `float_ssim`: structural similarity of luma with an 11-tap Gaussian window, measured on
// pictures scaled down to a height or width of about 256, as the authors of SSIM recommend.
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/ssim/decibels.hpp"
#include "features/ssim/similarity.hpp"

namespace hipvmaf {

struct FloatSsimRaw {
  SimilaritySums sums;

  bool operator==(const FloatSsimRaw&) const = default;
};

namespace float_ssim {

/// Size of the pictures that are measured, and how many columns and rows of the original become one
/// of theirs.
struct Decimation {
  int factor;
  int width;
  int height;
};
[[nodiscard]] Decimation decimation_of(const OptionValues& options, const PictureFormat& format);

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);
void check_format(const OptionValues& options, const PictureFormat& format);

inline constexpr std::array kOptions{
    figures_option("enable_lcs", false,
                   "also emit the means of luminance, contrast and structure similarity"),
    similarity::kEnableDb,
    similarity::kClipDb,
    integer_option("scale", "", 0, 0, 10,
                   "scale the pictures down by this factor; 0: by the shorter side / 256, rounded"),
};

inline bool emits_lcs(const OptionValues& options, const PictureFormat&) {
  return options.flag("enable_lcs");
}

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "float_ssim", .alias = {}},
    FeatureSpec{
        .internal_name = "float_ssim_l", .alias = {}, .provided = false, .condition = emits_lcs},
    FeatureSpec{
        .internal_name = "float_ssim_c", .alias = {}, .provided = false, .condition = emits_lcs},
    FeatureSpec{
        .internal_name = "float_ssim_s", .alias = {}, .provided = false, .condition = emits_lcs},
};

}  // namespace float_ssim

inline constexpr Descriptor float_ssim_descriptor{
    .name = "float_ssim",
    .summary = "Structural similarity of luma, on pictures scaled down to about 256 lines",
    .range = "-1 to 1; with enable_db dB, up to infinity or the cap",
    .direction = Direction::higher_is_better,
    .source =
        "Z. Wang, A. C. Bovik, H. R. Sheikh and E. P. Simoncelli, Image quality assessment: from "
        "error visibility to structural similarity, IEEE Trans. Image Processing 13(4), 2004",
    .cost_ms = 5,
    .options = float_ssim::kOptions,
    .features = float_ssim::kFeatures,
    .minimum_width = similarity::kWindow,
    .minimum_height = similarity::kWindow,
    .check_format = float_ssim::check_format,
    .raw_bytes = sizeof(FloatSsimRaw),
    .make_cpu_stage = float_ssim::make_cpu_stage,
    .make_gpu_stage = on_gpu(float_ssim::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = float_ssim::make_scalar_stage,
};

}  // namespace hipvmaf
