#include "features/cambi/cambi_pooling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace hipvmaf::cambi {
namespace {

// Floats that are not negative are ordered as their bits are, so the count-th largest is found
// digit by digit, the highest first.
constexpr std::uint32_t kDigitValues = 1U << 11;
/// By digit; at the last place, values that begin otherwise than the one looked for.
using Counts = std::array<std::uint32_t, kDigitValues + 1>;

struct Digit {
  int shift;
  std::uint32_t settled;  ///< Mask of the bits above, which are known already.
};
constexpr std::array<Digit, 3> kDigits{{{21, 0}, {10, 0xFFE00000U}, {0, 0xFFFFFC00U}}};

struct Selected {
  std::uint32_t bits;     ///< Of the count-th largest value.
  std::size_t remaining;  ///< How many of the largest are equal to it.
};

// Neighbours are often equal, and a counter takes a while until it can be incremented again: they
// have counters of their own.
Counts count_digits(std::span<const float> values, const Digit& digit, std::uint32_t beginning) {
  constexpr std::size_t kLanes = 4;
  std::array<Counts, kLanes> lanes{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    const std::uint32_t d = (bits & ~digit.settled) >> digit.shift;
    ++lanes[i % kLanes][(bits & digit.settled) == beginning ? d : kDigitValues];
  }
  for (std::size_t lane = 1; lane < kLanes; ++lane) {
    for (std::size_t d = 0; d < kDigitValues; ++d) lanes[0][d] += lanes[lane][d];
  }
  return lanes[0];
}

Selected select(std::span<const float> values, std::size_t count) {
  Selected selected{0, count};
  for (const Digit& digit : kDigits) {
    const Counts counts = count_digits(values, digit, selected.bits);
    std::uint32_t d = kDigitValues - 1;
    for (; counts[d] < selected.remaining; --d) selected.remaining -= counts[d];
    selected.bits |= d << digit.shift;
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
  static constexpr std::uint64_t kFractionMask = (1U << kFractionBits) - 1;

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
