// What a Model holds.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <hipvmaf/model.hpp>

#include "model/score_transform.hpp"
#include "model/svr.hpp"

namespace hipvmaf {

inline constexpr std::size_t kMaxModelFeatures = 64;

/// A linear map and its inverse: x = slope * v + intercept.
struct Rescale {
  double slope = 1;
  double intercept = 0;

  [[nodiscard]] double normalise(double value) const { return slope * value + intercept; }
  [[nodiscard]] double denormalise(double x) const { return (x - intercept) / slope; }
};

/// Where both videos have the same chroma (the guided feature is 0), that feature is inferred from
/// luma (the guiding feature).
struct ChromaCorrection {
  double parameter = 0;
  std::size_t guiding = 0;  ///< Index of the feature.
  std::size_t guided = 0;
};

struct Model::Data {
  std::string name;
  std::vector<ModelFeature> features;
  bool rescales = false;  ///< False: values go to the regression as they are.
  Rescale score_scale;
  std::vector<Rescale> feature_scales;  ///< One per feature.
  std::optional<ChromaCorrection> chroma;
  Svr svr;
  std::optional<ScoreTransform> transform;  ///< Set only if it is to be applied.
  std::optional<ScoreRange> range;
};

}  // namespace hipvmaf
