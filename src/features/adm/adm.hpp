// Extractor `adm`: detail loss (DLM, adm2) and additive impairment (AIM) of luma, in fixed point.
//
// S. Li, F. Zhang, L. Ma, K. N. Ngan, "Image Quality Assessment by Separately Evaluating Detail
// Losses and Additive Impairments", IEEE Trans. Multimedia 13(5), 2011.
//
// Reference and distorted are split into four scales of wavelet bands (adm_wavelet.hpp). At every
// position the distorted coefficients are decoupled into a restored part (detail of the reference
// that is still there) and an additive part (everything else); both are weighted by contrast
// sensitivity (adm_csf.hpp) and reduced by the masking of the other one (adm_math.hpp). What is
// left is pooled over the inner 80 % of each band with a cubic norm:
//   DLM = restored / reference, AIM = additive / reference, adm3 = a blend of DLM and 1 - AIM.
// The pixel stage returns the sums, which are integers and the same on every machine; the scalar
// stage takes the roots and ratios.
#pragma once

#include <array>
#include <cstdint>

#include "features/adm/adm_geometry.hpp"
#include "features/feature.hpp"

namespace hipvmaf {

/// Sums of cubed band values of one frame, in the fixed-point units of adm::ScaleSetup.
struct AdmRaw {
  static constexpr int kScales = 4;
  static constexpr int kBands = 3;  ///< H (vertical detail), V (horizontal detail), D (both).

  struct Scale {
    std::array<std::int64_t, kBands> num;   ///< Restored, masked by additive.
    std::array<std::int64_t, kBands> aim;   ///< Additive, masked by restored; 0 if it is skipped.
    std::array<std::uint64_t, kBands> den;  ///< Reference.
    bool operator==(const Scale&) const = default;
  };
  std::array<Scale, kScales> scale;  ///< Finest first; scale 0 stays 0 if it is skipped.
  bool operator==(const AdmRaw&) const = default;
};

namespace adm {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);
void check_options(const OptionValues& options);

inline constexpr std::array kOptions{
    figures_option("debug", false, "also emit numerators and denominators, total and per scale"),
    real_option("adm_csf_scale", "scf", 1, 0, 50,
                "factor of the H and V contrast sensitivity in adm_csf_mode 1"),
    real_option("adm_csf_diag_scale", "scfd", 1, 0, 50,
                "factor of the D contrast sensitivity in adm_csf_mode 1"),
    real_option("adm_dlm_weight", "dlmw", 0.5, 0, 1, "weight of DLM against 1 - AIM in adm3"),
    real_option("adm_enhn_gain_limit", "egl", 100, 1, 100,
                "how much the restored part may gain where the distortion enhances contrast; 1 "
                "ignores enhancement"),
    real_option("adm_norm_view_dist", "nvd", 3, 0.75, 24, "viewing distance in picture heights"),
    integer_option("adm_ref_display_height", "rdh", 1080, 1, 4320,
                   "height of the display in lines"),
    integer_option(
        "adm_csf_mode", "csf", 0, 0, 3,
        "contrast sensitivity: 0 Watson 1997, 1 Barten (overflows, of no practical use), "
        "2 blend, 3 blend fitted to the mean absolute error"),
    real_option("adm_noise_weight", "nw", 0.03125, 0, 1500,
                "noise added per sample before pooling, keeps flat pictures defined"),
    setting_flag("adm_skip_aim", "do not compute AIM: aim is 0"),
    flag_option("adm_skip_scale0", "ssz", "leave the finest scale out"),
    real_option("adm_min_val", "min", 0, 0, 1, "lower limit of adm3"),
};

inline bool emits_debug(const OptionValues& options, const PictureFormat&) {
  return options.flag("debug");
}

constexpr FeatureSpec debug_feature(std::string_view name) {
  return {.internal_name = name, .alias = {}, .condition = emits_debug};
}

/// Places in kFeatures.
enum Feature : int {
  kAdm2,
  kAim,
  kAdm3,
  kScale0,  ///< Scales 1..3 follow.
  kDebugAdm = kScale0 + AdmRaw::kScales,
  kDebugNum,
  kDebugDen,
  kDebugScale0Num,  ///< Denominator and the other scales follow in turn.
};

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "VMAF_integer_feature_adm2_score", .alias = "integer_adm2"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_aim_score", .alias = "integer_aim"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_adm3_score", .alias = "integer_adm3"},
    FeatureSpec{.internal_name = "integer_adm_scale0", .alias = {}},
    FeatureSpec{.internal_name = "integer_adm_scale1", .alias = {}},
    FeatureSpec{.internal_name = "integer_adm_scale2", .alias = {}},
    FeatureSpec{.internal_name = "integer_adm_scale3", .alias = {}},
    debug_feature("integer_adm"),
    debug_feature("integer_adm_num"),
    debug_feature("integer_adm_den"),
    debug_feature("integer_adm_num_scale0"),
    debug_feature("integer_adm_den_scale0"),
    debug_feature("integer_adm_num_scale1"),
    debug_feature("integer_adm_den_scale1"),
    debug_feature("integer_adm_num_scale2"),
    debug_feature("integer_adm_den_scale2"),
    debug_feature("integer_adm_num_scale3"),
    debug_feature("integer_adm_den_scale3"),
};

}  // namespace adm

inline constexpr Descriptor adm_descriptor{
    .name = "adm",
    .summary = "Detail loss and additive impairment of luma over four wavelet scales, fixed point",
    .range = "adm2, adm3 and scales: about 0 to 1, above 1 for enhanced contrast; aim: 0 (none) up",
    .direction = Direction::higher_is_better,
    .source =
        "S. Li et al., IEEE Trans. Multimedia 13(5), 2011; A. B. Watson et al., IEEE Trans. "
        "Image Processing 6(8), 1997",
    .cost_ms = 21,
    .options = adm::kOptions,
    .features = adm::kFeatures,
    .minimum_width = adm::kMinimumSide,
    .minimum_height = adm::kMinimumSide,
    .check_options = adm::check_options,
    .raw_bytes = sizeof(AdmRaw),
    .make_cpu_stage = adm::make_cpu_stage,
    .make_gpu_stage = on_gpu(adm::make_gpu_stage),
    .make_scalar_stage = adm::make_scalar_stage,
};

}  // namespace hipvmaf
