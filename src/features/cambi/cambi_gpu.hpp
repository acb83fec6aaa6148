// Parts of CAMBI on a GPU that serve all scales of both pictures at once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "features/cambi/cambi.hpp"
#include "features/cambi/cambi_visibility.hpp"
#include "gpu/buffer.hpp"
#include "gpu/stream.hpp"

namespace hipvmaf::cambi {

/// A scale of a picture. Its rows lie one after the other in the arrays of all scales.
struct ScalePlane {
  int width;
  int height;
  int first;  ///< Where it begins.
  int radius;
  bool is_reference;
  int scale;
  std::uint32_t pooled;  ///< How many contrasts are averaged.
};

/// Makes contrasts from the indices of levels.
class GpuContrasts {
 public:
  GpuContrasts(const std::vector<ScalePlane>& planes, const VisibleSteps& steps);

  void enqueue(gpu::Stream& stream, gpu::View1D<const std::uint16_t> indices,
               gpu::View1D<float> contrasts) const;

 private:
  int steps_;
  int level_count_;
  int largest_radius_;
  int plane_count_;
  bool uses_usual_window_ = false;
  int tile_rows_ = 0;
  unsigned most_tiles_ = 0;  ///< Of a plane.
  gpu::Buffer<ScalePlane> planes_;
  gpu::Buffer<std::uint8_t> first_steps_;
  gpu::Buffer<float> reciprocals_;
};

/// State of the search for the smallest contrast that is averaged, and of the sum.
struct Selection {
  std::uint32_t bits;       ///< Of that contrast, as far as it is known.
  std::uint32_t remaining;  ///< How many of those that begin with these bits are averaged.
  CambiSum larger;          ///< Sum of the larger ones; the fraction may exceed its limit.
};

/// Sums the largest contrasts.
class GpuPooling {
 public:
  explicit GpuPooling(const std::vector<ScalePlane>& planes);

  void enqueue(gpu::Stream& stream, gpu::View1D<const float> contrasts,
               gpu::View1D<CambiRaw> raw) const;

 private:
  int plane_count_;
  int most_strips_ = 0;  ///< Of a plane.
  gpu::Buffer<ScalePlane> planes_;
  gpu::Buffer<std::uint32_t> counts_;  ///< By digit, plane and value of the digit.
  gpu::Buffer<Selection> selections_;
};

}  // namespace hipvmaf::cambi
