#include "features/cambi/cambi_pooling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace hipvmaf::cambi {
namespace {

/// By value of a digit; at the last place, values that begin otherwise than the one looked for.
using Counts = std::array<std::uint32_t, kDigitValues + 1>;

struct Selected {
  std::uint32_t bits;     ///< Of the count-th largest value.
  std::size_t remaining;  ///< How many of the largest are equal to it.
};

// Neighbours are often equal, and a counter takes a while until it can be incremented again: they
// have counters of their own.
Counts count_digits(std::span<const float> values, int digit, std::uint32_t beginning) {
  constexpr std::size_t kLanes = 4;
  std::array<Counts, kLanes> lanes{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    const bool begins_alike = (bits & bits_above(digit)) == beginning;
    ++lanes[i % kLanes][begins_alike ? digit_of(bits, digit) : kDigitValues];
  }
  for (std::size_t lane = 1; lane < kLanes; ++lane) {
    for (std::size_t d = 0; d < kDigitValues; ++d) lanes[0][d] += lanes[lane][d];
  }
  return lanes[0];
}

Selected select(std::span<const float> values, std::size_t count) {
  Selected selected{0, count};
  for (int digit = 0; digit < kDigitCount; ++digit) {
    const Counts counts = count_digits(values, digit, selected.bits);
    std::uint32_t d = kDigitValues - 1;
    for (; counts[d] < selected.remaining; --d) selected.remaining -= counts[d];
    selected.bits |= d << digit_shift(digit);
  }
  return selected;
}

class ExactSum {
 public:
  void add(std::uint64_t fixed, std::uint64_t times) {
    units_ += (fixed >> kFractionBits) * times;
    fraction_ += (fixed & kFractionMask) * times;
  }
  [[nodiscard]] CambiSum value() const {
    return {units_ + (fraction_ >> kFractionBits), fraction_ & kFractionMask};
  }

 private:
  std::uint64_t units_ = 0;
  std::uint64_t fraction_ = 0;
};

}  // namespace

CambiSum sum_of_largest(std::span<const float> contrasts, std::size_t count) {
  const Selected smallest = select(contrasts, count);
  const auto limit = std::bit_cast<float>(smallest.bits);
  ExactSum sum;
  constexpr std::size_t kBlock = 1U << 16;  // its sum of 47-bit numbers fits 64 bits
  for (std::size_t begin = 0; begin < contrasts.size(); begin += kBlock) {
    std::uint64_t partial = 0;
    for (const float c : contrasts.subspan(begin, std::min(kBlock, contrasts.size() - begin))) {
      partial += c > limit ? fixed_contrast(c) : 0;
    }
    sum.add(partial, 1);
  }
  sum.add(fixed_contrast(limit), smallest.remaining);
  return sum.value();
}

}  // namespace hipvmaf::cambi
