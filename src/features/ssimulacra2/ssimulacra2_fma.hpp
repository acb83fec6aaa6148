// Multiplication and addition with a single rounding, fast where the CPU has no instruction for it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::ssimulacra2 {

/// a * b + c rounded once to binary32, as std::fma gives it; for finite a, b and c.
HIPVMAF_HD inline float fused_multiply_add(float a, float b, float c) {
#if defined(__FP_FAST_FMAF) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return std::fma(a, b, c);
#else
  // The library's fma costs a function call per pixel on the x86-64 baseline. In binary64 the
  // product is exact and the sum is not, so rounding it again to binary32 could go wrong, but not
  // if the first rounding is to odd: when the sum is inexact, its last bit is made 1, which no
  // halfway case of the second rounding has.
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const auto addend = static_cast<double>(c);
  const double sum = product + addend;
  const double rounded_addend = sum - product;
  const double error = (product - (sum - rounded_addend)) + (addend - rounded_addend);
  const auto sum_bits = std::bit_cast<std::uint64_t>(sum);
  const auto error_bits = std::bit_cast<std::uint64_t>(error);
  // 1 if the sum is even and inexact: it moves by one in its last place, towards 0 if the error has
  // the other sign.
  const std::uint64_t error_size = error_bits << 1U;
  const std::uint64_t step = ((error_size | (0 - error_size)) >> 63U) & ~sum_bits;
  const std::uint64_t negative = 0 - ((sum_bits ^ error_bits) >> 63U);
  return static_cast<float>(std::bit_cast<double>(sum_bits + ((step ^ negative) - negative)));
#endif
}

}  // namespace hipvmaf::ssimulacra2
