#include "features/resample/resample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace hipvmaf::resample {
namespace {

constexpr int kCubicFirst = -1;
constexpr int kLanczosLobes = 4;
constexpr int kLanczosFirst = 1 - kLanczosLobes;

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

/// Taps whose weighted samples are added before the sums go back to memory: as many as the
/// registers of all processors hold.
constexpr int kTapGroup = 4;

/// Adds kTaps taps of one source row to the sums of a row of output samples.
template <int kTaps, bool kWithWeights>
void add_taps(const float* samples, float row_weight, const float* column_weights,
              std::ptrdiff_t positions, float* __restrict sample_sums,
              float* __restrict weight_sums) {
  for (std::ptrdiff_t x = 0; x < positions; ++x) {
    TapSums sums{.samples = sample_sums[x], .weights = weight_sums[x]};
    for (int i = 0; i < kTaps; ++i) {
      const std::ptrdiff_t at = i * positions + x;
      add_tap(samples[at], row_weight, column_weights[at], sums);
    }
    sample_sums[x] = sums.samples;
    if (kWithWeights) weight_sums[x] = sums.weights;
  }
}

void divide_row(const float* weight_sums, std::ptrdiff_t positions, float* __restrict out) {
  for (std::ptrdiff_t x = 0; x < positions; ++x) out[x] /= weight_sums[x];
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
  const int first = cubic ? kCubicFirst : kLanczosFirst;
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
      rows_(method, from_height, to_height),
      weight_sums_(static_cast<std::size_t>(to_width)) {
  for (SpreadRow& row : spread_)
    row.samples.resize(static_cast<std::size_t>(tap_count(method)) * weight_sums_.size());
}

void Resampler::begin(const PlaneView<const float>& from) {
  from_ = from;
  for (SpreadRow& row : spread_) row.source = kNone;
}

const float* Resampler::spread(int source) {
  SpreadRow& row = spread_[static_cast<std::size_t>(source) % spread_.size()];
  if (row.source != source) {
    row.source = source;
    const AxisView columns = columns_.view();
    const float* from = from_.row(source);
    for (std::size_t at = 0; at < row.samples.size(); ++at)
      row.samples[at] = from[columns.sources[at]];
  }
  return row.samples.data();
}

void Resampler::make_row(int y, float* out) {
  switch (method_) {
    case Method::nearest:
      return make_row_by<Method::nearest>(y, out);
    case Method::bilinear:
      return make_row_by<Method::bilinear>(y, out);
    case Method::bicubic:
      return make_row_by<Method::bicubic>(y, out);
    case Method::lanczos4:
      return make_row_by<Method::lanczos4>(y, out);
  }
}

template <Method kMethod>
void Resampler::make_row_by(int y, float* out) {
  constexpr int taps = tap_count(kMethod);
  constexpr int group = std::min(taps, kTapGroup);
  const AxisView rows = rows_.view();
  const AxisView columns = columns_.view();
  float* weight_sums = weight_sums_.data();
  std::fill_n(out, columns.positions, 0.0F);
  std::fill_n(weight_sums, columns.positions, 0.0F);
  for (int j = 0; j < taps; ++j) {
    const std::ptrdiff_t at = j * rows.positions + y;
    const float* samples = spread(rows.sources[at]);
    for (int i = 0; i < taps; i += group) {
      const std::ptrdiff_t first = i * columns.positions;
      add_taps<group, normalises(kMethod)>(samples + first, rows.weights[at],
                                           columns.weights + first, columns.positions, out,
                                           weight_sums);
    }
  }
  if (normalises(kMethod)) divide_row(weight_sums, columns.positions, out);
}

}  // namespace hipvmaf::resample
