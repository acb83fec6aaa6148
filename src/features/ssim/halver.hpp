// The step from one scale of float_ms_ssim to the next, on CPUs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/ssim/float_ms_ssim_math.hpp"

namespace hipvmaf::float_ms_ssim {

/// Low-passes pictures and keeps every second row and column.
class Halver {
 public:
  /// For pictures of at most `width` columns.
  explicit Halver(int width);

  /// `to` is halved_side(from.width) x halved_side(from.height). Samples are multiplied by `scale`
  /// first. Sample is float, std::uint8_t or std::uint16_t; both sides of `from` are at least 5.
  template <class Sample>
  void halve(const PlaneView<const Sample>& from, float scale, const PlaneView<float>& to);

 private:
  static constexpr std::size_t kRows = 2 * kRadius + 1;
  static constexpr std::size_t kPadding = kRadius / 2;

  /// Even and odd columns of a row, each with kPadding mirrored values at both ends: so the taps of
  /// neighbouring outputs lie side by side.
  struct SplitRow {
    std::vector<float> even, odd;
  };

  template <class Sample>
  static void split(const Sample* row, int width, float scale, SplitRow& out);
  void filter(int y, int height, const PlaneView<float>& to);

  std::array<SplitRow, kRows> rows_;  ///< Row r of the picture is at r % kRows.
  std::vector<double> sums_;
};

extern template void Halver::halve(const PlaneView<const std::uint8_t>&, float,
                                   const PlaneView<float>&);
extern template void Halver::halve(const PlaneView<const std::uint16_t>&, float,
                                   const PlaneView<float>&);
extern template void Halver::halve(const PlaneView<const float>&, float, const PlaneView<float>&);

}  // namespace hipvmaf::float_ms_ssim
