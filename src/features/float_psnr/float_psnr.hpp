// Extractor `float_psnr`: peak signal-to-noise ratio of luma in 8-bit grey levels.
//
// The squared errors are those of binary32 arithmetic: exact up to 12 bits per sample, above that
// rounded to 24 significant bits each. Their sum is kept in integers and does not depend on its
// order.
#pragma once

#include <array>
#include <cstdint>

#include "features/feature.hpp"

namespace hipvmaf {

/// Sum over luma of psnr::rounded_square of the differences, in native code values.
struct FloatPsnrRaw {
  std::uint64_t sse;
  bool operator==(const FloatPsnrRaw&) const = default;
};

namespace float_psnr {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "float_psnr", .alias = {}},
};

}  // namespace float_psnr

inline constexpr Descriptor float_psnr_descriptor{
    .name = "float_psnr",
    .summary = "Peak signal-to-noise ratio of luma, on the 8-bit scale whatever the depth",
    .range = "dB, 0 to 6 * bits + 12",
    .direction = Direction::higher_is_better,
    .source = "10 log10(peak^2 / MSE)",
    .cost_ms = 0.5,
    .options = {},
    .features = float_psnr::kFeatures,
    .raw_bytes = sizeof(FloatPsnrRaw),
    .make_cpu_stage = float_psnr::make_cpu_stage,
    .make_gpu_stage = on_gpu(float_psnr::make_gpu_stage),
    .gpu_tolerance = 1e-9,
    .make_scalar_stage = float_psnr::make_scalar_stage,
};

}  // namespace hipvmaf
