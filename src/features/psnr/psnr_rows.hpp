// Exact sums over rows of pixels, for the extractors of the PSNR kind.
#pragma once

#include <algorithm>
#include <cstdint>

#include "features/psnr/psnr_math.hpp"

namespace hipvmaf::psnr {

/// term(0) + ... + term(count - 1), of which `run` terms fit 32 bits together. Such runs are summed
/// in 32-bit lanes, so that the inner loop vectorises well.
template <class Term>
std::uint64_t sum_in_runs(int count, int run, Term term) {
  std::uint64_t sum = 0;
  for (int begin = 0; begin < count; begin += run) {
    const int end = std::min(count, begin + run);
    std::uint32_t partial = 0;
    for (int x = begin; x < end; ++x) partial += term(x);
    sum += partial;
  }
  return sum;
}

/// Sum of squares of samples (or their differences) of that depth, each as binary32 has it.
template <class Square>
std::uint64_t sum_of_rounded_squares(int count, int bit_depth, Square square) {
  if (bit_depth <= kExactSquareBits) {
    return sum_in_runs(count, terms_per_32_bits(bit_depth), square);
  }
  std::uint64_t sum = 0;
  for (int x = 0; x < count; ++x) sum += rounded_square(square(x));
  return sum;
}

}  // namespace hipvmaf::psnr
