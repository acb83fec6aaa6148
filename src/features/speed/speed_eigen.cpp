#include "features/speed/speed_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "features/speed/speed_tridiagonal_math.hpp"

namespace hipvmaf::speed {
namespace {

constexpr double kSmallestEigenvalue = 1e-6;

/// Makes the Householder vector that zeroes column i below row i + 1, and leaves it there. Returns
/// its factor tau, 0 if there is nothing to zero.
float make_reflector(Matrix& a, std::size_t i) {
  const std::size_t s = i + 1;
  float squares = 0;
  for (std::size_t r = s + 1; r < kOrder; ++r) squares += a[r][i] * a[r][i];
  const float norm = std::sqrt(squares);
  if (norm == 0) return 0;

  const float alpha = a[s][i];
  const float length = hypotenuse(alpha, norm);
  const float beta = alpha >= 0 ? -length : length;
  const float tau = (beta - alpha) / beta;
  const float scale = alpha - beta;
  if (scale != 0) {
    for (std::size_t r = s; r < kOrder; ++r) a[r][i] /= scale;
    a[s][i] = beta;
  }
  return tau;
}

/// Applies a reflector from both sides to the rows and columns from `s` on. They stay symmetric to
/// the bit, so that rows may stand for columns.
void reflect(Matrix& a, std::size_t s, float tau, const Vector& v) {
  Vector x{};
  for (std::size_t j = s; j < kOrder; ++j) {
    for (std::size_t r = s; r < kOrder; ++r) x[r] += (tau * a[j][r]) * v[j];
  }
  float product = 0;
  for (std::size_t r = s; r < kOrder; ++r) product += x[r] * v[r];
  const auto correction =
      static_cast<float>(-0.5 * static_cast<double>(tau) * static_cast<double>(product));
  for (std::size_t r = s; r < kOrder; ++r) x[r] += correction * v[r];
  for (std::size_t r = s; r < kOrder; ++r) {
    for (std::size_t j = s; j < kOrder; ++j) a[r][j] -= x[r] * v[j] + v[r] * x[j];
  }
}

/// Leaves the tridiagonal form in the diagonal and the elements below it.
void tridiagonalise(Matrix& a) {
  for (std::size_t i = 0; i + 2 < kOrder; ++i) {
    const float tau = make_reflector(a, i);
    if (tau == 0) continue;
    Vector v{};
    v[i + 1] = 1;
    for (std::size_t r = i + 2; r < kOrder; ++r) v[r] = a[r][i];
    reflect(a, i + 1, tau, v);
  }
}

}  // namespace

Vector eigenvalues_of(const Matrix& symmetric) {
  Matrix a = symmetric;
  tridiagonalise(a);
  Vector diagonal;
  std::array<float, kOrder - 1> off_diagonal;
  for (std::size_t i = 0; i < kOrder; ++i) diagonal[i] = a[i][i];
  for (std::size_t i = 0; i + 1 < kOrder; ++i) off_diagonal[i] = a[i + 1][i];
  diagonalise(diagonal.data(), off_diagonal.data(), kBlockSamples);
  return diagonal;
}

bool is_regular(const Vector& eigenvalues) {
  return std::ranges::none_of(eigenvalues, [](float eigenvalue) {
    return static_cast<double>(eigenvalue) < kSmallestEigenvalue;
  });
}

}  // namespace hipvmaf::speed
