// Extractor `float_vif`: Visual Information Fidelity of four scales, in single precision.
//
// The model is that of `vif` (see there), with options for the filters, the neural noise and the
// size at which the pictures are compared. The raw scores are sums of floats in a fixed order:
// along each row from the left, then over the rows from the top.
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/float_vif/float_vif_math.hpp"

namespace hipvmaf {

/// Information of the pixels of one scale, in bits.
struct FloatVifSums {
  float kept = 0;       ///< By the distorted picture.
  float available = 0;  ///< In the reference.

  bool operator==(const FloatVifSums&) const = default;
};

/// A skipped scale 0 stays 0.
struct FloatVifRaw {
  std::array<FloatVifSums, float_vif::kScales> sums;

  bool operator==(const FloatVifRaw&) const = default;
};

namespace float_vif {

/// Size at which the pictures are compared.
struct Size {
  int width = 0;
  int height = 0;

  bool operator==(const Size&) const = default;
};
[[nodiscard]] Size compared_size(const OptionValues& options, const PictureFormat& format);

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);
void check_options(const OptionValues& options);
void check_format(const OptionValues& options, const PictureFormat& format);

inline constexpr std::array kOptions{
    figures_option("debug", false,
                   "also emit vif, the ratio over all scales, and every numerator and denominator"),
    real_option("vif_enhn_gain_limit", "egl", 100, 1, 100,
                "upper limit of the gain: 1 gives no credit for enhanced contrast"),
    real_option("vif_kernelscale", "ks", 1, 0.1, 4,
                "widen the filters by this factor, one of a list"),
    real_option("vif_prescale", "ps", 1, 0.1, 4,
                "scale both pictures by this factor first; they must then be at least 16x16, more "
                "with wider filters"),
    real_option("vif_scale1_min_val", "s1miv", 0, 0, 1, "least score of scale 1"),
    real_option("vif_scale2_min_val", "s2miv", 0, 0, 1, "least score of scale 2"),
    real_option("vif_scale3_min_val", "s3miv", 0, 0, 1, "least score of scale 3"),
    text_option("vif_prescale_method", "pm", "nearest",
                "how vif_prescale scales: nearest, bilinear, bicubic or lanczos4"),
    real_option("vif_sigma_nsq", "snsq", 2, 0, 5, "variance of the neural noise"),
    flag_option("vif_skip_scale0", "ssclz", "leave out scale 0 and report it as 0"),
};

inline bool emits_debug(const OptionValues& options, const PictureFormat&) {
  return options.flag("debug");
}

/// Places in kFeatures: four scales; the ratio, numerator and denominator of all scales; numerator
/// and denominator of each scale.
inline constexpr int kTotalFeature = kScales;
inline constexpr int kSumFeatures = kTotalFeature + 3;

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "VMAF_feature_vif_scale0_score", .alias = "vif_scale0"},
    FeatureSpec{.internal_name = "VMAF_feature_vif_scale1_score", .alias = "vif_scale1"},
    FeatureSpec{.internal_name = "VMAF_feature_vif_scale2_score", .alias = "vif_scale2"},
    FeatureSpec{.internal_name = "VMAF_feature_vif_scale3_score", .alias = "vif_scale3"},
    FeatureSpec{.internal_name = "vif", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_num", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_den", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_num_scale0", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_den_scale0", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_num_scale1", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_den_scale1", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_num_scale2", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_den_scale2", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_num_scale3", .alias = {}, .condition = emits_debug},
    FeatureSpec{.internal_name = "vif_den_scale3", .alias = {}, .condition = emits_debug},
};

}  // namespace float_vif

inline constexpr Descriptor float_vif_descriptor{
    .name = "float_vif",
    .summary = "Visual Information Fidelity of four scales, in single precision",
    .range = "0 to about 1; above 1 where contrast is enhanced",
    .direction = Direction::higher_is_better,
    .source =
        "H. R. Sheikh and A. C. Bovik, Image information and visual quality, IEEE Trans. Image "
        "Processing 15(2), 2006",
    .cost_ms = 65,
    .options = float_vif::kOptions,
    .features = float_vif::kFeatures,
    .minimum_width = float_vif::kSmallestSide,
    .minimum_height = float_vif::kSmallestSide,
    .minimum_from_options = true,
    .check_options = float_vif::check_options,
    .check_format = float_vif::check_format,
    .raw_bytes = sizeof(FloatVifRaw),
    .make_cpu_stage = float_vif::make_cpu_stage,
    .make_gpu_stage = on_gpu(float_vif::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = float_vif::make_scalar_stage,
};

}  // namespace hipvmaf
