// Arithmetic of SpEED's matrix routines on single elements, for host and device. Elements may be
// updated in any order and in parallel; what a routine sums, and in which order, its header says
// (speed_covariance.hpp, speed_eigen.hpp, speed_solve.hpp). Single precision unless written
// otherwise.
#pragma once

#include <cmath>

#include "features/speed/speed_tridiagonal_math.hpp"
#include "gpu/host_device.hpp"

namespace hipvmaf::speed {

// ---- Tridiagonal form ----

/// Turns a column's elements below the diagonal onto the first of them.
struct Reflector {
  float first;   ///< What the first of the elements becomes.
  float factor;  ///< Of the product of the reflector's vector with itself.
  float scale;   ///< Elements over this are the vector, whose first element is 1; 0: leave them.
};

/// `alpha` is the first of the elements, `norm` that of the others, not 0.
HIPVMAF_HD inline Reflector reflector_of(float alpha, float norm) {
  const float length = hypotenuse(alpha, norm);
  const float beta = alpha >= 0 ? -length : length;
  return {beta, (beta - alpha) / beta, alpha - beta};
}

/// Term of x = factor * A * v.
HIPVMAF_HD inline float reflected_term(float factor, float element, float v) {
  return (factor * element) * v;
}

/// What is added of v to x, for `product` = x * v.
HIPVMAF_HD inline float projection_correction(float factor, float product) {
  return static_cast<float>(-0.5 * static_cast<double>(factor) * static_cast<double>(product));
}

/// Element (r, j) of A - x * v^T - v * x^T.
HIPVMAF_HD inline float less_outer_products(float element, float x_r, float v_r, float x_j,
                                            float v_j) {
  return element - (x_r * v_j + v_r * x_j);
}

/// Whether an eigenvalue lets its matrix be inverted. Not a number does.
HIPVMAF_HD inline bool is_regular(float eigenvalue) {
  constexpr double smallest = 1e-6;
  return !(static_cast<double>(eigenvalue) < smallest);
}

// ---- Equations ----

/// Element of 1 - 2 v v^T.
HIPVMAF_HD inline float reflection_element(float v_i, float v_j, bool on_diagonal) {
  const float element = (-2 * v_i) * v_j;
  return on_diagonal ? element + 1 : element;
}

/// Whether a diagonal element can be divided by. Not a number can.
HIPVMAF_HD inline bool is_usable_pivot(float pivot) {
  constexpr double smallest = 1e-6;
  return !(static_cast<double>(std::abs(pivot)) < smallest);
}

}  // namespace hipvmaf::speed
