// Extractor `float_ansnr`: signal-to-noise ratio of luma that is blind to fine noise, one of the
// elementary features of early VMAF.
//
// The reference is smoothed lightly (3x3), the distorted video more (5x5), and the second is
// compared with the first. Everything is in binary32, and the sums are made in a given order: along
// each row, then over the rows.
#pragma once

#include <array>

#include "features/feature.hpp"

namespace hipvmaf {

/// Sums over luma, in squared 8-bit grey levels.
struct FloatAnsnrRaw {
  float signal;  ///< Of the smoothed reference around mid-grey.
  float noise;   ///< Of its difference from the smoothed distorted picture.
  bool operator==(const FloatAnsnrRaw&) const = default;
};

namespace float_ansnr {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

/// Places in kFeatures.
enum Feature : int { kAnsnr, kAnpsnr };

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "float_ansnr", .alias = {}},
    FeatureSpec{.internal_name = "float_anpsnr", .alias = {}, .provided = false},
};

}  // namespace float_ansnr

inline constexpr Descriptor float_ansnr_descriptor{
    .name = "float_ansnr",
    .summary = "Signal-to-noise ratio of luma after smoothing both videos, as in early VMAF",
    .range = "dB; float_anpsnr, with the peak as the signal, 0 to 6 * bits + 12",
    .direction = Direction::higher_is_better,
    .source = "VMAF development kit, 2015; no separate publication",
    .cost_ms = 7,
    .options = {},
    .features = float_ansnr::kFeatures,
    .minimum_width = 3,
    .minimum_height = 3,
    .raw_bytes = sizeof(FloatAnsnrRaw),
    .make_cpu_stage = float_ansnr::make_cpu_stage,
    .make_scalar_stage = float_ansnr::make_scalar_stage,
};

}  // namespace hipvmaf
