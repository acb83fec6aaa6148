// The matrix routines of SpEED, against double-precision evaluation.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "features/speed/speed_covariance.hpp"
#include "features/speed/speed_eigen.hpp"
#include "features/speed/speed_matrix_math.hpp"
#include "features/speed/speed_solve.hpp"
#include "features/speed/speed_tridiagonal_math.hpp"

namespace hipvmaf::speed {
namespace {

using WideMatrix = std::array<std::array<double, kOrder>, kOrder>;

Matrix diagonal_matrix(float first, float factor) {
  Matrix matrix{};
  float element = first;
  for (std::size_t i = 0; i < kOrder; ++i, element *= factor) matrix[i][i] = element;
  return matrix;
}

// Covariance of `samples` random vectors whose elements have something in common.
Matrix random_covariance(unsigned seed, int samples) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  WideMatrix sums{};
  for (int n = 0; n < samples; ++n) {
    const double common = normal(random);
    std::array<double, kOrder> v;
    for (double& element : v) element = 4 * (normal(random) + common);
    for (std::size_t i = 0; i < kOrder; ++i) {
      for (std::size_t j = 0; j < kOrder; ++j) sums[i][j] += v[i] * v[j];
    }
  }
  Matrix covariance;
  for (std::size_t i = 0; i < kOrder; ++i) {
    for (std::size_t j = 0; j < kOrder; ++j)
      covariance[i][j] = static_cast<float>(sums[i][j] / samples);
  }
  return covariance;
}

// Rotates rows and columns p and q so that element (p, q) becomes zero.
void jacobi_rotate(WideMatrix& a, std::size_t p, std::size_t q) {
  if (a[p][q] == 0) return;
  const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  for (std::size_t i = 0; i < kOrder; ++i) {
    const double x = a[i][p];
    const double y = a[i][q];
    a[i][p] = c * x - s * y;
    a[i][q] = s * x + c * y;
  }
  for (std::size_t i = 0; i < kOrder; ++i) {
    const double x = a[p][i];
    const double y = a[q][i];
    a[p][i] = c * x - s * y;
    a[q][i] = s * x + c * y;
  }
}

std::vector<double> jacobi_eigenvalues(const Matrix& matrix) {
  WideMatrix a;
  for (std::size_t i = 0; i < kOrder; ++i) std::ranges::copy(matrix[i], a[i].begin());
  for (int sweep = 0; sweep < 20; ++sweep) {
    for (std::size_t p = 0; p < kOrder; ++p) {
      for (std::size_t q = p + 1; q < kOrder; ++q) jacobi_rotate(a, p, q);
    }
  }
  std::vector<double> eigenvalues;
  for (std::size_t i = 0; i < kOrder; ++i) eigenvalues.push_back(a[i][i]);
  std::ranges::sort(eigenvalues);
  return eigenvalues;
}

// ---- Covariance ----

// A plane that does not end where the blocks do, with rows further apart.
struct Plane {
  Plane() : samples(kStride * 23) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(-20, 20);
    for (float& sample : samples) sample = uniform(random);
  }
  static constexpr std::size_t kStride = 31;
  [[nodiscard]] PlaneView<const float> view() const { return {samples.data(), 29, 23, kStride}; }

  std::vector<float> samples;
};

TEST(SpeedCovariance, IsThatOfShiftedWindows) {
  const Plane plane;
  const PlaneView<const float> view = plane.view();
  const Geometry geometry{.width = 29 * kDecimation + 3, .height = 23 * kDecimation + 15};
  ASSERT_EQ(geometry.block_columns(), 5);
  ASSERT_EQ(geometry.block_rows(), 4);
  ASSERT_EQ(geometry.window_columns(), 21);
  ASSERT_EQ(geometry.window_rows(), 16);
  const Vector means = window_means(view, geometry);
  const Matrix covariance = window_covariance(view, geometry, means);

  const auto sample = [&](std::size_t a, int x, int y) {
    const int i = static_cast<int>(a);
    return static_cast<double>(view.row(y + i / kBlockSide)[x + i % kBlockSide]);
  };
  const auto mean_of = [](auto&& value) {
    double sum = 0;
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 21; ++x) sum += value(x, y);
    }
    return sum / (16 * 21);
  };
  for (std::size_t a = 0; a < kOrder; ++a) {
    const auto mean_a = static_cast<double>(means[a]);
    EXPECT_NEAR(mean_a, mean_of([&](int x, int y) { return sample(a, x, y); }), 1e-4) << a;
    for (std::size_t b = 0; b < kOrder; ++b) {
      const auto mean_b = static_cast<double>(means[b]);
      const double expected = mean_of(
          [&](int x, int y) { return (sample(a, x, y) - mean_a) * (sample(b, x, y) - mean_b); });
      EXPECT_EQ(covariance[a][b], static_cast<float>(expected)) << a << ' ' << b;
      EXPECT_EQ(covariance[a][b], covariance[b][a]);
    }
  }
}

