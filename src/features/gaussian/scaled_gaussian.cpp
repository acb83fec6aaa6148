#include "features/gaussian/scaled_gaussian.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>
#include <string>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"

namespace hipvmaf {
namespace {

constexpr std::array kKernelScales{
    1.0,     1.0 / 2, 3.0 / 2,  2.0,      2.0 / 3,  2.4,      360.0 / 97,
    4.0 / 3, 3.5 / 3, 3.75 / 3, 4.25 / 3, 5.0 / 3,  3.0,      1.0 / 2.25,
    1.4746,  1.54,    1.6,      1.06667,  0.711111, 0.740740, 1.111111,
};

constexpr double kTolerance = 1e-3;

bool is_listed(double kernel_scale) {
  return std::ranges::any_of(kKernelScales, [&](double listed) {
    const float difference = static_cast<float>(kernel_scale) - static_cast<float>(listed);
    return static_cast<double>(std::abs(difference)) < kTolerance;
  });
}

std::string list_kernel_scales() {
  std::array sorted = kKernelScales;
  std::ranges::sort(sorted);
  std::array<std::string, sorted.size()> texts;
  std::ranges::transform(sorted, texts.begin(), [](double scale) { return format_general(scale); });
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

void require_kernel_scale(std::string_view extractor, std::string_view option,
                          double kernel_scale) {
  if (is_listed(kernel_scale)) return;
  throw Error(
      ErrorCode::invalid_option,
      fmt::format("option {} of extractor {}: {} is not within {} of one of {}", option, extractor,
                  format_general(kernel_scale), format_general(kTolerance), list_kernel_scales()));
}

int scaled_filter_width(int width, float kernel_scale) {
  const int scaled = static_cast<int>(std::ceil(static_cast<float>(width) * kernel_scale));
  return std::max(3, scaled % 2 == 1 ? scaled : scaled + 1);
}

std::vector<float> gaussian_taps(int width, float deviation) {
  const auto sigma = static_cast<double>(deviation);
  const auto scale = static_cast<float>(1 / (sigma * std::sqrt(2 * std::numbers::pi)));
  std::vector<float> taps(static_cast<std::size_t>(width));
  float sum = 0;
  for (int i = 0; i < width; ++i) {
    const int distance = i - width / 2;
    const double exponent = (((-0.5 * distance) / sigma) * distance) / sigma;
    // The scale cancels, but dividing by it rounds, and the taps are defined with that rounding.
    const float tap = static_cast<float>(std::exp(exponent)) / scale;
    taps[static_cast<std::size_t>(i)] = tap;
    sum += tap;
  }
  for (float& tap : taps) tap /= sum;
  return taps;
}

}  // namespace hipvmaf
