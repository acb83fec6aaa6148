// What the pixel and scalar stages know about each scale before the first frame: sizes, weights and
// fixed-point formats.
#pragma once

#include <array>

#include "features/adm/adm.hpp"
#include "features/adm/adm_csf.hpp"
#include "features/adm/adm_math.hpp"

namespace hipvmaf::adm {

/// Right shifts of a wavelet transform after the vertical and the horizontal filter.
struct WaveletShifts {
  int vertical = 0;
  int horizontal = 0;
};

/// One scale of a picture.
struct ScaleSetup {
  int scale = 0;        ///< 0 (finest) .. 3.
  int input_width = 0;  ///< Of the picture or of the band A that is transformed.
  int input_height = 0;
  int width = 0;  ///< Of each band.
  int height = 0;
  int left = 0;  ///< Columns on either side that are not scored.
  int top = 0;   ///< Rows above and below that are not scored.
  WaveletShifts wavelet;

  std::array<float, kDetailBands> csf{};         ///< Contrast sensitivity of H, V, D.
  std::array<BandFormat, kDetailBands> bands{};  ///< Its fixed-point form and what goes with it.
  int row_shift = 0;                             ///< Of a numerator's row sum.
  ReferenceFormat reference;
  int reference_row_shift = 0;  ///< Of a denominator's row sum.

  [[nodiscard]] int region_width() const { return width - 2 * left; }
  [[nodiscard]] int region_height() const { return height - 2 * top; }
};

using Setup = std::array<ScaleSetup, AdmRaw::kScales>;

/// Options as check_options() accepts them; a format of at least kMinimumSide.
[[nodiscard]] Setup make_setup(const OptionValues& options, const PictureFormat& format);

/// Whether the weights of the options' CSF mode leave the fixed-point formats (masked_value()).
[[nodiscard]] bool weights_overflow(const OptionValues& options);

}  // namespace hipvmaf::adm
