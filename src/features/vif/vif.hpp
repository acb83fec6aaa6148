// Extractor `vif`: Visual Information Fidelity of four scales, in fixed point.
//
// Around every pixel, Gaussian-weighted means, variances and the covariance of reference and
// distorted model the distorted picture as gain * reference + noise. From them follow how much
// information (log2 of signal to neural noise) the reference holds and how much of it the distorted
// picture keeps; the score of a scale is the quotient of the sums. Each scale is the filtered
// previous one at half its size. Filters, variances and sums are integers, so the raw scores do not
// depend on the order of the work; the gain is double arithmetic in a fixed order.
#pragma once

#include <array>
#include <cstdint>

#include "features/feature.hpp"
#include "features/vif/vif_math.hpp"

namespace hipvmaf {

/// Sums over the pixels of one scale of one plane; logarithms in units of 1/2048.
struct VifSums {
  std::int64_t kept_log2 = 0;       ///< Information kept, of textured pixels.
  std::int64_t available_log2 = 0;  ///< Information of the reference, of textured pixels.
  std::int64_t flat_variance = 0;   ///< Variance of the distorted picture, of flat pixels.
  std::int64_t flat_pixels = 0;

  bool operator==(const VifSums&) const = default;
};

/// Sums of Y, Cb and Cr; planes and scales that are not measured stay 0.
struct VifRaw {
  std::array<std::array<VifSums, vif::kScales>, 3> sums;

  bool operator==(const VifRaw&) const = default;
};

namespace vif {

[[nodiscard]] bool measures_chroma(const OptionValues& options, const PictureFormat& format);

/// Planes measured: 1 or 3.
[[nodiscard]] int measured_planes(const OptionValues& options, const PictureFormat& format);

/// Whether a scale of a plane is measured: vif_skip_scale0 leaves out the first one of luma.
[[nodiscard]] bool measures_scale(const OptionValues& options, int plane, int scale);

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);
void check_format(const OptionValues& options, const PictureFormat& format);

inline constexpr std::array kOptions{
    figures_option("debug", false,
                   "also emit integer_vif, the ratio over all scales, and every numerator and "
                   "denominator"),
    real_option("vif_enhn_gain_limit", "egl", 100, 1, 100,
                "upper limit of the gain: 1 gives no credit for enhanced contrast"),
    flag_option("vif_skip_scale0", "ssclz", "leave out scale 0 of luma and report it as 0"),
    flag_option("enable_chroma", "enable_chroma", "also measure Cb and Cr"),
};

inline bool emits_debug(const OptionValues& options, const PictureFormat&) {
  return options.flag("debug");
}

/// Places in kFeatures: four scales of Y, Cb and Cr; the ratio, numerator and denominator of all
/// scales of Y; numerator and denominator of each scale of Y.
inline constexpr int kTotalFeature = 3 * kScales;
inline constexpr int kSumFeatures = kTotalFeature + 3;

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "VMAF_integer_feature_vif_scale0_score",
                .alias = "integer_vif_scale0"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_vif_scale1_score",
                .alias = "integer_vif_scale1"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_vif_scale2_score",
                .alias = "integer_vif_scale2"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_vif_scale3_score",
                .alias = "integer_vif_scale3"},
    FeatureSpec{
        .internal_name = "integer_vif_scale0_cb", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "integer_vif_scale1_cb", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "integer_vif_scale2_cb", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "integer_vif_scale3_cb", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "integer_vif_scale0_cr", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "integer_vif_scale1_cr", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "integer_vif_scale2_cr", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "integer_vif_scale3_cr", .alias = {}, .condition = measures_chroma},
    FeatureSpec{.internal_name = "integer_vif", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_num", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_den", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_num_scale0", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_den_scale0", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_num_scale1", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_den_scale1", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_num_scale2", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_den_scale2", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_num_scale3", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "integer_vif_den_scale3", .alias = {}, .condition = emits_debug},
};

}  // namespace vif

inline constexpr Descriptor vif_descriptor{
    .name = "vif",
    .summary = "Visual Information Fidelity of four scales, in fixed point",
    .range = "0 to about 1; above 1 where contrast is enhanced",
    .direction = Direction::higher_is_better,
    .source =
        "H. R. Sheikh and A. C. Bovik, Image information and visual quality, IEEE Trans. Image "
        "Processing 15(2), 2006",
    .cost_ms = 68,
    .options = vif::kOptions,
    .features = vif::kFeatures,
    .planes =
        [](const OptionValues& options) {
          return options.flag("enable_chroma") ? PlaneUse::all : PlaneUse::luma;
        },
    .minimum_width = vif::kSmallestSide,
    .minimum_height = vif::kSmallestSide,
    .check_format = vif::check_format,
    .raw_bytes = sizeof(VifRaw),
    .make_cpu_stage = vif::make_cpu_stage,
    .make_gpu_stage = on_gpu(vif::make_gpu_stage),
    .make_scalar_stage = vif::make_scalar_stage,
};

}  // namespace hipvmaf
