// Brings luma to 10 bit and to the analysis size.
#pragma once

#include <cstdint>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/cambi/cambi_settings.hpp"

namespace hipvmaf::cambi {

/// The sample that stands at each place of a row (or column) of `to` samples resized from `from`:
/// the nearest one, found by stepping in binary32, whose rounding errors belong to the definition.
[[nodiscard]] std::vector<int> nearest_samples(int from, int to);

class Preprocessor {
 public:
  Preprocessor(const PictureFormat& format, Size target, bool smooths_dither);

  /// Fills `out`, of the target size, with values 0 .. 1024. `luma` holds samples within the
  /// format's depth.
  template <class Sample>
  void run(const PlaneView<const Sample>& luma, const PlaneView<std::uint16_t>& out) const;

 private:
  int bit_depth_;
  bool smooths_dither_;
  std::vector<int> columns_;  ///< Empty if the size stays.
  std::vector<int> rows_;
};

extern template void Preprocessor::run(const PlaneView<const std::uint8_t>&,
                                       const PlaneView<std::uint16_t>&) const;
extern template void Preprocessor::run(const PlaneView<const std::uint16_t>&,
                                       const PlaneView<std::uint16_t>&) const;

}  // namespace hipvmaf::cambi
