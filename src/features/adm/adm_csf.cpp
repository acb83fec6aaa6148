#include "features/adm/adm_csf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <numbers>

#include "base/numbers.hpp"

// The weights are published as figures of binary32 arithmetic: which steps are in which precision
// is part of them. Operands are widened one by one to show it.
namespace hipvmaf::adm {
namespace {

constexpr int kScales = 4;
using PerScale = std::array<float, kScales>;

constexpr double wide(float value) { return static_cast<double>(value); }

/// The spatial frequency that the bands of a scale stand for, in cycles per degree.
float band_frequency(int scale, const Viewing& viewing) {
  return static_cast<float>(wide(samples_per_degree(viewing)) / std::exp2(scale + 1));
}

float watson_weight(int scale, const Viewing& viewing, float orientation, float amplitude) {
  constexpr float a = 0.495F;
  constexpr float k = 0.466F;
  constexpr float f0 = 0.401F;
  const auto distance = static_cast<float>(std::log10(
      std::exp2(scale + 1) * wide(f0) * wide(orientation) / wide(samples_per_degree(viewing))));
  const float exponent = k * distance * distance;
  const auto step =
      static_cast<float>(2.0 * wide(a) * std::pow(10.0, wide(exponent)) / wide(amplitude));
  return 1.0F / step;
}

/// Transfer of the eye's optics at frequency f.
float barten_optics(float f) {
  constexpr PerScale weights{0.424838596301290F, 0.572435103936480F, 0.000167576239164937F,
                             0.00255872352306433F};
  constexpr PerScale decays{0.028F, 0.37F, 37.0F, 360.0F};
  float sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum = static_cast<float>(wide(sum) + wide(weights[i]) * std::exp(wide(-decays[i] * f)));
  }
  return sum;
}

float barten_sensitivity(float f) {
  // Fitted at 20 and 150 cd/m2 and interpolated to 100 cd/m2 on a logarithmic axis.
  constexpr float p0 = 0x1.8795e4p-2F;
  constexpr float p1 = 0x1.7d88fp+1F;
  constexpr float p2 = 0x1.25ac04p+0F;
  constexpr float p3 = 0x1.d06f56p+2F;
  constexpr float photoreceptors = 0x1.e1f384p+4F;
  const auto noise = static_cast<float>(1.0 + std::pow(wide(p0 * f), wide(p1)));
  const float u = f / 7.0F;
  const auto lateral =
      static_cast<float>(1.0 / std::pow(1.0 - std::exp(-(wide(u) * wide(u))), wide(p2)));
  const auto neural = static_cast<float>(wide(p3) / std::pow(wide(noise * lateral), 0.5));
  return neural * barten_optics(f) * photoreceptors;
}

float dlm_sensitivity(float f) {
  return static_cast<float>((0.31 + 0.69 * wide(f)) * std::exp(-0.29 * wide(f)));
}

struct BlendRow {
  Viewing viewing;
  PerScale straight;
  PerScale diagonal;
};

constexpr std::array kStandardBlend{
    BlendRow{{3.0, 1080},
             {0.01183F, 0.025026F, 0.04295F, 0.058621F},
             {0.004302F, 0.011778F, 0.023918F, 0.035901F}},
    BlendRow{{1.5, 2160},
             {0.01183F, 0.025026F, 0.04295F, 0.058621F},
             {0.004302F, 0.011778F, 0.023918F, 0.035901F}},
    BlendRow{{5.0, 1080},
             {0.004212F, 0.014809F, 0.029642F, 0.047464F},
             {0.000984F, 0.005852F, 0.0146F, 0.027574F}},
    BlendRow{{3.0, 2160},
             {0.00226F, 0.01183F, 0.025026F, 0.04295F},
             {0.000479F, 0.004302F, 0.011778F, 0.023918F}},
    BlendRow{{5.0, 2160},
             {0.000092F, 0.004212F, 0.014809F, 0.029642F},
             {0.000050F, 0.000984F, 0.005852F, 0.0146F}},
    BlendRow{{5.0, 720},
             {0.010144F, 0.022561F, 0.040309F, 0.05672F},
             {0.003463F, 0.010282F, 0.021839F, 0.034641F}},
};

constexpr std::array kMeanAbsoluteErrorBlend{
    BlendRow{{3.0, 1080},
             {0.011249F, 0.022606F, 0.035930F, 0.045673F},
             {0.004097F, 0.010921F, 0.021430F, 0.031313F}},
    BlendRow{{1.5, 2160},
             {0.011249F, 0.022606F, 0.035930F, 0.045673F},
             {0.004097F, 0.010921F, 0.021430F, 0.031313F}},
    BlendRow{{5.0, 1080},
             {0.004052F, 0.013939F, 0.026298F, 0.038833F},
             {0.000927F, 0.005544F, 0.013415F, 0.024515F}},
    BlendRow{{3.0, 2160},
             {0.002166F, 0.011249F, 0.022606F, 0.035930F},
             {0.000447F, 0.004097F, 0.010921F, 0.021430F}},
    BlendRow{{5.0, 2160},
             {0.000077F, 0.004052F, 0.013939F, 0.026298F},
             {0.000045F, 0.000927F, 0.005544F, 0.013415F}},
    BlendRow{{5.0, 720},
             {0.009689F, 0.020577F, 0.034162F, 0.044523F},
             {0.003302F, 0.009579F, 0.019661F, 0.030318F}},
};

}  // namespace

float samples_per_degree(const Viewing& viewing) {
  return static_cast<float>(viewing.lines_at_distance() * std::numbers::pi / 180.0);
}

CsfWeights watson_csf(int scale, const Viewing& viewing) {
  constexpr PerScale straight_amplitude{0.67234F, 0.41317F, 0.22727F, 0.11792F};
  constexpr PerScale diagonal_amplitude{0.72709F, 0.49428F, 0.28688F, 0.15214F};
  const auto s = static_cast<std::size_t>(scale);
  return {watson_weight(scale, viewing, 1.0F, straight_amplitude[s]),
          watson_weight(scale, viewing, 0.534F, diagonal_amplitude[s])};
}

CsfWeights barten_csf(int scale, const Viewing& viewing, double straight_gain,
                      double diagonal_gain) {
  const double sensitivity = wide(barten_sensitivity(band_frequency(scale, viewing)));
  return {static_cast<float>(sensitivity * straight_gain),
          static_cast<float>(sensitivity * diagonal_gain)};
}

CsfWeights dlm_csf(int scale, const Viewing& viewing) {
  const float f = band_frequency(scale, viewing);
  return {dlm_sensitivity(f), dlm_sensitivity(static_cast<float>(wide(f) / 0.7))};
}

std::optional<CsfWeights> blended_csf(CsfBlend blend, int scale, const Viewing& viewing) {
  const auto& table = blend == CsfBlend::standard ? kStandardBlend : kMeanAbsoluteErrorBlend;
  const auto row = std::ranges::find_if(table, [&](const BlendRow& candidate) {
    return candidate.viewing.distance == viewing.distance &&
           candidate.viewing.display_height == viewing.display_height;
  });
  if (row == table.end()) return std::nullopt;
  const auto s = static_cast<std::size_t>(scale);
  return CsfWeights{row->straight[s], row->diagonal[s]};
}

std::string list_blended_viewings() {
  std::string list;
  for (const BlendRow& row : kStandardBlend) {
    if (!list.empty()) list += ", ";
    list +=
        fmt::format("{} x {}", format_general(row.viewing.distance), row.viewing.display_height);
  }
  return list;
}

}  // namespace hipvmaf::adm
