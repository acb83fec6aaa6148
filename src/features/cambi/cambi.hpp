// Extractor `cambi`: Contrast-Aware Multiscale Banding Index of the distorted luma, and with
// full_ref of the reference luma too.
//
// Banding is contours between flat areas whose levels differ by little. The picture is brought to
// 10 bit and the analysis size (cambi_preprocess.hpp), its flat areas are found (cambi_mask.hpp),
// and at five scales (cambi_scales.hpp) every flat pixel gets a contrast: how evenly its window is
// split between the pixel's own level and one a few steps away (cambi_contrast.hpp), for steps that
// are visible (cambi_visibility.hpp). A scale's score is the mean of its largest contrasts
// (cambi_pooling.hpp).
//
// All is integer but a contrast's last factor, a binary32 product; sums of contrasts are exact. So
// the raw scores do not depend on the order of the work.
#pragma once

#include <array>
#include <cstdint>

#include "features/cambi/cambi_math.hpp"
#include "features/feature.hpp"

namespace hipvmaf {

/// Exact sum of contrasts: units + fraction / 2^24.
struct CambiSum {
  std::uint64_t units = 0;
  std::uint64_t fraction = 0;  ///< Below 2^24.

  bool operator==(const CambiSum&) const = default;
};

/// Sums of the largest contrasts, cambi::pooled_count() of them, by scale. Those of the reference
/// stay 0 without full_ref.
struct CambiRaw {
  std::array<CambiSum, cambi::kScales> distorted;
  std::array<CambiSum, cambi::kScales> reference;
  /// By cambi::Which: one more than the first row of luma with samples that have more bits than
  /// the format says, 0 if there is none. With such a row there are no sums, and the scalar stage
  /// refuses the frame.
  std::array<std::uint32_t, 2> deep_row;

  bool operator==(const CambiRaw&) const = default;
};

namespace cambi {

/// The pictures of a frame.
enum Which : std::uint8_t { kDistorted, kReference };

void check_options(const OptionValues& options);
void check_format(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
/// Windows that are too large, which take a large window_size on pictures beyond 8192x4320.
std::string gpu_obstacle(const OptionValues& options, const PictureFormat& format);
/// Opens the heatmap files too, which the pixel stages write: it is made first, and once.
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

inline constexpr double kHighestScore = 1000;
inline constexpr double kUsualShare = 0.6;
inline constexpr std::string_view kUsualEotf = "bt1886";

inline constexpr std::array kOptions{
    real_option("cambi_max_val", "cmxv", kHighestScore, 0, kHighestScore,
                "upper limit of all scores"),
    integer_option("enc_width", "encw", 0, 180, 7680,
                   "width the distorted video was encoded at, if it was upscaled since; needs "
                   "enc_height"),
    integer_option("enc_height", "ench", 0, 150, 7680,
                   "height the distorted video was encoded at, if it was upscaled since; needs "
                   "enc_width"),
    integer_option("enc_bitdepth", "encbd", 0, 6, 16,
                   "bits per sample of the encode, if they differ from the picture's; below 10 "
                   "dither is smoothed out"),
    integer_option("src_width", "srcw", 0, 320, 7680,
                   "width at which full_ref measures the reference; needs src_height"),
    integer_option("src_height", "srch", 0, 200, 4320,
                   "height at which full_ref measures the reference; needs src_width"),
    integer_option("window_size", "ws", 65, 15, 127,
                   "side of the window at 3840x2160; smaller pictures have smaller windows"),
    real_option("topk", "topk", kUsualShare, 0.0001, 1,
                "share of the pixels, those of largest contrast, that is averaged"),
    real_option("cambi_topk", "ctpk", kUsualShare, 0.0001, 1,
                "another spelling of topk, which wins unless it is 0.6"),
    real_option("tvi_threshold", "tvit", 0.019, 0.0001, 1,
                "smallest visible step, relative to the luminance"),
    real_option("cambi_vis_lum_threshold", "vlt", 0, 0, 300,
                "luminance in cd/m2 below which banding is ignored"),
    integer_option("max_log_contrast", "mlc", 2, 0, 5,
                   "steps of up to 2 to this power are examined, in 10-bit code values"),
    text_option("heatmaps_path", "", "",
                "folder for heatmaps of the contrasts, one raw 16-bit file per scale"),
    figures_option("full_ref", false,
                   "also measure the reference: cambi_source, and what the distorted video has "
                   "above it: cambi_full_reference"),
    text_option("eotf", "eotf", kUsualEotf, "transfer function of the display: bt1886 or pq"),
    text_option("cambi_eotf", "ceot", kUsualEotf,
                "another spelling of eotf; wins over it unless it is bt1886"),
    integer_option("cambi_high_res_speedup", "hrs", 0, 0, 2160,
                   "start at half size for pictures of at least this many lines: 1080, 1440 or "
                   "2160; anything else is off"),
};

inline bool emits_full_reference(const OptionValues& options, const PictureFormat&) {
  return options.flag("full_ref");
}

/// Places in kFeatures.
enum Feature { kCambi, kSource, kFullReference };

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "Cambi_feature_cambi_score", .alias = "cambi"},
    FeatureSpec{.internal_name = "cambi_source",
                .alias = {},
                .provided = false,
                .condition = emits_full_reference},
    FeatureSpec{.internal_name = "cambi_full_reference",
                .alias = {},
                .provided = false,
                .condition = emits_full_reference},
};

}  // namespace cambi

inline constexpr Descriptor cambi_descriptor{
    .name = "cambi",
    .summary = "Banding of the distorted video: contours in areas that should be smooth",
    .range = "0 (none) to about 24; about 5 is where banding begins to annoy",
    .direction = Direction::lower_is_better,
    .source =
        "P. Tandon, M. Afonso, J. Sole and L. Krasula, CAMBI: Contrast-aware Multiscale Banding "
        "Index, Picture Coding Symposium, 2021",
    .cost_ms = 22,
    .options = cambi::kOptions,
    .features = cambi::kFeatures,
    .pictures =
        [](const OptionValues& options) {
          return options.flag("full_ref") ? PictureUse{} : kDistortedOnly;
        },
    .check_options = cambi::check_options,
    .check_format = cambi::check_format,
    .raw_bytes = sizeof(CambiRaw),
    .make_cpu_stage = cambi::make_cpu_stage,
    .make_gpu_stage = on_gpu(cambi::make_gpu_stage),
    .gpu_obstacle = on_gpu(cambi::gpu_obstacle),
    .make_scalar_stage = cambi::make_scalar_stage,
};

}  // namespace hipvmaf