// ---- Eigenvalues ----

TEST(SpeedTridiagonal, RotationsTurnOntoTheFirstAxis) {
  for (const auto& [x, z] : {std::pair{3.0F, 4.0F}, {-3.0F, 4.0F}, {5.0F, -1.0F}, {0.0F, 2.0F}}) {
    const auto [c, s] = rotation_of(x, z);
    EXPECT_NEAR(s * x + c * z, 0, 1e-6) << x << ' ' << z;
    EXPECT_NEAR(c * c + s * s, 1, 1e-6);
  }
  EXPECT_EQ(rotation_of(7, 0).cosine, 1);
  EXPECT_EQ(rotation_of(7, 0).sine, 0);
}

TEST(SpeedTridiagonal, ShiftsByTheEigenvalueNearerToTheLastElement) {
  EXPECT_EQ(wilkinson_shift(2, 2, -1), 1);
  EXPECT_NEAR(wilkinson_shift(7, 1, 4), -1, 1e-6);
  EXPECT_NEAR(wilkinson_shift(1, 7, 4), 9, 1e-6);
}

TEST(SpeedTridiagonal, DropsWhatIsNegligible) {
  const std::array diagonal{1.0F, -1.0F, 1.0F};
  std::array off_diagonal{1.9e-6F, -2.1e-6F};
  drop_negligible(diagonal.data(), off_diagonal.data(), 3);
  EXPECT_EQ(off_diagonal[0], 0);
  EXPECT_EQ(off_diagonal[1], -2.1e-6F);
}

TEST(SpeedTridiagonal, SmallMatricesHaveTheirKnownEigenvalues) {
  std::array two{2.0F, 2.0F};
  std::array off_two{1.0F};
  diagonalise(two.data(), off_two.data(), 2);
  std::ranges::sort(two);
  EXPECT_NEAR(two[0], 1, 1e-6);
  EXPECT_NEAR(two[1], 3, 1e-6);
  EXPECT_EQ(off_two[0], 0);

  // Two blocks, of which the first is a discrete Laplacian: 2 - 2 cos(k pi / 4).
  std::array five{2.0F, 2.0F, 2.0F, 9.0F, 5.0F};
  std::array off_five{-1.0F, -1.0F, 0.0F, 0.0F};
  diagonalise(five.data(), off_five.data(), 5);
  std::sort(five.begin(), five.begin() + 3);
  EXPECT_NEAR(five[0], 2 - std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(five[1], 2, 1e-6);
  EXPECT_NEAR(five[2], 2 + std::sqrt(2.0), 1e-6);
  EXPECT_EQ(five[3], 9);
  EXPECT_EQ(five[4], 5);
}

TEST(SpeedTridiagonal, EndsWithNotANumber) {
  std::array diagonal{1.0F, std::nanf(""), 1.0F};
  std::array off_diagonal{1.0F, 1.0F};
  diagonalise(diagonal.data(), off_diagonal.data(), 3);
  EXPECT_TRUE(std::isnan(diagonal[1]));
}

TEST(SpeedEigenvalues, OfDiagonalMatricesAreTheirElements) {
  const Matrix matrix = diagonal_matrix(3, 0.75F);
  const Vector eigenvalues = eigenvalues_of(matrix);
  for (std::size_t i = 0; i < kOrder; ++i) EXPECT_EQ(eigenvalues[i], matrix[i][i]) << i;
}

TEST(SpeedEigenvalues, AgreeWithJacobiRotations) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Matrix covariance = random_covariance(seed, 60 + 40 * static_cast<int>(seed));
    Vector eigenvalues = eigenvalues_of(covariance);
    std::ranges::sort(eigenvalues);
    EXPECT_TRUE(is_regular(eigenvalues));
    const std::vector<double> expected = jacobi_eigenvalues(covariance);
    for (std::size_t i = 0; i < kOrder; ++i)
      EXPECT_NEAR(eigenvalues[i], expected[i], 2e-6 * expected.back()) << seed << ' ' << i;
  }
}

