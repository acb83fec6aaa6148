// Sums whose order is part of the result (gpu/ordered_sum.hpp), against adding one term after the
// other.
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

#include "gpu/kernels.hpp"

namespace hipvmaf::test {
namespace {

// A group and a bit; more groups than a walk takes at once.
constexpr int kSmall = 4096 + 100;
constexpr int kLarge = 70 * 4096 + 1;

template <class Real>
class Terms {
 public:
  using Series = std::vector<Real>;

  /// 0 or more and below 1.
  Real fraction() { return std::ldexp(static_cast<Real>(random_() >> 8), -24); }
  int below(int end) { return static_cast<int>(random_() % static_cast<std::uint32_t>(end)); }
  Real sign() { return below(2) == 0 ? Real{1} : Real{-1}; }

  template <class Term>
  static Series of(int count, Term&& term) {
    Series series;
    for (int i = 0; i < count; ++i) series.push_back(static_cast<Real>(term(i)));
    return series;
  }

  /// Ties: halves of the last place of a sum that begins at a power of two, and odd numbers of
  /// them.
  Series ties(Real direction) {
    const Real first = std::ldexp(Real{1}, std::numeric_limits<Real>::digits);
    return of(kSmall, [&](int i) {
      return i == 0 ? first : direction * static_cast<Real>(2 * below(3) + 1);
    });
  }
  /// Back and forth over a power of two, where the last place changes its size.
  Series around_power() {
    const Real unit = std::numeric_limits<Real>::epsilon();
    return of(kSmall, [&](int i) { return i == 0 ? Real{1} : sign() * unit * fraction() * 2; });
  }
  /// Down to less than a power of two, yet nearer to it than to the last place below the first sum.
  Series below_power() {
    const Real unit = std::numeric_limits<Real>::epsilon();
    return of(kSmall, [&](int i) {
      if (i == 0) return 1 + unit;
      return i == 100 ? unit * static_cast<Real>(-1.3F) : Real{0};
    });
  }
  /// All roundings go down: in the second group the sum is predicted to pass a power of two, but
  /// does not.
  Series drifting() {
    const Real power = std::ldexp(Real{1}, std::numeric_limits<Real>::digits);
    return of(2 * 4096, [&](int i) { return i == 0 ? power - 18230 : static_cast<Real>(2.4F); });
  }

 private:
  std::mt19937 random_{29};
};

template <class Real>
std::vector<std::vector<Real>> all_series() {
  using Limits = std::numeric_limits<Real>;
  Terms<Real> make;
  const auto of = [](int count, auto&& term) { return Terms<Real>::of(count, term); };
  return {
      {},
      {Real{1} / 3},
      of(kSmall, [&](int) { return 0; }),
      of(kSmall, [&](int i) { return i < 4000 ? 0 : make.fraction(); }),
      of(kLarge, [&](int) { return make.fraction(); }),
      of(kLarge, [&](int) { return std::ldexp(make.fraction(), make.below(40) - 20); }),
      of(kLarge, [&](int) { return make.below(50) == 0 ? make.fraction() : Real{0}; }),
      of(kSmall, [&](int) { return make.sign() * make.fraction(); }),
      of(kSmall, [&](int) { return -make.fraction(); }),
      of(kSmall, [&](int i) { return i < 2000 ? make.fraction() : -make.fraction(); }),
      make.ties(1),
      make.ties(-1),
      make.around_power(),
      make.below_power(),
      make.drifting(),
      of(kSmall, [&](int) { return Limits::denorm_min() * static_cast<Real>(make.below(9)); }),
      of(kSmall, [&](int) { return Limits::min() * make.fraction(); }),
      of(kSmall, [&](int i) { return i == 0 ? Limits::max() / 2 : Limits::max() / 4000; }),
  };
}

template <class Real>
void expect_bits_of_adding_one_by_one() {
  gpu::Stream stream;
  const std::vector<std::vector<Real>> series = all_series<Real>();
  const std::vector<Real> sums = add_in_order(stream, series);
  for (std::size_t i = 0; i < series.size(); ++i) {
    Real expected = 0;
    for (const Real term : series[i]) expected += term;
    EXPECT_EQ(sums[i], expected) << "series " << i;
  }
}

TEST(OrderedSums, HaveTheBitsOfAddingFloatsOneByOne) { expect_bits_of_adding_one_by_one<float>(); }
TEST(OrderedSums, HaveTheBitsOfAddingDoublesOneByOne) {
  expect_bits_of_adding_one_by_one<double>();
}

}  // namespace
}  // namespace hipvmaf::test
