// Gaussian filters whose width a kernelscale option scales, as float_vif and the SpEED metrics
// define them.
#pragma once

#include <string_view>
#include <vector>

namespace hipvmaf {

/// Throws Error(invalid_option), naming extractor and option, unless `kernel_scale` is within 1e-3
/// of one of the listed scales. The given scale, not the listed one, is what the widths follow
/// from.
void require_kernel_scale(std::string_view extractor, std::string_view option, double kernel_scale);

/// Taps of a filter that has `width` of them at scale 1; odd, at least 3.
[[nodiscard]] int scaled_filter_width(int width, float kernel_scale);

/// Symmetric Gaussian taps for an odd width, in single precision, that sum to 1 but for rounding.
[[nodiscard]] std::vector<float> gaussian_taps(int width, float deviation);

}  // namespace hipvmaf
