// Sizes that SpEED works with.
#pragma once

#include "features/options.hpp"
#include "features/speed/speed.hpp"
#include "gpu/host_device.hpp"

namespace hipvmaf::speed {

/// In samples; all follow from the size of a plane and the prescale option.
struct Geometry {
  int source_width = 0;  ///< Of the plane.
  int source_height = 0;
  bool resampled = false;  ///< If not, the scaled plane is the top left part of the source.
  int width = 0;           ///< After prescaling.
  int height = 0;

  [[nodiscard]] HIPVMAF_HD int decimated_width() const { return width / kDecimation; }
  [[nodiscard]] HIPVMAF_HD int decimated_height() const { return height / kDecimation; }
  [[nodiscard]] HIPVMAF_HD int block_columns() const { return decimated_width() / kBlockSide; }
  [[nodiscard]] HIPVMAF_HD int block_rows() const { return decimated_height() / kBlockSide; }
  [[nodiscard]] HIPVMAF_HD int blocks() const { return block_columns() * block_rows(); }
  /// Positions of a block-sized window inside the area that blocks cover.
  [[nodiscard]] HIPVMAF_HD int window_columns() const {
    return (block_columns() - 1) * kBlockSide + 1;
  }
  [[nodiscard]] HIPVMAF_HD int window_rows() const { return (block_rows() - 1) * kBlockSide + 1; }
};

[[nodiscard]] Geometry geometry_of(const OptionValues& options, int plane_width, int plane_height);

}  // namespace hipvmaf::speed
