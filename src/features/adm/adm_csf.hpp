// Contrast sensitivity weights of the wavelet bands, for `adm` and `float_adm`.
#pragma once

#include <optional>
#include <string>

namespace hipvmaf::adm {

/// How the picture is seen.
struct Viewing {
  double distance = 3;        ///< In picture heights.
  int display_height = 1080;  ///< In lines.

  /// Lines per picture height times distance, which fixes the angular resolution.
  [[nodiscard]] double lines_at_distance() const { return distance * display_height; }
};

/// Weights of one scale.
struct CsfWeights {
  float straight = 0;  ///< Bands H and V.
  float diagonal = 0;  ///< Band D.
};

/// Samples per degree of visual angle.
[[nodiscard]] float samples_per_degree(const Viewing& viewing);

/// Inverse quantisation thresholds of A. B. Watson, G. Y. Yang, J. A. Solomon, J. Villasenor,
/// "Visibility of Wavelet Quantization Noise", 1997. `scale` is 0..3 here and below, 0 the finest.
[[nodiscard]] CsfWeights watson_csf(int scale, const Viewing& viewing);

/// P. G. J. Barten's contrast sensitivity of the eye at 100 cd/m2. `straight_gain` and
/// `diagonal_gain` multiply the weights.
[[nodiscard]] CsfWeights barten_csf(int scale, const Viewing& viewing, double straight_gain,
                                    double diagonal_gain);

/// The contrast sensitivity that Li et al. use with the detail loss measure.
[[nodiscard]] CsfWeights dlm_csf(int scale, const Viewing& viewing);

/// Two sets of blends of the above, given as tables for some ways of viewing.
enum class CsfBlend { standard, mean_absolute_error };

/// Nothing for a way of viewing that is not in the table.
[[nodiscard]] std::optional<CsfWeights> blended_csf(CsfBlend blend, int scale,
                                                    const Viewing& viewing);

/// The distances and heights that the tables have, for messages: "3 x 1080, 5 x 1080, ...".
[[nodiscard]] std::string list_blended_viewings();

}  // namespace hipvmaf::adm
