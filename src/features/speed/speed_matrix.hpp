// The 25x25 matrices of SpEED.
#pragma once

#include <array>
#include <cstddef>

#include "features/speed/speed.hpp"

namespace hipvmaf::speed {

inline constexpr std::size_t kOrder = kBlockSamples;

using Vector = std::array<float, kOrder>;
/// By rows.
using Matrix = std::array<Vector, kOrder>;

inline constexpr Matrix kIdentity = [] {
  Matrix matrix{};
  for (std::size_t i = 0; i < kOrder; ++i) matrix[i][i] = 1;
  return matrix;
}();

}  // namespace hipvmaf::speed