TEST(SpeedEigenvalues, TellSingularMatrices) {
  EXPECT_FALSE(is_regular(eigenvalues_of(Matrix{})));
  EXPECT_FALSE(is_regular(eigenvalues_of(random_covariance(3, 12))));
  Vector eigenvalues;
  eigenvalues.fill(1);
  EXPECT_TRUE(is_regular(eigenvalues));
  eigenvalues[7] = 0.9e-6F;
  EXPECT_FALSE(is_regular(eigenvalues));
  // The limit is double precision, and 1e-6 in single precision lies just below it.
  eigenvalues[7] = 1e-6F;
  EXPECT_FALSE(is_regular(eigenvalues));
  eigenvalues[7] = std::nextafter(1e-6F, 1.0F);
  EXPECT_TRUE(is_regular(eigenvalues));
  eigenvalues[7] = std::nanf("");
  EXPECT_TRUE(is_regular(eigenvalues));
}

// ---- Equations ----

TEST(SpeedSolve, QIsOrthogonalAndLeavesAnUpperTriangle) {
  const Matrix covariance = random_covariance(11, 80);
  const Matrix q = transposed_q_of(covariance);
  for (std::size_t i = 0; i < kOrder; ++i) {
    for (std::size_t j = 0; j < kOrder; ++j) {
      double product = 0;
      double below = 0;
      for (std::size_t k = 0; k < kOrder; ++k) {
        product += static_cast<double>(q[i][k]) * static_cast<double>(q[j][k]);
        below += static_cast<double>(q[i][k]) * static_cast<double>(covariance[k][j]);
      }
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-5);
      if (i > j) {
        EXPECT_NEAR(below, 0, 2e-3) << i << ' ' << j;
      }
    }
  }
}

TEST(SpeedSolve, UpperProductIsTheUpperHalfOfTheProduct) {
  const Matrix left = random_covariance(1, 30);
  const Matrix right = random_covariance(2, 30);
  const Matrix product = upper_product(left, right);
  for (std::size_t i = 0; i < kOrder; ++i) {
    for (std::size_t j = 0; j < kOrder; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < kOrder; ++k) sum += left[i][k] * right[k][j];
      EXPECT_EQ(product[i][j], i <= j ? sum : 0) << i << ' ' << j;
    }
  }
}

TEST(SpeedSolve, SolvesForEveryColumn) {
  constexpr int kColumns = 7;
  std::mt19937 random(9);
  std::uniform_real_distribution<float> uniform(-10, 10);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Matrix covariance = random_covariance(seed, 100);
    BlockColumns expected(kColumns);
    BlockColumns right(kColumns);
    BlockColumns x(kColumns);
    for (std::size_t j = 0; j < kColumns; ++j) {
      for (std::size_t i = 0; i < kOrder; ++i) expected.row(i)[j] = uniform(random);
      for (std::size_t i = 0; i < kOrder; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < kOrder; ++k)
          sum += static_cast<double>(covariance[i][k]) * static_cast<double>(expected.row(k)[j]);
        right.row(i)[j] = static_cast<float>(sum);
      }
    }
    ASSERT_TRUE(solve(covariance, right, x));
    for (std::size_t i = 0; i < kOrder; ++i) {
      for (std::size_t j = 0; j < kColumns; ++j)
        EXPECT_NEAR(x.row(i)[j], expected.row(i)[j], 0.02) << seed << ' ' << i << ' ' << j;
    }
  }
}

TEST(SpeedSolve, RefusesSmallPivots) {
  Matrix matrix = diagonal_matrix(1, 1);
  BlockColumns right(2);
  BlockColumns x(2);
  EXPECT_TRUE(solve(matrix, right, x));
  matrix[24][24] = 0.9e-6F;
  EXPECT_FALSE(solve(matrix, right, x));
  EXPECT_FALSE(is_usable_pivot(1e-6F));
  EXPECT_FALSE(is_usable_pivot(-1e-6F));
  EXPECT_TRUE(is_usable_pivot(std::nextafter(1e-6F, 1.0F)));
  EXPECT_TRUE(is_usable_pivot(std::nextafter(-1e-6F, -1.0F)));
}

}  // namespace
}  // namespace hipvmaf::speed
