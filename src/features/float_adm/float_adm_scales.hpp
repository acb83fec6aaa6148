// What the stages know about each scale before the first frame: sizes and weights.
#pragma once

#include <array>

#include "features/float_adm/float_adm.hpp"

namespace hipvmaf::float_adm {

struct ScaleSetup : adm::ScaleGeometry {
  std::array<float, adm::kDetailBands> csf{};  ///< Contrast sensitivity of H, V, D.
};

using Setup = std::array<ScaleSetup, adm::kScaleCount>;

/// A format of at least adm::kMinimumSide.
[[nodiscard]] Setup make_setup(const OptionValues& options, const PictureFormat& format);

/// What the stage behind the wavelet does.
struct MaskingOptions {
  double gain_limit = 100;
  bool masks = true;        ///< False: thresholds are 0.
  double pooling_norm = 3;  ///< Exponent of the values that are summed.
};

[[nodiscard]] MaskingOptions masking_options(const OptionValues& options);

}  // namespace hipvmaf::float_adm
