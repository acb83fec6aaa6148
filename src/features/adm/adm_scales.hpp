// What the pixel and scalar stages know about each scale before the first frame: sizes, weights and
// fixed-point formats.
#pragma once

#include <array>

#include "features/adm/adm.hpp"
#include "features/adm/adm_csf.hpp"
#include "features/adm/adm_geometry.hpp"
#include "features/adm/adm_math.hpp"

namespace hipvmaf::adm {

/// Right shifts of a wavelet transform after the vertical and the horizontal filter.
struct WaveletShifts {
  int vertical = 0;
  int horizontal = 0;
};

/// One scale of a picture.
struct ScaleSetup : ScaleGeometry {
  WaveletShifts wavelet;

  std::array<float, kDetailBands> csf{};         ///< Contrast sensitivity of H, V, D.
  std::array<BandFormat, kDetailBands> bands{};  ///< Its fixed-point form and what goes with it.
  int row_shift = 0;                             ///< Of a numerator's row sum.
  ReferenceFormat reference;
  int reference_row_shift = 0;  ///< Of a denominator's row sum.
};

using Setup = std::array<ScaleSetup, AdmRaw::kScales>;

/// Options as check_options() accepts them; a format of at least kMinimumSide.
[[nodiscard]] Setup make_setup(const OptionValues& options, const PictureFormat& format);

/// What the stage behind the wavelet does.
struct MaskingOptions {
  double gain_limit = 100;
  bool with_aim = true;
  bool weights_overflow = false;  ///< The weights leave the fixed-point formats (masked_value()).
};

[[nodiscard]] MaskingOptions masking_options(const OptionValues& options);

}  // namespace hipvmaf::adm
