// How SSIMULACRA 2 weighs the errors of its channels and scales.
#pragma once

#include <array>
#include <cstddef>

#include "features/ssimulacra2/ssimulacra2_math.hpp"

namespace hipvmaf::ssimulacra2 {

/// Weights of one channel of one scale: the means of the structural error, of ringing and of
/// blurring, then the fourth roots of the means of their fourth powers.
using Weights = std::array<double, 6>;

/// Of version 2.1, by channel (X, Y, B) and scale.
inline constexpr std::array<std::array<Weights, kScales>, kChannels> kWeights{{
    {{
        // X
        Weights{0, 0.0007376606707406586, 0, 0, 0.0007793481682867309, 0},
        Weights{0, 0.0004371155730107379, 0, 1.1041726426657346, 0.00066284834129271,
                0.00015231632783718752},
        Weights{0, 0.0016406437456599754, 0, 1.8422455520539298, 11.441172603757666, 0},
        Weights{0.0007989109436015163, 0.000176816438078653, 0, 1.8787594979546387,
                10.94906990605142, 0},
        Weights{0.0007289346991508072, 0.9677937080626833, 0, 0.00014003424285435884,
                0.9981766977854967, 0.00031949755934435053},
        Weights{0.0004550992113792063, 0, 0, 0.0013648766163243398, 0, 0},
    }},
    {{
        // Y
        Weights{0, 0, 0, 7.466890328078848, 0, 17.445833984131262},
        Weights{0.0006235601634041466, 0, 0, 6.683678146179332, 0.00037724407979611296,
                1.027889937768264},
        Weights{225.20515300849274, 0, 0, 19.213238186143016, 0.0011401524586618361,
                0.001237755635509985},
        Weights{176.39317598450694, 0, 0, 24.43300999870476, 0.28520802612117757,
                0.0004485436923833408},
        Weights{0, 0, 0, 34.77906344483772, 44.835625328877896, 0},
        Weights{0, 0, 0, 0, 0, 0},
    }},
    {{
        // B
        Weights{0, 0.0008680556573291698, 0, 0, 0, 0},
        Weights{0, 0.0005313191874358747, 0, 0.00016533814161379112, 0, 0},
        Weights{0, 0, 0, 0.0004179171803251336, 0.0017290828234722833, 0},
        Weights{0.0020827005846636437, 0, 0, 8.826982764996862, 23.19243343998926, 0},
        Weights{95.1080498811086, 0.9863978034400682, 0.9834382792465353, 0.0012286405048278493,
                171.2667255897307, 0.9807858872435379},
        Weights{0, 0, 0, 0.0005130064588990679, 0, 0.00010854057858411537},
    }},
}};

/// Errors that a channel of a scale contributes to the score; sums without a weight need not be
/// made.
struct Needs {
  bool structure = false;  ///< The structural error.
  bool edges = false;      ///< Ringing and blurring.
};

[[nodiscard]] constexpr Needs needs_of(std::size_t channel, std::size_t scale) {
  const Weights& weight = kWeights[channel][scale];
  return {.structure = weight[0] != 0 || weight[3] != 0,
          .edges = weight[1] != 0 || weight[2] != 0 || weight[4] != 0 || weight[5] != 0};
}

}  // namespace hipvmaf::ssimulacra2
