#include "features/speed/speed_geometry.hpp"

#include <cmath>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"
#include "features/gaussian/scaled_gaussian.hpp"
#include "features/resample/resample.hpp"
#include "features/scored_planes.hpp"

namespace hipvmaf::speed {
namespace {

// Scales as near to 1 as this crop the picture instead.
constexpr double kNoScaling = 1e-3;

}  // namespace

Geometry geometry_of(const OptionValues& options, int plane_width, int plane_height) {
  const double prescale = options.real(kPrescaleOption.name);
  Geometry geometry{.source_width = plane_width,
                    .source_height = plane_height,
                    .width = resample::scaled_side(plane_width, prescale),
                    .height = resample::scaled_side(plane_height, prescale)};
  if (std::abs(prescale - 1) >= kNoScaling) {
    geometry.resampled = geometry.width != plane_width || geometry.height != plane_height;
  } else if (geometry.width > plane_width || geometry.height > plane_height) {
    geometry.width = plane_width;
    geometry.height = plane_height;
  }
  return geometry;
}

void check_options(std::string_view extractor, const OptionValues& options) {
  require_kernel_scale(extractor, kKernelScaleOption.name, options.real(kKernelScaleOption.name));
  const auto& method = options.get<std::string>(kPrescaleMethodOption.name);
  if (resample::find_method(method)) return;
  throw Error(ErrorCode::invalid_option,
              fmt::format("option {} of extractor {}: '{}' is none of {}",
                          kPrescaleMethodOption.name, extractor, method, resample::kMethodNames));
}

void check_plane_size(std::string_view extractor, const OptionValues& options,
                      const PictureFormat& format, int plane) {
  const Geometry geometry =
      geometry_of(options, scored_width(format, plane), scored_height(format, plane));
  if (geometry.blocks() > 0) return;
  throw Error(
      ErrorCode::unsupported_format,
      fmt::format("extractor {0} needs {1} of at least {2}x{2} after scaling by {3}; in "
                  "videos of {4} they are {5}x{6}: use larger videos or raise {3} (now {7})",
                  extractor, plane == 0 ? "luma planes" : "chroma planes", kSmallestScaledSide,
                  kPrescaleOption.name, format.describe(), geometry.width, geometry.height,
                  format_general(options.real(kPrescaleOption.name))));
}

}  // namespace hipvmaf::speed
