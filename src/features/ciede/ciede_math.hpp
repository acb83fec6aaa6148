// Per-pixel arithmetic of CIEDE2000, for host and device: YCbCr to L*a*b* and the colour
// difference. What is binary32 and what binary64 is part of the definition; names follow Sharma,
// Wu, Dalal (2005).
#pragma once

#include <cmath>

#include "features/ciede/ciede_functions.hpp"
#include "features/ciede/ciede_power.hpp"
#include "gpu/host_device.hpp"

namespace hipvmaf::ciede {

/// Turns samples of some depth into signals: limited range, luma 0 to 1, chroma -0.5 to 0.5.
struct SampleScale {
  double black;
  double neutral;
  double luma;
  double chroma;
};

HIPVMAF_HD inline SampleScale sample_scale(int bit_depth) {
  const double q = 1 << (bit_depth - 8);
  return {16.0 * q, 128.0 * q, 1.0 / (219.0 * q), 1.0 / (224.0 * q)};
}

struct Lab {
  float l;
  float a;
  float b;
};

/// Light of a BT.709-like channel signal. Signals are not clipped to 0..1.
HIPVMAF_HD inline double linear_light(double signal) {
  constexpr double kToe = 10.0 / 255.0;
  const bool above = signal > kToe;
  const double power = power_2_4(above ? (signal + 0.055) * (1.0 / 1.055) : 1.0);
  return above ? power : signal * (1.0 / 12.92);
}

/// The companding of L*a*b*: a cube root with a linear part near black.
HIPVMAF_HD inline float companded(double t) {
  constexpr double kToe = 216.0 / 24389.0;
  const bool above = t > kToe;
  const double root = cube_root(above ? t : 1.0);
  return static_cast<float>(above ? root : (24389.0 / 27.0 * t + 16.0) * (1.0 / 116.0));
}

HIPVMAF_HD inline Lab lab_of(int luma, int cb, int cr, const SampleScale& scale) {
  const double y = (luma - scale.black) * scale.luma;
  const double u = (cb - scale.neutral) * scale.chroma;
  const double v = (cr - scale.neutral) * scale.chroma;
  const double red = linear_light(y + 1.28033 * v);
  const double green = linear_light(y - 0.21482 * u - 0.38059 * v);
  const double blue = linear_light(y + 2.12798 * u);

  const double x_d65 =
      0.4124564390896921 * red + 0.357576077643909 * green + 0.18043748326639894 * blue;
  const double y_d65 =
      0.21267285140562248 * red + 0.715152155287818 * green + 0.07217499330655958 * blue;
  const double z_d65 =
      0.019333895582329317 * red + 0.119192025881303 * green + 0.9503040785363677 * blue;
  const double fx = widen(companded(x_d65 * (1.0 / 0.95047)));
  const double fy = widen(companded(y_d65));
  const double fz = widen(companded(z_d65 * (1.0 / 1.08883)));
  return {static_cast<float>(116.0 * fy - 16.0), static_cast<float>(500.0 * (fx - fy)),
          static_cast<float>(200.0 * (fy - fz))};
}

HIPVMAF_HD inline float chroma_of(float a, float b) {
  const double wide_a = widen(a);
  const double wide_b = widen(b);
  return static_cast<float>(std::sqrt(wide_a * wide_a + wide_b * wide_b));
}

/// Hue angle, 0 to 2 pi; 0 for grey.
HIPVMAF_HD inline float hue_of(float a, float b) {
  if (a == 0 && b == 0) return 0;
  const auto angle = static_cast<float>(angle_of(b, a));
  return angle < 0 ? static_cast<float>(widen(angle) + 2.0 * kPi) : angle;
}

/// Whether two hues are more than half a turn apart.
HIPVMAF_HD inline bool hues_wrap(float h1, float h2) { return widen(std::fabs(h1 - h2)) > kPi; }

HIPVMAF_HD inline float hue_difference(float h1, float h2) {
  const float difference = h2 - h1;
  if (!hues_wrap(h1, h2)) return difference;
  const double wide = widen(difference);
  return static_cast<float>(h2 <= h1 ? wide + 2.0 * kPi : wide - 2.0 * kPi);
}

HIPVMAF_HD inline float mean_hue(float h1, float h2) {
  const double sum = widen(h1 + h2);
  return static_cast<float>((hues_wrap(h1, h2) ? sum + 2.0 * kPi : sum) / 2.0);
}

/// T: 1 - 0.17 cos(h - pi/6) + 0.24 cos(2h) + 0.32 cos(3h + pi/30) - 0.20 cos(4h - 7 pi/20).
HIPVMAF_HD inline float hue_weight(float hue) {
  constexpr double kCos6 = 0.86602540378443864676;   // of pi/6
  constexpr double kCos30 = 0.99452189536827333692;  // of pi/30
  constexpr double kSin30 = 0.10452846326765347140;
  constexpr double kCos7_20 = 0.45399049973954679156;  // of 7 pi/20
  constexpr double kSin7_20 = 0.89100652418836786236;
  const auto [s1, c1] = sin_cos(widen(hue));
  const double s2 = 2.0 * s1 * c1;
  const double c2 = c1 * c1 - s1 * s1;
  const double s3 = s2 * c1 + c2 * s1;
  const double c3 = c2 * c1 - s2 * s1;
  const double s4 = 2.0 * s2 * c2;
  const double c4 = c2 * c2 - s2 * s2;
  return static_cast<float>(1.0 - 0.17 * (c1 * kCos6 + s1 * 0.5) + 0.24 * c2 +
                            0.32 * (c3 * kCos30 - s3 * kSin30) -
                            0.20 * (c4 * kCos7_20 + s4 * kSin7_20));
}

/// R_T, the interaction of chroma and hue in the blue region. 0 stands for what is too small to
/// change the difference. `seventh_power` is powf(x, 7) of the host's library.
template <class SeventhPower = LibraryPower>
HIPVMAF_HD inline float rotation(float mean_chroma, float hue,
                                 const SeventhPower& seventh_power = {}) {
  const auto degrees = static_cast<float>(widen(hue) * (180.0 / kPi));
  const auto g = static_cast<float>((widen(degrees) - 275.0) * (1.0 / 25.0));
  const float square = g * g;
  if (square > 40.0F) return 0;  // |R_T| < 2^-55
  const auto turn_degrees = static_cast<float>(60.0 * exp_of_minus(widen(square)));
  const auto turn = static_cast<float>(widen(turn_degrees) * (kPi / 180.0));
  const float power = seventh_power(mean_chroma);
  const float ratio = power / (power + 6103515648.0F);
  return static_cast<float>(-2.0 * std::sqrt(widen(ratio)) * sin_cos(widen(turn)).sin);
}

/// G, by which the a axis is stretched for colours of low chroma.
HIPVMAF_HD inline double axis_stretch(float mean_chroma) {
  const double c = widen(mean_chroma);
  const double square = c * c;
  const double power = square * square * square * c;
  return 1.0 - std::sqrt(power / (power + 6103515625.0));
}

HIPVMAF_HD inline float stretched(float a, double stretch) {
  return static_cast<float>(widen(a) + widen(a / 2.0F) * stretch);
}

/// Lightness weight S_L.
HIPVMAF_HD inline float lightness_weight(float mean_lightness) {
  const double m = widen(mean_lightness - 50.0F);
  return static_cast<float>(1.0 + 0.015 * (m * m) / std::sqrt(20.0 + m * m));
}

/// CIEDE2000 difference of two colours with k_L = 0.65, k_C = 1, k_H = 4.
template <class SeventhPower = LibraryPower>
HIPVMAF_HD inline float difference(const Lab& lab1, const Lab& lab2,
                                   const SeventhPower& seventh_power = {}) {
  const float chroma1 = chroma_of(lab1.a, lab1.b);
  const float chroma2 = chroma_of(lab2.a, lab2.b);
  const double stretch = axis_stretch((chroma1 + chroma2) / 2.0F);
  const float a1 = stretched(lab1.a, stretch);
  const float a2 = stretched(lab2.a, stretch);
  const float c1 = chroma_of(a1, lab1.b);
  const float c2 = chroma_of(a2, lab2.b);
  const float mean_c = (c1 + c2) / 2.0F;
  const float h1 = hue_of(a1, lab1.b);
  const float h2 = hue_of(a2, lab2.b);
  const float mean_h = mean_hue(h1, h2);

  const bool grey = chroma1 == 0 || chroma2 == 0;
  const float delta_h = grey ? 0.0F : hue_difference(h1, h2);
  const auto delta_hue =
      static_cast<float>(2.0 * std::sqrt(widen(c1 * c2)) * sin_cos(widen(delta_h) / 2.0).sin);

  const auto weight_c = static_cast<float>(1.0 + 0.045 * widen(mean_c));
  const auto weight_h = static_cast<float>(1.0 + 0.015 * widen(mean_c) * widen(hue_weight(mean_h)));
  const float lightness = (lab2.l - lab1.l) / (0.65F * lightness_weight((lab1.l + lab2.l) / 2.0F));
  const float chroma = (c2 - c1) / weight_c;
  const float hue = delta_hue / (4.0F * weight_h);
  const float mixed = rotation(mean_c, mean_h, seventh_power) * chroma * hue;
  const auto square = [](float value) { return widen(value) * widen(value); };
  return static_cast<float>(
      std::sqrt(square(lightness) + square(chroma) + square(hue) + widen(mixed)));
}

}  // namespace hipvmaf::ciede
