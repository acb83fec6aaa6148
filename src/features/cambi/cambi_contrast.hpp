// Contrast of every pixel, from sliding histograms of its window.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/cambi/cambi_math.hpp"
#include "features/cambi/cambi_visibility.hpp"

namespace hipvmaf::cambi {

/// Entries of the published table of reciprocals, enough for windows of up to 65x65 pixels.
inline constexpr int kPublishedReciprocals = 65 * 65 + 1;

/// What the metric takes for 1 / i in binary32, i = 0 .. size - 1 (0 for i = 0). The published
/// entries are rounded to nine decimal digits first, which moves some by one unit in the last
/// place; those beyond are correctly rounded.
[[nodiscard]] std::vector<float> reciprocal_table(int size);

/// Index of pixels that are in no histogram; others have level - VisibleSteps::first_level.
inline constexpr std::uint16_t kNoLevel = 0xFFFF;

/// How wide counters and weighted products of two counters are. Of the products the largest is
/// kLargestWeight times half a window by half a window.
struct UsualWindow {
  using Count = std::uint16_t;
  using Product = std::int32_t;
  static constexpr int kLargestSide = 175;
  static_assert(std::int64_t{kLargestSide} * kLargestSide * kLargestSide * kLargestSide *
                    kLargestWeight / 4 <=
                0x7FFFFFFF);
};
struct LargeWindow {
  using Count = std::uint32_t;
  using Product = std::int64_t;
};

/// Measures the pixels of planes of up to a certain width.
class ContrastMeter {
 public:
  virtual ~ContrastMeter() = default;

  /// Fills `contrasts`, width * height of them row by row. `levels` holds values 0 .. 1024, `mask`
  /// 1 where pixels count and 0 elsewhere; pixels that do not count, or from which no step is
  /// visible, get 0.
  virtual void measure(const PlaneView<const std::uint16_t>& levels,
                       const PlaneView<const std::uint8_t>& mask, std::span<float> contrasts) = 0;
};

[[nodiscard]] std::unique_ptr<ContrastMeter> make_contrast_meter(int largest_width, int radius,
                                                                 const VisibleSteps& steps);

}  // namespace hipvmaf::cambi
