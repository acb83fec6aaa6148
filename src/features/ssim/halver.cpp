#include "features/ssim/halver.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "features/ssim/similarity_math.hpp"

namespace hipvmaf::float_ms_ssim {
namespace {

using similarity::mirrored;

/// Adds the row of the filter at that distance from its centre to the sums of a row of outputs.
void add_filtered(const float* even, const float* odd, int distance, std::size_t width,
                  double* __restrict sums) {
  const auto product = [](float sample, float tap) { return static_cast<double>(sample * tap); };
  const float tap0 = low_pass_tap(distance, 0);
  const float tap1 = low_pass_tap(distance, 1);
  const float tap2 = low_pass_tap(distance, 2);
  const float tap3 = low_pass_tap(distance, 3);
  const float tap4 = low_pass_tap(distance, 4);
  for (std::size_t x = 0; x < width; ++x) {
    const float* e = even + x;
    const float* o = odd + x;
    double sum = sums[x];
    sum += product(e[0], tap4);
    sum += product(o[0], tap3);
    sum += product(e[1], tap2);
    sum += product(o[1], tap1);
    sum += product(e[2], tap0);
    sum += product(o[2], tap1);
    sum += product(e[3], tap2);
    sum += product(o[3], tap3);
    sum += product(e[4], tap4);
    sums[x] = sum;
  }
}

}  // namespace

Halver::Halver(int width) : sums_(static_cast<std::size_t>(halved_side(width))) {
  for (SplitRow& row : rows_) {
    row.even.resize(sums_.size() + 2 * kPadding);
    row.odd.resize(sums_.size() + 2 * kPadding);
  }
}

template <class Sample>
void Halver::split(const Sample* row, int width, float scale, SplitRow& out) {
  constexpr int padding = kPadding;
  const auto sample = [&](int x) { return static_cast<float>(row[mirrored(x, width)]) * scale; };
  float* even = out.even.data() + padding;
  float* odd = out.odd.data() + padding;
  const int pairs = width / 2;
  for (int x = 0; x < pairs; ++x) {
    even[x] = static_cast<float>(row[2 * x]) * scale;
    odd[x] = static_cast<float>(row[2 * x + 1]) * scale;
  }
  for (int x = -padding; x < 0; ++x) {
    even[x] = sample(2 * x);
    odd[x] = sample(2 * x + 1);
  }
  for (int x = pairs; x < halved_side(width) + padding; ++x) {
    even[x] = sample(2 * x);
    odd[x] = sample(2 * x + 1);
  }
}

void Halver::filter(int y, int height, const PlaneView<float>& to) {
  const auto width = static_cast<std::size_t>(to.width);
  std::fill_n(sums_.begin(), width, 0.0);
  for (int v = -kRadius; v <= kRadius; ++v) {
    const int from = mirrored(2 * y + v, height);
    const SplitRow& row = rows_[static_cast<std::size_t>(from) % kRows];
    add_filtered(row.even.data(), row.odd.data(), std::abs(v), width, sums_.data());
  }
  float* out = to.row(y);
  for (std::size_t x = 0; x < width; ++x) out[x] = static_cast<float>(sums_[x]);
}

template <class Sample>
void Halver::halve(const PlaneView<const Sample>& from, float scale, const PlaneView<float>& to) {
  int ready = 0;  // rows that have been split
  for (int y = 0; y < to.height; ++y) {
    for (; ready < std::min(2 * y + kRadius + 1, from.height); ++ready) {
      split(from.row(ready), from.width, scale, rows_[static_cast<std::size_t>(ready) % kRows]);
    }
    filter(y, from.height, to);
  }
}

template void Halver::halve(const PlaneView<const std::uint8_t>&, float, const PlaneView<float>&);
template void Halver::halve(const PlaneView<const std::uint16_t>&, float, const PlaneView<float>&);
template void Halver::halve(const PlaneView<const float>&, float, const PlaneView<float>&);

}  // namespace hipvmaf::float_ms_ssim
