// Extractor `float_moment`: mean and mean square of the luma of both videos, in 8-bit grey levels.
//
// The squares are those of binary32 arithmetic: exact up to 12 bits per sample, above that rounded
// to 24 significant bits each. The sums are integers and do not depend on their order.
#pragma once

#include <array>
#include <cstdint>

#include "features/feature.hpp"

namespace hipvmaf {

/// Sums over luma in native code values.
struct FloatMomentRaw {
  struct Sums {
    std::uint64_t samples;
    std::uint64_t squares;  ///< Of psnr::rounded_square.
    bool operator==(const Sums&) const = default;
  };
  Sums reference;
  Sums distorted;
  bool operator==(const FloatMomentRaw&) const = default;
};

namespace float_moment {

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format);
std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format);
std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format);

/// Places in kFeatures.
enum Feature : int { kReference1st, kDistorted1st, kReference2nd, kDistorted2nd };

inline constexpr std::array kFeatures{
    FeatureSpec{.internal_name = "float_moment_ref1st", .alias = {}, .provided = false},
    FeatureSpec{.internal_name = "float_moment_dis1st", .alias = {}, .provided = false},
    FeatureSpec{.internal_name = "float_moment_ref2nd", .alias = {}, .provided = false},
    FeatureSpec{.internal_name = "float_moment_dis2nd", .alias = {}, .provided = false},
};

}  // namespace float_moment

inline constexpr Descriptor float_moment_descriptor{
    .name = "float_moment",
    .summary = "Mean and mean square of the luma of reference and distorted video",
    .range = "8-bit grey levels, 0 to 256; their squares, 0 to 65536",
    .direction = Direction::neither,
    .source = "First and second raw moments: sum(x) / samples, sum(x^2) / samples",
    .cost_ms = 0.6,
    .options = {},
    .features = float_moment::kFeatures,
    .raw_bytes = sizeof(FloatMomentRaw),
    .make_cpu_stage = float_moment::make_cpu_stage,
    .make_gpu_stage = on_gpu(float_moment::make_gpu_stage),
    .make_scalar_stage = float_moment::make_scalar_stage,
};

}  // namespace hipvmaf
