// Roots, trigonometric functions and the exponential in binary64, for host and device, on the
// ranges that CIEDE2000 needs them. They use additions, multiplications and divisions only, so
// every compiler, processor and device gives the same bits, and loops over them vectorise. Errors
// are a few 1e-16 relative; the results are rounded to binary32 afterwards.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::ciede {

inline constexpr double kPi = 3.14159265358979323846;

HIPVMAF_HD constexpr double widen(float value) { return static_cast<double>(value); }

/// About x^(-1/n) for x > 0, from its binary32 representation: the logarithm is nearly linear in
/// the bits. `bias` centres the error.
HIPVMAF_HD inline double rough_inverse_root(double x, float inverse_n, float bias) {
  const auto rounded = static_cast<float>(x);
  const auto bits = std::bit_cast<std::int32_t>(rounded);
  const auto root_bits = static_cast<std::int32_t>(bias - inverse_n * static_cast<float>(bits));
  return widen(std::bit_cast<float>(root_bits));
}

/// x^(1/3) for positive x within the range of binary32.
HIPVMAF_HD inline double cube_root(double x) {
  // With e = 1 - x r^3, x^(-1/3) is r (1 - e)^(-1/3); its series to e^3 leaves 0.15 e^4. The first
  // |e| is below 0.103, the second below 5e-5.
  double r = rough_inverse_root(x, 1.0F / 3.0F, 1419900544.0F);
  for (int step = 0; step < 2; ++step) {
    const double e = 1.0 - x * r * (r * r);
    r += r * (e * (1.0 / 3.0 + e * (2.0 / 9.0 + e * (14.0 / 81.0))));
  }
  return x * (r * r);
}

/// x^2.4 for positive x whose square is within the range of binary32.
HIPVMAF_HD inline double power_2_4(double x) {
  // x^2 times the fifth root of x^2, which is x^2 r^4 with r -> (x^2)^(-1/5), as above: the series
  // to e^4 leaves 0.06 e^5. The first |e| is below 0.155, the second below 3e-5.
  const double square = x * x;
  double r = rough_inverse_root(square, 1.0F / 5.0F, 1277905408.0F);
  for (int step = 0; step < 2; ++step) {
    const double r2 = r * r;
    const double e = 1.0 - square * r * (r2 * r2);
    r += r * (e * (1.0 / 5.0 + e * (3.0 / 25.0 + e * (11.0 / 125.0 + e * (44.0 / 625.0)))));
  }
  const double r2 = r * r;
  return square * (square * (r2 * r2));
}

struct SinCos {
  double sin;
  double cos;
};

/// For |x| up to 100.
HIPVMAF_HD inline SinCos sin_cos(double x) {
  // Pi/2 in two parts; the first has 31 bits, so its product with a quadrant is exact.
  constexpr double kQuarterHigh = 0x1.921fb544p+0;
  constexpr double kQuarterLow = 6.0771005065061926e-11;
  const double turns = x * (2.0 / kPi);
  const auto quadrant = static_cast<int>(turns + (turns < 0 ? -0.5 : 0.5));
  const double q = quadrant;
  const double r = (x - q * kQuarterHigh) - q * kQuarterLow;  // |r| <= pi/4
  const double z = r * r;

  // Taylor series; the first terms left out are below 1e-16.
  double s = -1.0 / 1307674368000.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  s = r + r * z * s;
  double c = 1.0 / 20922789888000.0;
  c = c * z - 1.0 / 87178291200.0;
  c = c * z + 1.0 / 479001600.0;
  c = c * z - 1.0 / 3628800.0;
  c = c * z + 1.0 / 40320.0;
  c = c * z - 1.0 / 720.0;
  c = c * z + 1.0 / 24.0;
  c = c * z - 0.5;
  c = 1.0 + z * c;

  const bool odd = (quadrant & 1) != 0;
  const double sine = odd ? c : s;
  const double cosine = odd ? s : c;
  return {(quadrant & 2) != 0 ? -sine : sine, ((quadrant + 1) & 2) != 0 ? -cosine : cosine};
}

/// exp(-x) for 0 <= x <= 700.
HIPVMAF_HD inline double exp_of_minus(double x) {
  // ln 2 in two parts; the first has 32 bits.
  constexpr double kLn2High = 0.6931471803691238;
  constexpr double kLn2Low = 1.9082149292705878e-10;
  const auto halvings = static_cast<int>(x * (1.0 / (kLn2High + kLn2Low)) + 0.5);
  const double k = halvings;
  const double r = (k * kLn2High - x) + k * kLn2Low;  // |r| <= ln(2) / 2

  // Taylor series, as above.
  double sum = 1.0 / 6227020800.0;
  sum = sum * r + 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  const std::int64_t scale_bits = static_cast<std::int64_t>(1023 - halvings) << 52;
  return sum * std::bit_cast<double>(scale_bits);
}

/// Steps per unit of a table of arcus tangents.
inline constexpr int kArcSteps = 16;

/// atan(step / kArcSteps) for step = 0 .. kArcSteps.
HIPVMAF_HD inline double arc_of_step(int step) {
  static constexpr double kArcs[] = {
      0,
      0.062418809995957348474,
      0.12435499454676143503,
      0.18534794999569476489,
      0.24497866312686415417,
      0.30288486837497140556,
      0.3587706702705722204,
      0.4124104415973873069,
      0.46364760900080611621,
      0.51238946031073770667,
      0.55859931534356243597,
      0.60228734613496418168,
      0.6435011087932843868,
      0.68231655487474807826,
      0.71882999962162450542,
      0.75315128096219438952,
      0.78539816339744830962,
  };
  return kArcs[step];
}

/// Angle of the point (x, y), not the origin, from the x axis: -pi to pi.
HIPVMAF_HD inline double angle_of(float y, float x) {
  const float ax = x < 0 ? -x : x;
  const float ay = y < 0 ? -y : y;
  const bool steep = ay > ax;
  const float longer = steep ? ay : ax;
  const float shorter = steep ? ax : ay;
  // atan(u) = atan(c) + atan((u - c) / (1 + u c)) with the table's c next to u; then |t| <= 1/32.
  const auto step = static_cast<int>(shorter / longer * static_cast<float>(kArcSteps) + 0.5F);
  const double c = step * (1.0 / kArcSteps);
  const double l = widen(longer);
  const double s = widen(shorter);
  const double t = (s - c * l) / (l + c * s);
  const double z = t * t;
  double series = 1.0 / 9.0;
  series = series * z - 1.0 / 7.0;
  series = series * z + 1.0 / 5.0;
  series = series * z - 1.0 / 3.0;
  double angle = arc_of_step(step) + (t + t * z * series);
  if (steep) angle = kPi / 2.0 - angle;
  if (x < 0) angle = kPi - angle;
  return y < 0 ? -angle : angle;
}

}  // namespace hipvmaf::ciede
