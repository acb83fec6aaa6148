// Extractor `float_adm`: detail loss (DLM, adm2) and additive impairment (AIM) of luma, in
// binary32.
//
// S. Li, F. Zhang, L. Ma, K. N. Ngan, "Image Quality Assessment by Separately Evaluating Detail
// Losses and Additive Impairments", IEEE Trans. Multimedia 13(5), 2011.
//
// The same metric as `adm` (adm/adm.hpp), with more options: the pooling exponent, the contrast
// sensitivities one by one, no masking, another blend. The sums are made in a given order, along
// each row and then over the rows, so they are the same on every machine as long as each operation
// is rounded by itself and the pooling exponent is 3; powers with another exponent are the maths
// library's.
#pragma once

#include <array>

#include "features/adm/adm_geometry.hpp"
#include "features/feature.hpp"

namespace hipvmaf {

/// Sums of the powers of weighted band values (H, V, D) of one frame, in 8-bit grey levels.
struct FloatAdmRaw {
  using Bands = std::array<float, adm::kDetailBands>;
  struct Scale {
    Bands num;  ///< Restored, masked by additive.
    Bands aim;  ///< Additive, masked by restored.
    Bands den;  ///< Reference.
    bool operator==(const Scale&) const = default;
  };
  std::array<Scale, adm::kScaleCount> scale;  ///< Finest first; scale 0 stays 0 if it is skipped.
  bool operator==(const FloatAdmRaw&) const = default;
};

namespace float_adm {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

constexpr OptionSpec weight_option(std::string_view name, std::string_view key,
                                   std::string_view help) {
  return real_option(name, key, -1, -1, 10, help);
}

inline constexpr std::array kOptions{
    figures_option("debug", false, "also emit numerators and denominators, total and per scale"),
    real_option("adm_enhn_gain_limit", "egl", 100, 1, 100,
                "how much the restored part may gain where the distortion enhances contrast; 1 "
                "ignores enhancement"),
    real_option("adm_norm_view_dist", "nvd", 3, 0.75, 24, "viewing distance in picture heights"),
    real_option("adm_noise_weight", "nw", 0.03125, 0, 1500,
                "noise added per sample before pooling, keeps flat pictures defined"),
    real_option("adm_csf_scale", "scf", 1, 0, 50,
                "factor of the H and V contrast sensitivity in adm_csf_mode 1"),
    real_option("adm_csf_diag_scale", "scfd", 1, 0, 50,
                "factor of the D contrast sensitivity in adm_csf_mode 1"),
    integer_option("adm_ref_display_height", "rdf", 1080, 1, 4320,
                   "height of the display in lines"),
    integer_option("adm_csf_mode", "csf", 0, 0, 9,
                   "contrast sensitivity: 1 Barten, 2 the one of Li et al., any other Watson 1997"),
    integer_option("adm_bypass_cm", "bcm", 0, 0, 1, "1: no contrast masking"),
    flag_option("adm_adm3_apply_hm", "aah",
                "adm3 is 2 * adm2 * aim / (adm2 + aim) instead of the blend"),
    real_option("adm_p_norm", "apn", 3, 1, 20, "exponent of the pooling"),
    real_option("adm_dlm_weight", "dlmw", 0.5, 0, 1, "weight of DLM against 1 - AIM in adm3"),
    real_option("adm_min_val", "min", 0, 0, 1, "lower limit of adm3"),
    weight_option("adm_f1s0", "f1s0", "H and V contrast sensitivity of scale 0, if not negative"),
    weight_option("adm_f1s1", "f1s1", "H and V contrast sensitivity of scale 1, if not negative"),
    weight_option("adm_f1s2", "f1s2", "H and V contrast sensitivity of scale 2, if not negative"),
    weight_option("adm_f1s3", "f1s3", "H and V contrast sensitivity of scale 3, if not negative"),
    weight_option("adm_f2s0", "f2s0", "D contrast sensitivity of scale 0, if not negative"),
    weight_option("adm_f2s1", "f2s1", "D contrast sensitivity of scale 1, if not negative"),
    weight_option("adm_f2s2", "f2s2", "D contrast sensitivity of scale 2, if not negative"),
    weight_option("adm_f2s3", "f2s3", "D contrast sensitivity of scale 3, if not negative"),
    integer_option("adm_skip_aim_scale", "sasc", -1, 0, 3, "leave that scale out of AIM"),
    flag_option("adm_skip_scale0", "ssz", "leave the finest scale out"),
};

inline bool emits_debug(const OptionValues& options, const PictureFormat&) {
  return options.flag("debug");
}

constexpr FeatureSpec debug_feature(std::string_view name, bool provided = true) {
  return {.internal_name = name, .alias = {}, .provided = provided, .condition = emits_debug};
}

/// Places in kFeatures.
enum Feature : int {
  kAdm2,
  kAim,
  kAdm3,
  kScale0,  ///< Scales 1..3 follow.
  kDebugAdm = kScale0 + adm::kScaleCount,
  kDebugNum,
  kDebugDen,
  kDebugScale0Num,  ///< Denominator and the other scales follow in turn.
};

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "VMAF_feature_adm2_score", .alias = "adm2"},
    FeatureSpec{.internal_name = "VMAF_feature_aim_score", .alias = "aim"},
    FeatureSpec{.internal_name = "VMAF_feature_adm3_score", .alias = "adm3"},
    FeatureSpec{.internal_name = "VMAF_feature_adm_scale0_score", .alias = "adm_scale0"},
    FeatureSpec{.internal_name = "VMAF_feature_adm_scale1_score", .alias = "adm_scale1"},
    FeatureSpec{.internal_name = "VMAF_feature_adm_scale2_score", .alias = "adm_scale2"},
    FeatureSpec{.internal_name = "VMAF_feature_adm_scale3_score", .alias = "adm_scale3"},
    debug_feature("adm", false),
    debug_feature("adm_num"),
    debug_feature("adm_den"),
    debug_feature("adm_num_scale0"),
    debug_feature("adm_den_scale0"),
    debug_feature("adm_num_scale1"),
    debug_feature("adm_den_scale1"),
    debug_feature("adm_num_scale2"),
    debug_feature("adm_den_scale2"),
    debug_feature("adm_num_scale3"),
    debug_feature("adm_den_scale3"),
};

}  // namespace float_adm

inline constexpr Descriptor float_adm_descriptor{
    .name = "float_adm",
    .summary = "Detail loss and additive impairment of luma over four wavelet scales, binary32",
    .range =
        "adm2, adm3 and scales: about 0 to 1, above 1 for enhanced contrast; aim: 0 (none) to "
        "1",
    .direction = Direction::higher_is_better,
    .source =
        "S. Li et al., IEEE Trans. Multimedia 13(5), 2011; A. B. Watson et al., IEEE Trans. "
        "Image Processing 6(8), 1997",
    .cost_ms = 11,
    .options = float_adm::kOptions,
    .features = float_adm::kFeatures,
    .minimum_width = adm::kMinimumSide,
    .minimum_height = adm::kMinimumSide,
    .raw_bytes = sizeof(FloatAdmRaw),
    .make_cpu_stage = float_adm::make_cpu_stage,
    .make_gpu_stage = on_gpu(float_adm::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = float_adm::make_scalar_stage,
};

}  // namespace hipvmaf
