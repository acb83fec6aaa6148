// Per-pixel arithmetic of PSNR, for host and device.
#pragma once

#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::psnr {

/// Fits 32 bits for samples of up to 16 bits.
HIPVMAF_HD inline std::uint32_t squared_difference(std::uint32_t reference,
                                                   std::uint32_t distorted) {
  const std::uint32_t difference = reference - distorted;  // modulo 2^32, and so is the square
  return difference * difference;
}

/// How many squared differences of samples of that depth a 32-bit sum holds.
HIPVMAF_HD constexpr int terms_per_32_bits(int bit_depth) {
  const std::uint32_t peak = (1U << bit_depth) - 1;
  return static_cast<int>(0xFFFFFFFFU / (static_cast<std::uint64_t>(peak) * peak));
}

/// The deepest samples whose squares are exact in binary32.
inline constexpr int kExactSquareBits = 12;

/// A square as binary32 has it: its 24 leading bits, rounded to nearest, ties to even.
HIPVMAF_HD inline std::uint64_t rounded_square(std::uint32_t square) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<float>(square)));
}

}  // namespace hipvmaf::psnr
