#include "features/speed/speed_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "features/speed/speed_matrix_math.hpp"
#include "features/speed/speed_tridiagonal_math.hpp"

namespace hipvmaf::speed {
namespace {

/// Makes the Householder vector that zeroes column i below row i + 1, and leaves it there. Returns
/// its factor, 0 if there is nothing to zero.
float make_reflector(Matrix& a, std::size_t i) {
  const std::size_t s = i + 1;
  float squares = 0;
  for (std::size_t r = s + 1; r < kOrder; ++r) squares += a[r][i] * a[r][i];
  const float norm = std::sqrt(squares);
  if (norm == 0) return 0;

  const Reflector reflector = reflector_of(a[s][i], norm);
  if (reflector.scale != 0) {
    for (std::size_t r = s + 1; r < kOrder; ++r) a[r][i] /= reflector.scale;
    a[s][i] = reflector.first;
  }
  return reflector.factor;
}

/// Applies a reflector from both sides to the rows and columns from `s` on. They stay symmetric to
/// the bit, so that rows may stand for columns.
void reflect(Matrix& a, std::size_t s, float factor, const Vector& v) {
  Vector x{};
  for (std::size_t j = s; j < kOrder; ++j) {
    for (std::size_t r = s; r < kOrder; ++r) x[r] += reflected_term(factor, a[j][r], v[j]);
  }
  float product = 0;
  for (std::size_t r = s; r < kOrder; ++r) product += x[r] * v[r];
  const float correction = projection_correction(factor, product);
  for (std::size_t r = s; r < kOrder; ++r) x[r] += correction * v[r];
  for (std::size_t r = s; r < kOrder; ++r) {
    for (std::size_t j = s; j < kOrder; ++j)
      a[r][j] = less_outer_products(a[r][j], x[r], v[r], x[j], v[j]);
  }
}

/// Leaves the tridiagonal form in the diagonal and the elements below it.
void tridiagonalise(Matrix& a) {
  for (std::size_t i = 0; i + 2 < kOrder; ++i) {
    const float factor = make_reflector(a, i);
    if (factor == 0) continue;
    Vector v{};
    v[i + 1] = 1;
    for (std::size_t r = i + 2; r < kOrder; ++r) v[r] = a[r][i];
    reflect(a, i + 1, factor, v);
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
  return std::ranges::all_of(eigenvalues, [](float eigenvalue) { return is_regular(eigenvalue); });
}

}  // namespace hipvmaf::speed
