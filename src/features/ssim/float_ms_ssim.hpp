// Extractor `float_ms_ssim`: multi-scale structural similarity. Contrast and structure are measured
// on five scales, each the low-passed previous one at half its size, luminance on the last; the
// score is the product of powers of their means.
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/ssim/decibels.hpp"
#include "features/ssim/float_ms_ssim_math.hpp"
#include "features/ssim/similarity.hpp"

namespace hipvmaf {

/// Sums of each scale of Y, Cb and Cr; planes that are not measured stay 0.
struct FloatMsSsimRaw {
  std::array<std::array<SimilaritySums, float_ms_ssim::kScales>, 3> sums;

  bool operator==(const FloatMsSsimRaw&) const = default;
};

namespace float_ms_ssim {

[[nodiscard]] bool measures_chroma(const OptionValues& options, const PictureFormat& format);

/// Planes measured: 1 or 3.
[[nodiscard]] int measured_planes(const OptionValues& options, const PictureFormat& format);

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);
void check_format(const OptionValues& options, const PictureFormat& format);

inline constexpr std::array kOptions{
    figures_option("enable_lcs", false,
                   "also emit the means of luminance, contrast and structure similarity of luma on "
                   "each scale"),
    similarity::kEnableDb,
    similarity::kClipDb,
    figures_option("enable_chroma", false, "also measure Cb and Cr"),
};

inline bool emits_lcs(const OptionValues& options, const PictureFormat&) {
  return options.flag("enable_lcs");
}

[[nodiscard]] constexpr FeatureSpec lcs_feature(std::string_view name) {
  return {.internal_name = name, .alias = {}, .provided = false, .condition = emits_lcs};
}
[[nodiscard]] constexpr FeatureSpec chroma_feature(std::string_view name) {
  return {.internal_name = name, .alias = {}, .provided = false, .condition = measures_chroma};
}

/// Places in kFeatures: the score of luma; luminance, contrast and structure of each scale; Cb, Cr.
inline constexpr int kLuminanceFeature = 1;
inline constexpr int kContrastFeature = kLuminanceFeature + kScales;
inline constexpr int kStructureFeature = kContrastFeature + kScales;
inline constexpr int kChromaFeature = kStructureFeature + kScales;

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "float_ms_ssim", .alias = {}},
    lcs_feature("float_ms_ssim_l_scale0"),
    lcs_feature("float_ms_ssim_l_scale1"),
    lcs_feature("float_ms_ssim_l_scale2"),
    lcs_feature("float_ms_ssim_l_scale3"),
    lcs_feature("float_ms_ssim_l_scale4"),
    lcs_feature("float_ms_ssim_c_scale0"),
    lcs_feature("float_ms_ssim_c_scale1"),
    lcs_feature("float_ms_ssim_c_scale2"),
    lcs_feature("float_ms_ssim_c_scale3"),
    lcs_feature("float_ms_ssim_c_scale4"),
    lcs_feature("float_ms_ssim_s_scale0"),
    lcs_feature("float_ms_ssim_s_scale1"),
    lcs_feature("float_ms_ssim_s_scale2"),
    lcs_feature("float_ms_ssim_s_scale3"),
    lcs_feature("float_ms_ssim_s_scale4"),
    chroma_feature("float_ms_ssim_cb"),
    chroma_feature("float_ms_ssim_cr"),
};

}  // namespace float_ms_ssim

inline constexpr Descriptor float_ms_ssim_descriptor{
    .name = "float_ms_ssim",
    .summary = "Multi-scale structural similarity of luma (and chroma)",
    .range =
        "0 to 1, NaN where structure is inverted; with enable_db dB, up to infinity or the "
        "cap",
    .direction = Direction::higher_is_better,
    .source =
        "Z. Wang, E. P. Simoncelli and A. C. Bovik, Multiscale structural similarity for image "
        "quality assessment, Asilomar Conference on Signals, Systems and Computers, 2003",
    .cost_ms = 85,
    .options = float_ms_ssim::kOptions,
    .features = float_ms_ssim::kFeatures,
    .planes =
        [](const OptionValues& options) {
          return options.flag("enable_chroma") ? PlaneUse::all : PlaneUse::luma;
        },
    .minimum_width = float_ms_ssim::kSmallestSide,
    .minimum_height = float_ms_ssim::kSmallestSide,
    .check_format = float_ms_ssim::check_format,
    .raw_bytes = sizeof(FloatMsSsimRaw),
    .make_cpu_stage = float_ms_ssim::make_cpu_stage,
    .make_gpu_stage = on_gpu(float_ms_ssim::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = float_ms_ssim::make_scalar_stage,
};

}  // namespace hipvmaf
