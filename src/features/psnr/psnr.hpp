// Extractor `psnr`: peak signal-to-noise ratio of luma and chroma, from exact integer sums of
// squared errors.
//
// Per frame and plane: MSE = SSE / samples and PSNR = 10 log10(peak^2 / MSE), capped at 6 * bits +
// 12 dB. For odd picture sizes the last chroma column or row is left out, so that the figures agree
// with libvmaf's.
#pragma once

#include <array>
#include <cstdint>

#include "features/feature.hpp"

namespace hipvmaf {

/// Sums of squared errors of Y, Cb and Cr in native code values; planes that are not measured stay
/// 0.
struct PsnrRaw {
  std::array<std::uint64_t, 3> sse;
};

namespace psnr {

[[nodiscard]] bool measures_chroma(const OptionValues& options, const PictureFormat& format);

/// Planes measured: 1 or 3.
[[nodiscard]] int measured_planes(const OptionValues& options, const PictureFormat& format);

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
void check_format(const OptionValues& options, const PictureFormat& format);

inline constexpr std::array kOptions{
    figures_option("enable_chroma", true, "also measure Cb and Cr"),
    figures_option("enable_mse", false, "also emit the mean squared errors mse_y, mse_cb, mse_cr"),
    figures_option("enable_apsnr", false,
                   "also set the aggregates apsnr_y, apsnr_cb, apsnr_cr: PSNR of the whole clip's "
                   "squared error"),
    setting_flag("reduced_hbd_peak",
                 "above 8 bit take 255 * 2^(bits-8) as the peak instead of 2^bits - 1"),
    real_option("min_sse", "", 0, 0, std::numeric_limits<double>::max(),
                "if not 0, cap the PSNR at the one of this squared error per plane, instead of 6 * "
                "bits + 12"),
};

inline bool emits_mse(const OptionValues& options, const PictureFormat&) {
  return options.flag("enable_mse");
}
inline bool emits_chroma_mse(const OptionValues& options, const PictureFormat& format) {
  return options.flag("enable_mse") && measures_chroma(options, format);
}

/// Place of a PSNR in kFeatures: kFeaturesPerPlane * plane; its MSE follows.
inline constexpr int kFeaturesPerPlane = 2;

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "psnr_y", .alias = {}},
    FeatureSpec{.internal_name = "mse_y", .alias = {}, .provided = false, .condition = emits_mse},
    FeatureSpec{.internal_name = "psnr_cb", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "mse_cb", .alias = {}, .provided = false, .condition = emits_chroma_mse},
    FeatureSpec{.internal_name = "psnr_cr", .alias = {}, .condition = measures_chroma},
    FeatureSpec{
        .internal_name = "mse_cr", .alias = {}, .provided = false, .condition = emits_chroma_mse},
};

}  // namespace psnr

inline constexpr Descriptor psnr_descriptor{
    .name = "psnr",
    .summary = "Peak signal-to-noise ratio of luma and chroma",
    .range = "dB, 0 to 6 * bits + 12",
    .direction = Direction::higher_is_better,
    .source = "10 log10(peak^2 / MSE); the aggregate apsnr as in the AOM common test conditions",
    .cost_ms = 0.8,
    .options = psnr::kOptions,
    .features = psnr::kFeatures,
    .every_frame = true,  // for the aggregates
    .planes =
        [](const OptionValues& options) {
          return options.flag("enable_chroma") ? PlaneUse::all : PlaneUse::luma;
        },
    .check_format = psnr::check_format,
    .raw_bytes = sizeof(PsnrRaw),
    .make_cpu_stage = psnr::make_cpu_stage,
    .make_gpu_stage = on_gpu(psnr::make_gpu_stage),
    .make_scalar_stage = psnr::make_scalar_stage,
};

}  // namespace hipvmaf
