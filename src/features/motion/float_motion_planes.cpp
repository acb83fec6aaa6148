#include "features/motion/float_motion_planes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "features/motion/motion_math.hpp"
#include "features/scored_planes.hpp"

namespace hipvmaf::float_motion {
namespace {

constexpr int kMaxRadius = motion::kFilterRadius;

// A thread makes one plane at a time and planes live for two frames: more are hardly ever idle.
constexpr std::size_t kMaxIdlePlanes = 2;

// out[x] = sum of tap k times rows[k][x], from the first tap to the last.
template <int kTaps>
void weigh(const std::array<const float*, kTaps>& rows, int width, float* out) {
  constexpr Taps<kTaps> taps = gaussian_taps<kTaps>();
  for (int x = 0; x < width; ++x) {
    float sum = taps.values[0] * rows[0][x];
    for (std::size_t k = 1; k < kTaps; ++k) sum += taps.values[k] * rows[k][x];
    out[x] = sum;
  }
}

// A row's sum is a chain of dependent additions; kRows of them side by side hide the latency.
template <int kRows>
float rows_difference(const FloatPlane& a, const FloatPlane& b, int y, float total) {
  std::array<const float*, kRows> rows_a;
  std::array<const float*, kRows> rows_b;
  std::array<float, kRows> sums{};
  for (std::size_t r = 0; r < kRows; ++r) {
    rows_a[r] = a.row(y + static_cast<int>(r));
    rows_b[r] = b.row(y + static_cast<int>(r));
  }
  for (int x = 0; x < a.width(); ++x) {
    for (std::size_t r = 0; r < kRows; ++r) sums[r] += std::abs(rows_a[r][x] - rows_b[r][x]);
  }
  for (const float sum : sums) total += sum;
  return total;
}

}  // namespace

void FloatPlane::GiveBack::operator()(float* samples) const {
  Memory memory(samples);
  const std::lock_guard lock(idle->mutex);
  if (idle->planes.size() < kMaxIdlePlanes) idle->planes.push_back(std::move(memory));
}

PlanePool::PlanePool(int width, int height)
    : width_(width), height_(height), idle_(std::make_shared<FloatPlane::Idle>()) {
  idle_->planes.reserve(kMaxIdlePlanes);  // giving back must not fail
}

FloatPlane PlanePool::acquire() const {
  FloatPlane::Memory memory;
  {
    const std::lock_guard lock(idle_->mutex);
    if (!idle_->planes.empty()) {
      memory = std::move(idle_->planes.back());
      idle_->planes.pop_back();
    }
  }
  if (!memory) {
    memory = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(width_) *
                                                     static_cast<std::size_t>(height_));
  }
  return {width_, height_, {memory.release(), FloatPlane::GiveBack{idle_}}};
}

Blur::Blur(int taps, const PictureFormat& format, int plane)
    : taps_(taps),
      plane_(plane),
      width_(static_cast<std::size_t>(scored_width(format, plane))),
      code_value_(code_value_of(format.bit_depth)),
      pool_(scored_width(format, plane), scored_height(format, plane)),
      centred_(width_ * static_cast<std::size_t>(taps)),
      filtered_(width_ + 2 * kMaxRadius) {}

FloatPlane Blur::operator()(const Picture& picture) {
  const auto with_taps = [&]<class Sample>() {
    if (taps_ == 1) return blur<Sample, 1>(picture);
    if (taps_ == 3) return blur<Sample, 3>(picture);
    return blur<Sample, 5>(picture);
  };
  if (picture.format().bit_depth == 8) return with_taps.operator()<std::uint8_t>();
  return with_taps.operator()<std::uint16_t>();
}

template <class Sample, int kTaps>
FloatPlane Blur::blur(const Picture& picture) {
  const auto samples = picture.plane<Sample>(plane_);
  FloatPlane blurred = pool_.acquire();
  int rows_ready = 0;
  for (int y = 0; y < blurred.height(); ++y) {
    for (; rows_ready < std::min(y + kTaps / 2 + 1, blurred.height()); ++rows_ready) {
      const Sample* row = samples.row(rows_ready);
      float* out = centred_row(rows_ready);
      for (int x = 0; x < blurred.width(); ++x) out[x] = centred(row[x], code_value_);
    }
    filter_row<kTaps>(y, blurred);
  }
  return blurred;
}

// The rows that the vertical pass looks at are the last ones centred; mirrored rows lie among them.
float* Blur::centred_row(int y) {
  return centred_.data() + static_cast<std::size_t>(y % taps_) * width_;
}

template <int kTaps>
void Blur::filter_row(int y, FloatPlane& blurred) {
  constexpr int kRadius = kTaps / 2;
  const int width = blurred.width();
  std::array<const float*, kTaps> inputs;
  for (int k = 0; k < kTaps; ++k) {
    inputs[static_cast<std::size_t>(k)] =
        centred_row(motion::mirror(y + k - kRadius, blurred.height()));
  }
  float* row = filtered_.data() + kRadius;
  weigh<kTaps>(inputs, width, row);
  for (int k = 1; k <= kRadius; ++k) {
    row[-k] = row[motion::mirror(-k, width)];
    row[width - 1 + k] = row[motion::mirror(width - 1 + k, width)];
  }
  for (int k = 0; k < kTaps; ++k) inputs[static_cast<std::size_t>(k)] = filtered_.data() + k;
  weigh<kTaps>(inputs, width, blurred.row(y));
}

Halving::Halving(int width, int height) : pool_(halved_size(width), halved_size(height)) {
  for (int x = 0; x < halved_size(width); ++x) columns_.push_back(halved_position(x, width));
  for (int y = 0; y < halved_size(height); ++y) rows_.push_back(halved_position(y, height));
}

FloatPlane Halving::operator()(const FloatPlane& plane) const {
  FloatPlane halved = pool_.acquire();
  for (int y = 0; y < halved.height(); ++y) {
    const HalvedPosition& row = rows_[static_cast<std::size_t>(y)];
    const float* upper = plane.row(row.low);
    const float* lower = plane.row(row.high);
    float* out = halved.row(y);
    for (const HalvedPosition& column : columns_)
      *out++ = interpolate(upper, lower, row.fraction, column);
  }
  return halved;
}

float absolute_difference(const FloatPlane& a, const FloatPlane& b) {
  constexpr int kRows = 8;
  float total = 0;
  int y = 0;
  for (; y + kRows <= a.height(); y += kRows) total = rows_difference<kRows>(a, b, y, total);
  for (; y < a.height(); ++y) total = rows_difference<1>(a, b, y, total);
  return total;
}

}  // namespace hipvmaf::float_motion
