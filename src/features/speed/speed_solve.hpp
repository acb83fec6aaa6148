// Systems of equations with a covariance matrix.
//
// Elements of a product are independent of each other, and so are the columns of X. The order of
// the sums is part of the definition: every sum of products (of norms, matrix products and back
// substitution) is single precision over ascending indices, each term rounded; terms that are zeros
// by construction may be left out. Reflections follow each other, and so do the rows of the back
// substitution, the last one first.
#pragma once

#include <cstddef>
#include <vector>

#include "features/speed/speed_matrix.hpp"

namespace hipvmaf::speed {

/// A matrix of 25 rows with a column per block; by rows.
class BlockColumns {
 public:
  explicit BlockColumns(int columns)
      : columns_(static_cast<std::size_t>(columns)), elements_(kOrder * columns_) {}

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] float* row(std::size_t i) { return elements_.data() + i * columns_; }
  [[nodiscard]] const float* row(std::size_t i) const { return elements_.data() + i * columns_; }

 private:
  std::size_t columns_;
  std::vector<float> elements_;
};

/// The transposed Q of the QR decomposition of a symmetric matrix: its product with the matrix is
/// upper triangular.
[[nodiscard]] Matrix transposed_q_of(const Matrix& symmetric);

/// Elements on and above the diagonal of `left` times `right`; the others stay 0.
[[nodiscard]] Matrix upper_product(const Matrix& left, const Matrix& right);

/// Solves covariance * X = `right`. False, with unspecified X, if the matrix is singular.
[[nodiscard]] bool solve(const Matrix& covariance, const BlockColumns& right, BlockColumns& x);

}  // namespace hipvmaf::speed
