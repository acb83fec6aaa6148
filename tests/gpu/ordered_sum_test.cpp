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
constexpr int kLarge = 130 * 4096 + 1;

/// Series of `Term` that are added in `Real`.
template <class Term, class Real>
class Terms {
 public:
  using Series = std::vector<Term>;

  /// 0 or more and below 1.
  Real fraction() { return std::ldexp(static_cast<Real>(random_() >> 8), -24); }
  int below(int end) { return static_cast<int>(random_() % static_cast<std::uint32_t>(end)); }
  Real sign() { return below(2) == 0 ? Real{1} : Real{-1}; }

  template <class Make>
  static Series of(int count, Make&& term) {
    Series series;
    for (int i = 0; i < count; ++i) series.push_back(static_cast<Term>(term(i)));
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
      if (i < 2) return i == 0 ? Real{1} : unit;
      return i == 100 ? unit * static_cast<Real>(-1.3F) : Real{0};
    });
  }
  /// All roundings go down: in the second group the sum is predicted to pass a power of two, but
  /// does not.
  Series drifting() {
    const Real power = std::ldexp(Real{1}, std::numeric_limits<Real>::digits);
    return of(2 * 4096, [&](int i) {
      if (i < 2) return i == 0 ? power : Real{-18230};
      return static_cast<Real>(2.4F);
    });
  }

 private:
  std::mt19937 random_{29};
};

template <class Term, class Real>
std::vector<std::vector<Term>> all_series() {
  using Limits = std::numeric_limits<Term>;
  Terms<Term, Real> make;
  const auto of = [](int count, auto&& term) { return Terms<Term, Real>::of(count, term); };
  return {
      {},
      {Term{1} / 3},
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
      of(kSmall, [&](int) { return Limits::denorm_min() * static_cast<Term>(make.below(9)); }),
      of(kSmall, [&](int) { return Limits::min() * static_cast<Term>(make.fraction()); }),
      of(kSmall, [&](int i) { return i == 0 ? Limits::max() / 2 : Limits::max() / 4000; }),
  };
}

template <class Term, class Real>
void expect_bits_of_adding_one_by_one() {
  gpu::Stream stream;
  const std::vector<std::vector<Term>> series = all_series<Term, Real>();
  const auto sums = add_in_order<Real, Term>(stream, series);
  for (std::size_t i = 0; i < series.size(); ++i) {
    Real expected = 0;
    for (const Term term : series[i]) expected += static_cast<Real>(term);
    EXPECT_EQ(sums[i], expected) << "series " << i;
  }
}

TEST(OrderedSums, HaveTheBitsOfAddingFloatsOneByOne) {
  expect_bits_of_adding_one_by_one<float, float>();
}
TEST(OrderedSums, HaveTheBitsOfAddingDoublesOneByOne) {
  expect_bits_of_adding_one_by_one<double, double>();
}
TEST(OrderedSums, HaveTheBitsOfAddingFloatsInDoubleOneByOne) {
  expect_bits_of_adding_one_by_one<float, double>();
}

TEST(OrderedSums, AreSeveralOfTheSameValues) {
  gpu::Stream stream;
  const std::vector<std::vector<double>> series = all_series<double, double>();
  const std::vector<double> sums = add_with_squares(stream, series);
  for (std::size_t i = 0; i < series.size(); ++i) {
    double expected = 0;
    double squares = 0;
    for (const double term : series[i]) {
      expected += term;
      if (i % 2 == 1) squares += term * term;
    }
    EXPECT_EQ(sums[2 * i], expected) << "series " << i;
    EXPECT_EQ(sums[2 * i + 1], squares) << "squares of series " << i;
  }
}

}  // namespace
}  // namespace hipvmaf::test
