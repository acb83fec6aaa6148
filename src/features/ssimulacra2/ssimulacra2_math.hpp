// Per-pixel arithmetic of SSIMULACRA 2, for host and device. The score is ill-conditioned in
// binary32 - one changed rounding moves it in the second or third decimal - so every operation, and
// the order of the operands, is part of the definition.
#pragma once

#include <bit>
#include <cstdint>

#include "features/ssimulacra2/ssimulacra2_fma.hpp"
#include "gpu/host_device.hpp"

namespace hipvmaf::ssimulacra2 {

inline constexpr int kChannels = 3;  ///< X, Y and B; also R, G and B.
inline constexpr int kScales = 6;
inline constexpr int kSmallestSide = 8;  ///< Scales with a shorter side are left out.

/// Side of the next scale.
HIPVMAF_HD constexpr int halved_side(int side) { return (side + 1) / 2; }

// ---- From code values to linear light ----

struct Colour {
  float r, g, b;
};

/// Coefficients of one of the conversions from Y'CbCr to R'G'B'.
struct ColourMatrix {
  float luma_offset, luma_scale, chroma_scale;
  float red_from_v, green_from_u, green_from_v, blue_from_u;
};

/// `choice` is the value of the option yuv_matrix: BT.709 (0, 2) or BT.601 (1, 3), limited range
/// (0, 1) or full range (2, 3).
constexpr ColourMatrix colour_matrix(int choice) {
  const bool bt601 = choice % 2 == 1;
  const bool full_range = choice >= 2;
  const float kr = bt601 ? 0.299F : 0.2126F;
  const float kg = bt601 ? 0.587F : 0.7152F;
  const float kb = bt601 ? 0.114F : 0.0722F;
  return {.luma_offset = full_range ? 0.0F : 16.0F / 255.0F,
          .luma_scale = full_range ? 1.0F : 255.0F / 219.0F,
          .chroma_scale = full_range ? 1.0F : 255.0F / 224.0F,
          .red_from_v = 2.0F * (1.0F - kr),
          .green_from_u = -(((2.0F * kb) * (1.0F - kb)) / kg),
          .green_from_v = -(((2.0F * kr) * (1.0F - kr)) / kg),
          .blue_from_u = 2.0F * (1.0F - kb)};
}

/// What code values are multiplied with.
constexpr float sample_scale(int bit_depth) {
  return 1.0F / static_cast<float>((1 << bit_depth) - 1);
}

HIPVMAF_HD inline float scaled_chroma(int sample, float scale, const ColourMatrix& matrix) {
  return (static_cast<float>(sample) * scale - 0.5F) * matrix.chroma_scale;
}

HIPVMAF_HD inline float unit_clamped(float v) {
  const float positive = v > 0.0F ? v : 0.0F;
  return positive < 1.0F ? positive : 1.0F;
}

/// R'G'B' in 0..1 of a luma sample and scaled_chroma() of Cb and Cr. The conversion takes the same
/// offsets, of 8 bit, at every depth.
HIPVMAF_HD inline Colour coded_colour(int luma, float u, float v, float scale,
                                      const ColourMatrix& matrix) {
  const float y = (static_cast<float>(luma) * scale - matrix.luma_offset) * matrix.luma_scale;
  const float r = fused_multiply_add(matrix.red_from_v, v, y);
  const float g =
      fused_multiply_add(matrix.green_from_v, v, fused_multiply_add(matrix.green_from_u, u, y));
  const float b = fused_multiply_add(matrix.blue_from_u, u, y);
  return {unit_clamped(r), unit_clamped(g), unit_clamped(b)};
}

inline constexpr int kTransferSteps = 1023;

/// Linear light of a coded value in 0..1, between two entries of `table`: transfer_table().data().
HIPVMAF_HD inline float linear_light(float coded, const float* table) {
  const float position = coded * static_cast<float>(kTransferSteps);
  const int step = static_cast<int>(position);
  const float rest = position - static_cast<float>(step);
  return table[step] + (table[step + 1] - table[step]) * rest;
}

// ---- From linear light to XYB ----

struct Xyb {
  float x, y, b;
};

/// Cube root of a positive number to about 7e-7: a guess from the bits and two Newton steps.
HIPVMAF_HD inline float approximate_cube_root(float v) {
  constexpr float kThird = 1.0F / 3.0F;
  float root = std::bit_cast<float>(std::bit_cast<std::uint32_t>(v) / 3U + 0x2a5137a0U);
  root = (2.0F * root + v / (root * root)) * kThird;
  root = (2.0F * root + v / (root * root)) * kThird;
  return root;
}

/// Components are 0..1, so the responses of the cones are positive.
HIPVMAF_HD inline Xyb xyb_of(float r, float g, float b) {
  constexpr float kBias = 0x1.f12a6cp-9F;
  constexpr float kBiasRoot = 0x1.3f64f6p-3F;  // approximate_cube_root(kBias)
  const float l = ((0x1.333334p-2F * r + 0x1.3e76c8p-1F * g) + 0x1.3f7ceep-4F * b) + kBias;
  const float m = ((0x1.d70a3ep-3F * r + 0x1.624dd2p-1F * g) + 0x1.3f7ceep-4F * b) + kBias;
  const float s = ((0x1.f28798p-3F * r + 0x1.a35d1ep-3F * g) + 0x1.1a86d2p-1F * b) + kBias;
  const float long_root = approximate_cube_root(l) - kBiasRoot;
  const float medium_root = approximate_cube_root(m) - kBiasRoot;
  const float short_root = approximate_cube_root(s) - kBiasRoot;
  const float opponent = 0.5F * (long_root - medium_root);
  const float luminance = 0.5F * (long_root + medium_root);
  return {
      .x = opponent * 14.0F + 0.42F, .y = luminance + 0.01F, .b = (short_root - luminance) + 0.55F};
}

/// A pixel of the next scale, from two pixels of a row and the two below.
HIPVMAF_HD inline float halved(float a, float b, float c, float d) {
  return (((a + b) + c) + d) * 0.25F;
}

// ---- Recursive Gaussian, sigma 1.5 ----
//
// Value n of a blurred line is the sum of three second-order recursions, all driven by the sum of
// the samples n - kBlurBehind and n + kBlurAhead, in this order (samples outside the line are 0).
// They start kBlurAhead steps before the line, at rest, and never forget a rounding: a line cannot
// be cut into pieces. Planes are blurred along the rows first, then along the columns.

inline constexpr int kBlurAhead = 4;
inline constexpr int kBlurBehind = 6;
inline constexpr int kRecursions = 3;

/// Next value of a recursion after `last` and the one before it. The indices are constants, so that
/// devices need no table.
template <int kRecursion>
HIPVMAF_HD inline float blur_step(float drive, float last, float before_last) {
  constexpr float kGain[] = {0x1.c4fa84p-5F, -0x1.e1fd7ap-5F, 0x1.a8894ap-7F};
  constexpr float kFeedback[] = {-0x1.e6f0e2p+0F, -0x1.2cf23p+0F, -0x1.1a6264p-53F};
  return (kGain[kRecursion] * drive - kFeedback[kRecursion] * last) - before_last;
}

/// Value of the line, from those of the recursions 0, 1 and 2.
HIPVMAF_HD inline float blur_sum(float v0, float v1, float v2) { return (v0 + v1) + v2; }

// ---- Errors ----

/// Loss of structure, from the blurred pictures and the blurred products; 0 where there is none.
HIPVMAF_HD inline double structure_error(float mean_r, float mean_d, float rr, float dd, float rd) {
  constexpr float kC2 = 0.0009F;
  const float difference = mean_r - mean_d;
  const float luminance = 1.0F - difference * difference;
  const float covariance = 2.0F * (rd - mean_r * mean_d) + kC2;
  const float variances = ((rr - mean_r * mean_r) + (dd - mean_d * mean_d)) + kC2;
  const double error = 1.0 - static_cast<double>(luminance) * static_cast<double>(covariance) /
                                 static_cast<double>(variances);
  return error > 0 ? error : 0.0;
}

/// Relative change of the local contrast: positive where the distorted picture has edges that the
/// reference lacks (ringing), negative where it lost some (blurring).
HIPVMAF_HD inline double edge_change(float reference, float mean_r, float distorted, float mean_d) {
  const double edge_r = static_cast<double>(reference) - static_cast<double>(mean_r);
  const double edge_d = static_cast<double>(distorted) - static_cast<double>(mean_d);
  const double magnitude_r = edge_r < 0 ? -edge_r : edge_r;
  const double magnitude_d = edge_d < 0 ? -edge_d : edge_d;
  return (1.0 + magnitude_d) / (1.0 + magnitude_r) - 1.0;
}

/// Error maps, of an edge_change().
HIPVMAF_HD inline double ringing_error(double change) { return change > 0 ? change : 0.0; }
HIPVMAF_HD inline double blurring_error(double change) { return change < 0 ? -change : 0.0; }

HIPVMAF_HD inline double fourth_power(double error) { return (error * error) * (error * error); }

}  // namespace hipvmaf::ssimulacra2
