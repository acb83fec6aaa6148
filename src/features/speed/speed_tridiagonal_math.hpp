// Eigenvalues of a symmetric tridiagonal matrix by QR steps with implicit shifts, for host and
// device. Single precision unless written otherwise.
#pragma once

#include <cmath>

#include "gpu/host_device.hpp"

namespace hipvmaf::speed {

/// More steps than this are not made; the values reached are used as they are.
inline constexpr int kMostSteps = 500;
/// Relative size below which an off-diagonal element, or a shift, counts as zero.
inline constexpr double kNegligible = 1e-6;

HIPVMAF_HD inline float hypotenuse(float a, float b) { return std::sqrt(a * a + b * b); }

struct Rotation {
  float cosine;
  float sine;
};

/// 1 / sqrt(1 + t^2), rounded once.
HIPVMAF_HD inline float reciprocal_hypotenuse(float t) {
  return static_cast<float>(1 / std::sqrt(static_cast<double>(1 + t * t)));
}

/// The rotation that turns (x, z) onto the first axis.
HIPVMAF_HD inline Rotation rotation_of(float x, float z) {
  if (z == 0) return {1, 0};
  if (std::abs(z) > std::abs(x)) {
    const float t = -x / z;
    const float sine = reciprocal_hypotenuse(t);
    return {sine * t, sine};
  }
  const float t = -z / x;
  const float cosine = reciprocal_hypotenuse(t);
  return {cosine, cosine * t};
}

/// Eigenvalue of [[a, t], [t, b]] that is nearer to b.
HIPVMAF_HD inline float wilkinson_shift(float a, float b, float t) {
  const float half = (a - b) / 2;
  if (half > 0) return b - t * (t / (half + hypotenuse(half, t)));
  if (half < 0) return b + t * (t / (-half + hypotenuse(half, t)));
  return b - std::abs(t);
}

/// Zeroes the negligible ones of the `size` - 1 off-diagonal elements.
HIPVMAF_HD inline void drop_negligible(const float* diagonal, float* off_diagonal, int size) {
  for (int i = 0; i + 1 < size; ++i) {
    const float scale = std::abs(diagonal[i]) + std::abs(diagonal[i + 1]);
    if (static_cast<double>(std::abs(off_diagonal[i])) < kNegligible * static_cast<double>(scale))
      off_diagonal[i] = 0;
  }
}

/// One step on a block of at least two rows that has no zero beside the diagonal. The bulge that
/// the first rotation makes is chased down; at row k, `bulge` is what has left the three diagonals.
HIPVMAF_HD inline void qr_step(float* diagonal, float* off_diagonal, int size) {
  float shift = wilkinson_shift(diagonal[size - 2], diagonal[size - 1], off_diagonal[size - 2]);
  const float scale = std::abs(diagonal[0]) + std::abs(off_diagonal[0]);
  if (kNegligible * static_cast<double>(std::abs(shift)) > static_cast<double>(scale)) shift = 0;

  float x = diagonal[0] - shift;
  float z = off_diagonal[0];
  float above = 0;  // Off-diagonal element of the row before.
  float bulge = 0;
  float diag_p = diagonal[0];
  float diag_q = diagonal[1];
  float off_p = off_diagonal[0];
  float off_q = size > 2 ? off_diagonal[1] : 0;
  for (int k = 0; k + 1 < size; ++k) {
    const auto [c, s] = rotation_of(x, z);
    const float above_k = c * above - s * bulge;
    const float diag_k = c * (c * diag_p - s * off_p) + s * (s * diag_q - c * off_p);
    const float off_k = c * (s * diag_p + c * off_p) - s * (s * off_p + c * diag_q);
    const float bulge_k = -s * off_q;
    const float next_diag = s * (s * diag_p + c * off_p) + c * (s * off_p + c * diag_q);
    const float next_off = c * off_q;

    diagonal[k] = diag_k;
    if (k > 0) off_diagonal[k - 1] = above_k;
    if (k + 2 < size) {
      off_diagonal[k + 1] = next_off;
      diag_q = diagonal[k + 2];
    }
    if (k + 3 < size) off_q = off_diagonal[k + 2];
    above = off_k;
    bulge = bulge_k;
    diag_p = next_diag;
    off_p = next_off;
    x = above;
    z = bulge;
  }
  diagonal[size - 1] = diag_p;
  off_diagonal[size - 2] = above;
}

/// Turns `diagonal` (`size` elements) into the eigenvalues, in no order, and the `size` - 1
/// off-diagonal elements into zeros, or nearly so if kMostSteps do not suffice.
HIPVMAF_HD inline void diagonalise(float* diagonal, float* off_diagonal, int size) {
  drop_negligible(diagonal, off_diagonal, size);
  int last = size - 1;
  int steps = 0;
  while (last > 0 && steps < kMostSteps) {
    if (off_diagonal[last - 1] == 0) {
      --last;
      continue;
    }
    int first = last - 1;
    while (first > 0 && off_diagonal[first - 1] != 0) --first;
    const int block = last - first + 1;
    qr_step(diagonal + first, off_diagonal + first, block);
    drop_negligible(diagonal + first, off_diagonal + first, block);
    ++steps;
  }
}

}  // namespace hipvmaf::speed
