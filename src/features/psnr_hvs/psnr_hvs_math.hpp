// Per-block arithmetic of PSNR-HVS, for host and device. Samples and coefficients of an 8x8 block
// are kStride apart in raster order, so that blocks can lie side by side, one per vector lane. All
// samples are below 4096: then every intermediate value fits 32 bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/host_device.hpp"

namespace hipvmaf::psnr_hvs {

inline constexpr int kBlockSide = 8;
inline constexpr int kBlockSize = kBlockSide * kBlockSide;
/// From one block to the next in both directions: blocks share a column or a row of samples.
inline constexpr int kBlockStep = 7;

/// Blocks along a side of that many samples; those that would stick out are left out.
HIPVMAF_HD constexpr int blocks_along(int samples) {
  return samples < kBlockSide ? 0 : (samples - kBlockSide) / kBlockStep + 1;
}

// ---- Integer DCT ----

/// v * kFactor / 2^kShift, halves rounded up: a lifting step of the transform.
template <int kFactor, int kShift>
HIPVMAF_HD constexpr std::int32_t lifted(std::int32_t v) {
  return (v * kFactor + (1 << (kShift - 1))) >> kShift;
}

/// DCT of eight values that are kStride apart, in place. It is made of lifting steps, each of which
/// rounds; their order is part of the result. A constant v gives about 2.8 v.
template <int kStride>
HIPVMAF_HD constexpr void transform8(std::int32_t* values) {
  const auto at = [values](int k) -> std::int32_t& { return values[k * kStride]; };

  // Sums and differences of mirrored pairs; the halves that are kept undo each other later.
  std::int32_t d07 = at(0) - at(7);
  const std::int32_t half07 = d07 / 2;
  const std::int32_t m07 = at(0) - half07;
  const std::int32_t s16 = at(1) + at(6);
  std::int32_t d16 = at(6) - s16 / 2;
  std::int32_t d25 = at(2) - at(5);
  const std::int32_t m25 = at(2) - d25 / 2;
  const std::int32_t s34 = at(3) + at(4);
  std::int32_t d34 = s34 / 2 - at(4);

  // Even half: a DCT of four.
  std::int32_t x0 = m07 + s34 / 2;
  std::int32_t x6 = x0 - s34;
  std::int32_t x2 = s16 / 2 - m25;
  std::int32_t x4 = x2 - s16;
  x0 -= lifted<13573, 15>(x4);
  x4 += lifted<11585, 14>(x0);
  x0 -= lifted<13573, 15>(x4);
  x6 -= lifted<21895, 15>(x2);
  x2 += lifted<15137, 14>(x6);
  x6 -= lifted<21895, 15>(x2);

  // Odd half: a sine transform of four.
  d25 += lifted<19195, 15>(d16);
  d16 += lifted<11585, 14>(d25);
  d25 -= lifted<7489, 13>(d16);
  d34 = d16 / 2 - d34;
  d16 -= d34;
  d25 = half07 - d25;
  d07 -= d25;
  d34 += lifted<3227, 15>(d07);
  d07 -= lifted<6393, 15>(d34);
  d34 += lifted<3227, 15>(d07);
  d16 += lifted<2485, 13>(d25);
  d25 -= lifted<18205, 15>(d16);
  d16 += lifted<2485, 13>(d25);

  at(0) = x0;
  at(1) = d07;
  at(2) = x2;
  at(3) = d25;
  at(4) = x4;
  at(5) = d16;
  at(6) = x6;
  at(7) = d34;
}

// ---- Masking ----

/// Sample k, in raster order, of a square of kSide by kSide within a block.
template <int kSide, int kStride>
HIPVMAF_HD constexpr float square_sample(const std::int32_t* square, int k) {
  const int at = kBlockSide * (k / kSide) + k % kSide;
  return static_cast<float>(square[at * kStride]);
}

/// Mean of such a square; exact.
template <int kSide, int kStride>
HIPVMAF_HD inline float square_mean(const std::int32_t* square) {
  float sum = 0;
  for (int k = 0; k < kSide * kSide; ++k) sum += square_sample<kSide, kStride>(square, k);
  return sum / static_cast<float>(kSide * kSide);
}

/// Sum of the squared distances of its samples from the mean. Sequential in raster order, in
/// binary32.
template <int kSide, int kStride>
HIPVMAF_HD inline float squared_deviation(const std::int32_t* square, float mean) {
  float deviation = 0;
  for (int k = 0; k < kSide * kSide; ++k) {
    const float distance = square_sample<kSide, kStride>(square, k) - mean;
    deviation += distance * distance;
  }
  return deviation;
}

/// Where a quadrant of a block begins, in samples: top left, bottom left, top right, bottom right.
HIPVMAF_HD constexpr int quadrant_start(int quadrant) {
  return kBlockSide / 2 * (kBlockSide * (quadrant % 2) + quadrant / 2);
}

/// Variance within the quadrants over that of the whole block, from squared_deviation() of each:
/// small at an edge, which masks less than texture does.
HIPVMAF_HD inline float variance_ratio(float block, float top_left, float bottom_left,
                                       float top_right, float bottom_right) {
  constexpr float kBlockFactor = (1.0F / 63.0F) * 64.0F;
  constexpr float kQuadrantFactor = (1.0F / 15.0F) * 16.0F;
  const float whole = block * kBlockFactor;
  const float quadrants =
      ((top_left * kQuadrantFactor + bottom_left * kQuadrantFactor) + top_right * kQuadrantFactor) +
      bottom_right * kQuadrantFactor;
  return quadrants / (whole > 0 ? whole : 1.0F);  // a flat block has flat quadrants: 0
}

/// Energy of the coefficients except DC, weighted by how much each masks. Sequential in raster
/// order.
template <int kStride>
HIPVMAF_HD inline float masking_energy(const std::int32_t* coefficients, const float* masking) {
  float energy = 0;
  for (int k = 1; k < kBlockSize; ++k) {
    // A coefficient is exact in binary32, so this is its exact square, rounded once.
    const auto coefficient = static_cast<float>(coefficients[k * kStride]);
    energy += (coefficient * coefficient) * masking[k];
  }
  return energy;
}

/// What a picture's block masks, in units of a coefficient's masking weight.
HIPVMAF_HD inline float masking_threshold(float energy, float ratio) {
  return std::sqrt(energy * ratio) / 32.0F;
}

/// What a block masks: as much as the picture in which it masks more.
HIPVMAF_HD constexpr float block_threshold(float reference, float distorted) {
  return distorted > reference ? distorted : reference;
}

// ---- Errors ----

/// Squared visible error of the DC coefficient, which nothing masks.
HIPVMAF_HD inline float dc_term(std::int32_t reference, std::int32_t distorted, float sensitivity) {
  const std::int32_t difference = reference - distorted;
  const auto error = static_cast<float>(difference < 0 ? -difference : difference);
  const float weighted = error * sensitivity;
  return weighted * weighted;
}

/// Squared visible error of another coefficient: what exceeds the threshold counts.
HIPVMAF_HD inline float ac_term(std::int32_t reference, std::int32_t distorted, float sensitivity,
                                float masking, float threshold) {
  const std::int32_t difference = reference - distorted;
  const auto error = static_cast<float>(difference < 0 ? -difference : difference);
  const float masked = threshold / masking;
  const float visible = error < masked ? 0.0F : error - masked;
  const float weighted = visible * sensitivity;
  return weighted * weighted;
}

}  // namespace hipvmaf::psnr_hvs
