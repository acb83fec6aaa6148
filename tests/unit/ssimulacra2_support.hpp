// Plain versions of the steps of ssimulacra2, for its tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hipvmaf::test {

// One line, straight from the definition.
inline std::vector<float> blurred_line(const std::vector<float>& line) {
  const auto length = static_cast<int>(line.size());
  const auto sample = [&](int n) {
    return n >= 0 && n < length ? line[static_cast<std::size_t>(n)] : 0.0F;
  };
  constexpr std::array kGain{0x1.c4fa84p-5F, -0x1.e1fd7ap-5F, 0x1.a8894ap-7F};
  constexpr std::array kFeedback{-0x1.e6f0e2p+0F, -0x1.2cf23p+0F, -0x1.1a6264p-53F};
  std::array<float, 3> p{};
  std::array<float, 3> q{};
  std::vector<float> out;
  for (int n = -4; n < length; ++n) {
    std::array<float, 3> o{};
    for (std::size_t k = 0; k < 3; ++k) {
      o[k] = (kGain[k] * (sample(n - 6) + sample(n + 4)) - kFeedback[k] * p[k]) - q[k];
      q[k] = p[k];
      p[k] = o[k];
    }
    if (n >= 0) out.push_back((o[0] + o[1]) + o[2]);
  }
  return out;
}

inline std::vector<float> noise(std::size_t size, std::uint32_t seed) {
  std::vector<float> values(size);
  for (float& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = 0.01F + static_cast<float>(seed >> 8U) * 0x1p-24F;
  }
  return values;
}

}  // namespace hipvmaf::test
