// Eigenvalues of a covariance matrix.
#pragma once

#include "features/speed/speed_matrix.hpp"

namespace hipvmaf::speed {

/// Eigenvalues of a matrix that is symmetric to the bit, in no order. Rounding decides whether
/// those of a matrix without full rank come out below zero, so the steps are part of the
/// definition: Householder reflections of the columns 0 to 22, one after the other, then
/// diagonalise(). Within a reflection elements are independent of each other; every sum (of squares
/// below the diagonal, of the elements of x = factor * A * v, of x * v) is single precision over
/// ascending indices from 0.
[[nodiscard]] Vector eigenvalues_of(const Matrix& symmetric);

/// Whether no eigenvalue is zero or negative.
[[nodiscard]] bool is_regular(const Vector& eigenvalues);

}  // namespace hipvmaf::speed
