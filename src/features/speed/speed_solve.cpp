#include "features/speed/speed_solve.hpp"

#include <algorithm>
#include <cmath>

#include "features/speed/speed_matrix_math.hpp"

namespace hipvmaf::speed {
namespace {

float norm_of(const Vector& v) {
  float squares = 0;
  for (const float element : v) squares += element * element;
  return std::sqrt(squares);
}

/// The unit vector of the reflection that turns column k of `z` (from row k on) onto axis k.
Vector reflection_vector(const Matrix& z, std::size_t k, bool positive) {
  Vector v{};
  for (std::size_t i = k; i < kOrder; ++i) v[i] = z[i][k];
  const float norm = norm_of(v);
  v[k] = positive ? v[k] + norm : v[k] - norm;
  const float new_norm = norm_of(v);
  for (std::size_t i = k; i < kOrder; ++i) v[i] /= new_norm;
  return v;
}

/// Rows k and on of (1 - 2 v v^T) * m; v is 0 before row k.
void reflect_rows(const Vector& v, std::size_t k, Matrix& m) {
  const Matrix before = m;
  for (std::size_t i = k; i < kOrder; ++i) {
    Vector row{};
    for (std::size_t j = k; j < kOrder; ++j) {
      const float factor = reflection_element(v[i], v[j], i == j);
      for (std::size_t column = 0; column < kOrder; ++column)
        row[column] += factor * before[j][column];
    }
    m[i] = row;
  }
}

void multiply(const Matrix& left, const BlockColumns& right, BlockColumns& product) {
  const std::size_t columns = right.columns();
  for (std::size_t i = 0; i < kOrder; ++i) {
    float* sums = product.row(i);
    std::fill_n(sums, columns, 0.0F);
    for (std::size_t k = 0; k < kOrder; ++k) {
      const float factor = left[i][k];
      const float* row = right.row(k);
      for (std::size_t j = 0; j < columns; ++j) sums[j] += row[j] * factor;
    }
  }
}

/// Solves upper * X = x in place.
bool substitute_back(const Matrix& upper, BlockColumns& x) {
  const std::size_t columns = x.columns();
  for (std::size_t i = kOrder; i-- > 0;) {
    const float pivot = upper[i][i];
    if (!is_usable_pivot(pivot)) return false;
    float* unknowns = x.row(i);
    for (std::size_t k = i + 1; k < kOrder; ++k) {
      const float factor = upper[i][k];
      const float* known = x.row(k);
      for (std::size_t j = 0; j < columns; ++j) unknowns[j] -= known[j] * factor;
    }
    for (std::size_t j = 0; j < columns; ++j) unknowns[j] /= pivot;
  }
  return true;
}

}  // namespace

Matrix transposed_q_of(const Matrix& symmetric) {
  Matrix z = symmetric;
  Matrix q = kIdentity;
  for (std::size_t k = 0; k + 1 < kOrder; ++k) {
    const Vector v = reflection_vector(z, k, symmetric[k][k] >= 0);
    reflect_rows(v, k, z);
    reflect_rows(v, k, q);
  }
  return q;
}

Matrix upper_product(const Matrix& left, const Matrix& right) {
  Matrix product{};
  for (std::size_t i = 0; i < kOrder; ++i) {
    for (std::size_t k = 0; k < kOrder; ++k) {
      for (std::size_t j = i; j < kOrder; ++j) product[i][j] += left[i][k] * right[k][j];
    }
  }
  return product;
}

bool solve(const Matrix& covariance, const BlockColumns& right, BlockColumns& x) {
  const Matrix q = transposed_q_of(covariance);
  multiply(q, right, x);
  return substitute_back(upper_product(q, covariance), x);
}

}  // namespace hipvmaf::speed
