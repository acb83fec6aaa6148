// Arithmetic of SpEED on samples and blocks, for host and device.
#pragma once

#include <cmath>

#include "features/resample/resample_math.hpp"
#include "features/speed/speed_log2_math.hpp"
#include "gpu/host_device.hpp"

namespace hipvmaf::speed {

/// Every kDecimation-th row and column of the low-passed picture is kept.
inline constexpr int kDecimation = 16;
inline constexpr int kBlockSide = 5;
inline constexpr int kBlockSamples = kBlockSide * kBlockSide;

/// A sample around mid-grey, in 8-bit code values. `unit` is 2^(8 - bit depth). Exact.
HIPVMAF_HD inline float centred_sample(int sample, float unit) {
  return static_cast<float>(sample) * unit - 128.0F;
}

/// Difference of two samples, in 8-bit code values. Exact.
HIPVMAF_HD inline float sample_difference(int earlier, int current, float unit) {
  return static_cast<float>(earlier - current) * unit;
}

/// A filter's sum around the sample `centre` of a row of `length`, in the order of the taps; `taps`
/// is odd, at most 2 * length - 1. Filters run down the columns first.
HIPVMAF_HD inline float filtered(const float* filter, int taps, const float* row, int centre,
                                 int length) {
  float sum = 0;
  for (int k = 0; k < taps; ++k)
    sum += filter[k] * row[resample::mirrored(centre - taps / 2 + k, length)];
  return sum;
}

/// Variance of a block times one direction's, with the neural noise, as an entropy in bits.
HIPVMAF_HD inline double gaussian_entropy(float variance) {
  constexpr double log2_of_2_pi_e = 4.0941911703612819;
  return log2_of(static_cast<double>(variance)) + log2_of_2_pi_e;
}

/// Variance of a block in the direction of an eigenvector, with the neural noise.
HIPVMAF_HD inline float noisy_variance(float eigenvalue, float block_variance, float noise) {
  const float positive = eigenvalue < 0 ? 0 : eigenvalue;
  return positive * block_variance + noise;
}

/// Term of a block's variance, which is their sum over the block's samples in order: a sample times
/// that of the whitened block.
HIPVMAF_HD inline float variance_term(float whitened, float sample) {
  return (whitened * sample) / static_cast<float>(kBlockSamples);
}

/// A block's entropy with one more eigenvalue; the eigenvalues follow in the order in which they
/// are found, from an entropy of 0 on.
HIPVMAF_HD inline float entropy_with(float entropy, float eigenvalue, float block_variance,
                                     float noise) {
  return static_cast<float>(static_cast<double>(entropy) +
                            gaussian_entropy(noisy_variance(eigenvalue, block_variance, noise)));
}

/// How block entropies are weighted: by log2 of 1 + block variances, of the reference (R) and the
/// distorted picture (D). The values are those of the option speed_weight_var_mode.
enum class Weighting {
  own = 0,                 ///< R by R, D by D.
  reference = 1,           ///< Both by R.
  distorted = 2,           ///< Both by D.
  mean = 3,                ///< Both by the mean.
  reference_and_mean = 4,  ///< R by R, D by the mean.
  mostly_reference = 5,    ///< R by R, D by 0.75 R + 0.25 D.
  mostly_distorted = 6,    ///< R by R, D by 0.25 R + 0.75 D.
};

struct Weights {
  double reference;
  double distorted;
};

/// Arguments of the weights' logarithms. Where one variance is added to 1, or two are added, that
/// sum is single precision, the rest double.
HIPVMAF_HD inline Weights weights_of(Weighting weighting, float variance_r, float variance_d) {
  const auto one_more = [](float variance) { return static_cast<double>(1 + variance); };
  const auto r = static_cast<double>(variance_r);
  const auto d = static_cast<double>(variance_d);
  const double mean = 1 + static_cast<double>(variance_r + variance_d) / 2;
  switch (weighting) {
    case Weighting::own:
      break;
    case Weighting::reference:
      return {one_more(variance_r), one_more(variance_r)};
    case Weighting::distorted:
      return {one_more(variance_d), one_more(variance_d)};
    case Weighting::mean:
      return {mean, mean};
    case Weighting::reference_and_mean:
      return {one_more(variance_r), mean};
    case Weighting::mostly_reference:
      return {one_more(variance_r), 1 + (0.75 * r + 0.25 * d)};
    case Weighting::mostly_distorted:
      return {one_more(variance_r), 1 + (0.25 * r + 0.75 * d)};
  }
  return {one_more(variance_r), one_more(variance_d)};
}

/// What one block adds to the score, the single-precision mean of these terms in the order of the
/// blocks, by rows. Nothing if the entropies of both pictures are below `visible`.
HIPVMAF_HD inline float weighted_difference(float entropy_r, float entropy_d, float visible,
                                            const Weights& weights) {
  if (entropy_r < visible && entropy_d < visible) return 0;
  const auto r = static_cast<float>(static_cast<double>(entropy_r) * log2_of(weights.reference));
  const auto d = static_cast<float>(static_cast<double>(entropy_d) * log2_of(weights.distorted));
  return std::abs(r - d);
}

}  // namespace hipvmaf::speed
