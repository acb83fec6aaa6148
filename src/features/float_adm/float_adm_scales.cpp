#include "features/float_adm/float_adm_scales.hpp"

#include "features/adm/adm_csf.hpp"

namespace hipvmaf::float_adm {
namespace {

constexpr std::array<std::string_view, adm::kScaleCount> kStraightOptions{"adm_f1s0", "adm_f1s1",
                                                                          "adm_f1s2", "adm_f1s3"};
constexpr std::array<std::string_view, adm::kScaleCount> kDiagonalOptions{"adm_f2s0", "adm_f2s1",
                                                                          "adm_f2s2", "adm_f2s3"};

adm::CsfWeights modelled_weights(int scale, const OptionValues& options) {
  constexpr int kBarten = 1;
  constexpr int kDlm = 2;
  const adm::Viewing viewing{options.real("adm_norm_view_dist"),
                             options.integer("adm_ref_display_height")};
  switch (options.integer("adm_csf_mode")) {
    case kBarten:
      return adm::barten_csf(scale, viewing, options.real("adm_csf_scale"),
                             options.real("adm_csf_diag_scale"));
    case kDlm:
      return adm::dlm_csf(scale, viewing);
    default:
      return adm::watson_csf(scale, viewing);
  }
}

void replace_if_given(float& weight, double option) {
  if (option >= 0) weight = static_cast<float>(option);
}

}  // namespace

Setup make_setup(const OptionValues& options, const PictureFormat& format) {
  const auto geometry = adm::make_geometry(format.width, format.height);
  Setup setup;
  for (std::size_t s = 0; s < setup.size(); ++s) {
    static_cast<adm::ScaleGeometry&>(setup[s]) = geometry[s];
    adm::CsfWeights weights = modelled_weights(geometry[s].scale, options);
    replace_if_given(weights.straight, options.real(kStraightOptions[s]));
    replace_if_given(weights.diagonal, options.real(kDiagonalOptions[s]));
    setup[s].csf = {weights.straight, weights.straight, weights.diagonal};
  }
  return setup;
}

MaskingOptions masking_options(const OptionValues& options) {
  return {.gain_limit = options.real("adm_enhn_gain_limit"),
          .masks = options.integer("adm_bypass_cm") == 0,
          .pooling_norm = options.real("adm_p_norm")};
}

}  // namespace hipvmaf::float_adm
