// Exact sums over rows of pixels, for the extractors of the PSNR kind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

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

/// The bits of samples above 8 bit, among which may be some above the depth: readers refuse such
/// samples, but pictures of other programs may have them.
template <class... Samples>
std::uint32_t checked_bits(Samples... samples) {
  return ((sizeof(samples) == 1 ? 0U : std::uint32_t{samples}) | ...);
}

/// Sum of squares of samples (or their differences) of that depth; nothing if `bits(x)`, the
/// checked_bits() behind square(x), shows a sample that leaves the depth.
template <class Bits, class Square>
std::optional<std::uint64_t> sum_within_depth(int count, int bit_depth, Bits bits, Square square) {
  std::uint32_t used = 0;
  const std::uint64_t sum = sum_in_runs(count, terms_per_32_bits(bit_depth), [&](int x) {
    used |= bits(x);
    return square(x);
  });
  if (used >> bit_depth != 0) return std::nullopt;
  return sum;
}

/// Likewise, of any samples.
template <class Bits, class Square>
std::uint64_t sum_of_squares(int count, int bit_depth, Bits bits, Square square) {
  const auto sum = sum_within_depth(count, bit_depth, bits, square);
  return sum ? *sum : sum_in_runs(count, 1, square);
}

/// Likewise, each square as binary32 has it.
template <class Bits, class Square>
std::uint64_t sum_of_rounded_squares(int count, int bit_depth, Bits bits, Square square) {
  if (bit_depth <= kExactSquareBits) {
    if (const auto sum = sum_within_depth(count, bit_depth, bits, square)) return *sum;
  }
  std::uint64_t sum = 0;
  for (int x = 0; x < count; ++x) sum += rounded_square(square(x));
  return sum;
}

}  // namespace hipvmaf::psnr
