#include "features/resample/resample.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace hipvmaf::resample {
namespace {

constexpr int kCubicFirst = -1;
constexpr int kLanczosLobes = 4;

// Keys' cubic convolution with a = -0.75.
float cubic_weight(float distance) {
  constexpr float a = -0.75F;
  const float t = std::abs(distance);
  if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  if (t < 2) return (((t - 5) * t + 8) * t - 4) * a;
  return 0;
}

float lanczos_weight(float distance) {
  if (distance == 0) return 1;
  if (distance <= -kLanczosLobes || distance >= kLanczosLobes) return 0;
  constexpr double pi = std::numbers::pi;
  const auto t = static_cast<double>(distance);
  return static_cast<float>(((kLanczosLobes * std::sin(pi * t)) * std::sin((pi * t) / 4)) /
                            (((pi * pi) * t) * t));
}

}  // namespace

std::optional<Method> find_method(std::string_view name) {
  if (name == "nearest") return Method::nearest;
  if (name == "bilinear") return Method::bilinear;
  if (name == "bicubic") return Method::bicubic;
  if (name == "lanczos4") return Method::lanczos4;
  return std::nullopt;
}

int scaled_side(int side, double scale) { return static_cast<int>(std::floor(side * scale + 0.5)); }

int smallest_source_side(Method method) {
  switch (method) {
    case Method::nearest:
      return 1;
    case Method::bilinear:
      return 2;
    case Method::bicubic:
      return 3;
    case Method::lanczos4:
      break;
  }
  return kLanczosLobes + 2;
}

AxisTable::AxisTable(Method method, int from, int to)
    : positions_(static_cast<std::size_t>(to)),
      sources_(positions_ * static_cast<std::size_t>(tap_count(method))),
      weights_(sources_.size()) {
  const float ratio = static_cast<float>(from) / static_cast<float>(to);
  for (std::size_t i = 0; i < positions_; ++i) {
    if (method == Method::nearest) {
      set(0, i, static_cast<int>(static_cast<float>(i) * ratio), 1.0F);
      continue;
    }
    const auto at =
        static_cast<float>((static_cast<double>(i) + 0.5) * static_cast<double>(ratio) - 0.5);
    if (method == Method::bilinear) {
      set_bilinear(i, at, from);
    } else {
      set_window(method, i, at, from);
    }
  }
}

void AxisTable::set(int tap, std::size_t position, int source, float weight) {
  const std::size_t at = static_cast<std::size_t>(tap) * positions_ + position;
  sources_[at] = source;
  weights_[at] = weight;
}

// The distance is taken from the mirrored sample: before the first sample it is negative, and the
// result is an extrapolation. That is part of the definition.
void AxisTable::set_bilinear(std::size_t position, float at, int from) {
  const int before = mirrored(static_cast<int>(std::floor(at)), from);
  const int after = mirrored(static_cast<int>(std::ceil(at)), from);
  const float distance = at - static_cast<float>(before);
  set(0, position, before, 1 - distance);
  set(1, position, after, distance);
}

void AxisTable::set_window(Method method, std::size_t position, float at, int from) {
  const bool cubic = method == Method::bicubic;
  const int first = cubic ? kCubicFirst : -kLanczosLobes;
  const float centre = std::floor(at);
  const float distance = at - centre;
  for (int tap = 0; tap < tap_count(method); ++tap) {
    const float offset = static_cast<float>(first + tap) - distance;
    set(tap, position, mirrored(static_cast<int>(centre) + first + tap, from),
        cubic ? cubic_weight(offset) : lanczos_weight(offset));
  }
}

Resampler::Resampler(Method method, int from_width, int from_height, int to_width, int to_height)
    : method_(method),
      columns_(method, from_width, to_width),
      rows_(method, from_height, to_height) {}

void Resampler::make_row(const PlaneView<const float>& from, int y, float* out) const {
  switch (method_) {
    case Method::nearest:
      return make_row_by<Method::nearest>(from, y, out);
    case Method::bilinear:
      return make_row_by<Method::bilinear>(from, y, out);
    case Method::bicubic:
      return make_row_by<Method::bicubic>(from, y, out);
    case Method::lanczos4:
      return make_row_by<Method::lanczos4>(from, y, out);
  }
}

template <Method kMethod>
void Resampler::make_row_by(const PlaneView<const float>& from, int y, float* out) const {
  std::array<const float*, kMostTaps> source_rows{};
  std::array<float, kMostTaps> weights{};
  const AxisView rows = rows_.view();
  for (std::size_t j = 0; j < tap_count(kMethod); ++j) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(j) * rows.positions + y;
    source_rows[j] = from.row(rows.sources[at]);
    weights[j] = rows.weights[at];
  }
  const AxisView columns = columns_.view();
  for (std::ptrdiff_t x = 0; x < columns.positions; ++x)
    out[x] = resampled<kMethod>(source_rows.data(), weights.data(), columns, x);
}

}  // namespace hipvmaf::resample
