// What the extractors speed_chroma and speed_temporal share: Spatial Efficient Entropic
// Differencing (SpEED) of two pictures.
//
// Each picture is low-passed, decimated by 16 and freed of its local mean. Its 5x5 blocks are taken
// for Gaussian vectors with a common covariance, times a variance of each block's own. A block's
// entropy, with neural noise added, is then that of 25 Gaussians whose variances are the
// covariance's eigenvalues times the block's variance. The score is the mean over the blocks of
// |weighted entropy of the reference - weighted entropy of the distorted|.
//
// The result is ill-conditioned: all arithmetic is single precision unless written otherwise, and
// the order of operations is part of the definition.
#pragma once

#include <cstdint>
#include <string_view>

#include "features/feature.hpp"
#include "features/speed/speed_math.hpp"

namespace hipvmaf::speed {

/// Smallest width and height of a scaled plane: one block.
inline constexpr int kSmallestScaledSide = kDecimation * kBlockSide;
inline constexpr int kLargestPrescale = 4;

/// What is measured of a pair of planes.
struct PlaneScore {
  /// Mean difference of the block entropies, in bits; 0 if `singular`.
  float value = 0;
  /// 1 if the covariance of either picture has no usable inverse (flat, or very small, pictures),
  /// else 0.
  std::uint32_t singular = 0;

  bool operator==(const PlaneScore&) const = default;
};

inline constexpr OptionSpec kKernelScaleOption =
    real_option("speed_kernelscale", "ks", 1, 0.1, 4,
                "factor on the widths of both Gaussian filters; one of a list of values");
inline constexpr OptionSpec kPrescaleOption = real_option(
    "speed_prescale", "ps", 1, 0.1, kLargestPrescale,
    "factor on width and height before all else; scaled planes must be 80x80 or larger");
inline constexpr OptionSpec kPrescaleMethodOption =
    text_option("speed_prescale_method", "psm", "nearest",
                "how pictures are scaled: nearest, bilinear, bicubic or lanczos4");
inline constexpr OptionSpec kNeuralNoiseOption = real_option(
    "speed_sigma_nn", "snn", 0.29, 0.1, 2, "variance of the neural noise, added to every variance");
inline constexpr OptionSpec kNoiseFloorOption =
    real_option("speed_nn_floor", "nnf", 0, 0, 1,
                "raises the entropy below which blocks of both pictures count as invisible, as a "
                "share of the neural noise");
inline constexpr double kHighestScore = 1000;

/// Throws Error(invalid_option) for a kernel scale or a prescale method that is not in the list.
void check_options(std::string_view extractor, const OptionValues& options);

/// Throws Error(unsupported_format) if `plane` is too small once it is scaled.
void check_plane_size(std::string_view extractor, const OptionValues& options,
                      const PictureFormat& format, int plane);

}  // namespace hipvmaf::speed
