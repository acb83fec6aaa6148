#include "features/cambi/cambi_pooling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace hipvmaf::cambi {
namespace {

// Floats that are not negative are ordered as their bits are, so the count-th largest is found
// digit by digit, the highest first.
constexpr int kDigitBits = 11;
using Counts = std::array<std::uint32_t, 1U << kDigitBits>;

struct Digit {
  int shift;
  std::uint32_t settled;  ///< Mask of the bits above, which are known already.
};
constexpr std::array<Digit, 3> kDigits{{{21, 0}, {10, 0xFFE00000U}, {0, 0xFFFFFC00U}}};

struct Selected {
  std::uint32_t bits;     ///< Of the count-th largest value.
  std::size_t remaining;  ///< How many of the largest are equal to it.
};

Selected select(std::span<const float> values, std::size_t count) {
  Selected selected{0, count};
  for (const Digit& digit : kDigits) {
    Counts counts{};
    for (const float value : values) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      if ((bits & digit.settled) == selected.bits) ++counts[(bits & ~digit.settled) >> digit.shift];
    }
    std::uint32_t d = static_cast<std::uint32_t>(counts.size()) - 1;
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
