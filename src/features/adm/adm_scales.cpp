#include "features/adm/adm_scales.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"

namespace hipvmaf::adm {
namespace {

enum class CsfMode { watson, barten, blend, blend_mean_absolute_error };

/// The 16-bit weights of scale 0 hold nothing coarser than 1080 lines at three heights.
constexpr double kFewestLines = 3240;

CsfMode csf_mode(const OptionValues& options) {
  return static_cast<CsfMode>(options.integer("adm_csf_mode"));
}

Viewing viewing_of(const OptionValues& options) {
  return {options.real("adm_norm_view_dist"), options.integer("adm_ref_display_height")};
}

std::optional<CsfWeights> csf_weights(int scale, const OptionValues& options) {
  const Viewing viewing = viewing_of(options);
  switch (csf_mode(options)) {
    case CsfMode::watson:
      return watson_csf(scale, viewing);
    case CsfMode::barten:
      return barten_csf(scale, viewing, options.real("adm_csf_scale"),
                        options.real("adm_csf_diag_scale"));
    case CsfMode::blend:
      return blended_csf(CsfBlend::standard, scale, viewing);
    case CsfMode::blend_mean_absolute_error:
      return blended_csf(CsfBlend::mean_absolute_error, scale, viewing);
  }
  return std::nullopt;
}

// Barten's weights do not fit 16 and 32 bits; their low bits are taken. The integers themselves
// stay below 2^30 and 2^43 even with the largest gain.
std::uint32_t fine_weight(float weight, int fraction_bits) {
  const double scaled = std::ldexp(static_cast<double>(weight), fraction_bits);
  return static_cast<std::uint16_t>(static_cast<std::int32_t>(scaled));
}

std::uint32_t coarse_weight(float weight) {
  const double scaled = std::ldexp(static_cast<double>(weight), 32);
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(scaled));
}

/// Watson's weights for the usual viewing were once rounded differently; they are kept.
bool has_historic_weights(const OptionValues& options) {
  return csf_mode(options) == CsfMode::watson &&
         std::abs(viewing_of(options).lines_at_distance() - kFewestLines) < 1e-8;
}

std::array<BandFormat, kDetailBands> fine_formats(const ScaleSetup& scale, bool historic_weights) {
  BandFormat straight{.weight = historic_weights ? 36453U : fine_weight(scale.csf[0], 21),
                      .mask_round = 1 << 14,
                      .mask_shift = 15,
                      .threshold_shift = 10,
                      .square_shift = 29,
                      .value_shift = log2_ceil(scale.width) - 4};
  BandFormat diagonal{.weight = historic_weights ? 49417U : fine_weight(scale.csf[2], 23),
                      .mask_round = (1 << 16) - 1,  // one short of a half, by definition
                      .mask_shift = 17,
                      .threshold_shift = 12,
                      .square_shift = 30,
                      .value_shift = log2_ceil(scale.width) - 3};
  return {straight, straight, diagonal};
}

std::array<BandFormat, kDetailBands> coarse_formats(const ScaleSetup& scale) {
  std::array<BandFormat, kDetailBands> formats;
  for (std::size_t b = 0; b < formats.size(); ++b) {
    formats[b] = {.weight = coarse_weight(scale.csf[b]),
                  .square_shift = 30,
                  .value_shift = log2_ceil(scale.width)};
  }
  return formats;
}

}  // namespace

Setup make_setup(const OptionValues& options, const PictureFormat& format) {
  const std::array<WaveletShifts, AdmRaw::kScales> wavelet{
      {{format.bit_depth, 16}, {0, 15}, {16, 16}, {16, 15}}};
  const auto geometry = make_geometry(format.width, format.height);
  Setup setup;
  for (int s = 0; s < AdmRaw::kScales; ++s) {
    ScaleSetup& scale = setup[static_cast<std::size_t>(s)];
    static_cast<ScaleGeometry&>(scale) = geometry[static_cast<std::size_t>(s)];
    scale.wavelet = wavelet[static_cast<std::size_t>(s)];
    const CsfWeights weights = csf_weights(s, options).value();
    scale.csf = {weights.straight, weights.straight, weights.diagonal};
    scale.bands =
        s == 0 ? fine_formats(scale, has_historic_weights(options)) : coarse_formats(scale);
    scale.row_shift = log2_ceil(scale.height);
    if (s == 0) {
      scale.reference_row_shift =
          std::max(0, log2_ceil(scale.region_width() * scale.region_height()) - 20);
    } else {
      scale.reference = {.square_shift = s == 2 ? 30 : 31,
                         .value_shift = log2_ceil(scale.region_width())};
      scale.reference_row_shift = log2_ceil(scale.region_height());
    }
  }
  return setup;
}

MaskingOptions masking_options(const OptionValues& options) {
  return {.gain_limit = options.real("adm_enhn_gain_limit"),
          .with_aim = !options.flag("adm_skip_aim"),
          .weights_overflow = csf_mode(options) == CsfMode::barten};
}

void check_options(const OptionValues& options) {
  const Viewing viewing = viewing_of(options);
  const auto refuse = [&](const std::string& need) {
    throw Error(
        ErrorCode::invalid_option,
        fmt::format("extractor adm: adm_norm_view_dist {} with adm_ref_display_height {} {}",
                    format_general(viewing.distance), viewing.display_height, need));
  };
  if (viewing.lines_at_distance() < kFewestLines) {
    refuse(fmt::format("is too coarse; their product must be at least {}",
                       format_general(kFewestLines)));
  }
  if (!csf_weights(0, options)) {
    refuse(fmt::format("is not in the tables of adm_csf_mode {}; they have {}",
                       options.integer("adm_csf_mode"), list_blended_viewings()));
  }
}

}  // namespace hipvmaf::adm
