// Eigenvalues of a covariance matrix.
#pragma once

#include "features/speed/speed_matrix.hpp"

namespace hipvmaf::speed {

/// Eigenvalues of a matrix that is symmetric to the bit, in no order. Rounding decides whether
/// those of a matrix without full rank come out below zero, so the steps are part of the
/// definition.
[[nodiscard]] Vector eigenvalues_of(const Matrix& symmetric);

/// Whether no eigenvalue is zero or negative.
[[nodiscard]] bool is_regular(const Vector& eigenvalues);

}  // namespace hipvmaf::speed
