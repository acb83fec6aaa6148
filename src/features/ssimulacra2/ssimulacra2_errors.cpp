#include "features/ssimulacra2/ssimulacra2_errors.hpp"

#include <algorithm>

namespace hipvmaf::ssimulacra2 {
namespace {

void add_row(const std::vector<double>& row, int width, double& sum, double& fourth_power_sum) {
  double s = sum;
  double f = fourth_power_sum;
  for (int x = 0; x < width; ++x) {
    const double error = row[static_cast<std::size_t>(x)];
    s += error;
    f += fourth_power(error);
  }
  sum = s;
  fourth_power_sum = f;
}

}  // namespace

ChannelMeter::ChannelMeter(int max_width)
    : padded_(strip_size(kPaddingBefore + max_width + kPaddingAfter)),
      blurred_(strip_size(kBlurAhead + max_width)),
      columns_(kPlanes, ColumnBlur(max_width)) {
  const auto width = static_cast<std::size_t>(max_width);
  for (Ring* ring : {&reference_, &distorted_}) ring->resize(kKeptRows * width);
  for (Ring& ring : rows_) ring.resize(kKeptRows * width);
  no_row_.resize(width);
  for (auto& row : smooth_) row.resize(width);
  for (auto& row : errors_) row.resize(width);
}

void ChannelMeter::start(int width, int height, Needs needs) {
  width_ = width;
  height_ = height;
  needs_ = needs;
  pushed_rows_ = 0;
  next_row_ = -kBlurAhead;
  sums_ = {};
  std::ranges::fill(padded_, 0.0F);
  for (ColumnBlur& column : active_columns()) column.start();
}

void ChannelMeter::push(const float* reference, const float* distorted) {
  const std::size_t size = strip_size(width_);
  float* __restrict strip = padded_.data() + strip_size(kPaddingBefore);
  const auto blur_product = [&](Plane plane, const float* a, const float* b) {
    for (std::size_t i = 0; i < size; ++i) strip[i] = a[i] * b[i];
    blur_into_ring(rows_[plane]);
  };
  store_rows(reference, reference_);
  store_rows(distorted, distorted_);
  std::copy_n(reference, size, strip);
  blur_into_ring(rows_[kMeanR]);
  std::copy_n(distorted, size, strip);
  blur_into_ring(rows_[kMeanD]);
  if (needs_.structure) {
    blur_product(kSquareR, reference, reference);
    blur_product(kSquareD, distorted, distorted);
    blur_product(kProduct, reference, distorted);
  }
  pushed_rows_ = std::min(height_, pushed_rows_ + kStripRows);
  // What can be blurred down the columns now: below the last row there are zeros.
  const int end = pushed_rows_ == height_ ? height_ : pushed_rows_ - kBlurAhead;
  for (; next_row_ < end; ++next_row_) advance(next_row_);
}

void ChannelMeter::blur_into_ring(Ring& ring) {
  blur_strip(padded_.data(), width_, blurred_.data());
  store_rows(blurred_.data() + strip_size(kBlurAhead), ring);
}

void ChannelMeter::store_rows(const float* strip, Ring& ring) const {
  for (int row = 0; row < kStripRows; ++row) {
    float* __restrict out = ring_row(ring, pushed_rows_ + row);
    const float* in = strip + row;
    for (int x = 0; x < width_; ++x) out[x] = in[x * kStripRows];
  }
}

void ChannelMeter::advance(int y) {
  const int behind = y - kBlurBehind;
  const int ahead = y + kBlurAhead;
  for (std::size_t plane = 0; plane < active_columns().size(); ++plane) {
    Ring& rows = rows_[plane];
    columns_[plane].step(behind < 0 ? no_row_.data() : ring_row(rows, behind),
                         ahead >= height_ ? no_row_.data() : ring_row(rows, ahead), width_,
                         smooth_[plane].data());
  }
  if (y >= 0) sum_row(y);
}

void ChannelMeter::sum_row(int y) {
  const float* mean_r = smooth_[kMeanR].data();
  const float* mean_d = smooth_[kMeanD].data();
  if (needs_.structure) {
    const float* rr = smooth_[kSquareR].data();
    const float* dd = smooth_[kSquareD].data();
    const float* rd = smooth_[kProduct].data();
    double* __restrict structure = errors_[0].data();
    for (int x = 0; x < width_; ++x)
      structure[x] = structure_error(mean_r[x], mean_d[x], rr[x], dd[x], rd[x]);
    add_row(errors_[0], width_, sums_.error[0], sums_.fourth_power[0]);
  }
  if (needs_.edges) {
    const float* reference = ring_row(reference_, y);
    const float* distorted = ring_row(distorted_, y);
    double* __restrict ringing = errors_[1].data();
    double* __restrict blurring = errors_[2].data();
    for (int x = 0; x < width_; ++x) {
      const double change = edge_change(reference[x], mean_r[x], distorted[x], mean_d[x]);
      ringing[x] = ringing_error(change);
      blurring[x] = blurring_error(change);
    }
    add_row(errors_[1], width_, sums_.error[1], sums_.fourth_power[1]);
    add_row(errors_[2], width_, sums_.error[2], sums_.fourth_power[2]);
  }
}

}  // namespace hipvmaf::ssimulacra2
