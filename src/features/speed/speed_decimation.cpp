#include "features/speed/speed_decimation.hpp"

#include <algorithm>

#include "features/gaussian/scaled_gaussian.hpp"

namespace hipvmaf::speed {
namespace {

// Widths of the filters at kernel scale 1.
constexpr int kLowPassWidth = 9;
constexpr int kLocalMeanWidth = 2;

float kernel_scale(const OptionValues& options) {
  return static_cast<float>(options.real(kKernelScaleOption.name));
}

std::size_t area(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

int tap_count(const std::vector<float>& filter) { return static_cast<int>(filter.size()); }

/// The row that tap k of a filter around row `centre` falls on.
int tap_row(const std::vector<float>& filter, int k, int centre, int height) {
  return resample::mirrored(centre - tap_count(filter) / 2 + k, height);
}

void add_scaled(const float* row, float factor, int width, float* sums) {
  for (int x = 0; x < width; ++x) sums[x] += factor * row[x];
}

}  // namespace

std::vector<float> low_pass_taps(const OptionValues& options) {
  const int width = scaled_filter_width(kLowPassWidth, kernel_scale(options));
  return gaussian_taps(width, static_cast<float>(2.0 * width / 5.0));
}

std::vector<float> local_mean_taps(const OptionValues& options) {
  const int width = scaled_filter_width(kLocalMeanWidth, kernel_scale(options));
  return gaussian_taps(width, static_cast<float>(width) / 5.0F);
}

Decimator::Decimator(const OptionValues& options, const Geometry& geometry)
    : geometry_(geometry),
      low_pass_(low_pass_taps(options)),
      local_mean_(local_mean_taps(options)),
      row_(static_cast<std::size_t>(geometry.width)),
      vertical_(static_cast<std::size_t>(geometry.width)),
      decimated_(area(geometry.decimated_width(), geometry.decimated_height())),
      details_(decimated_.size()) {
  if (!geometry.resampled) return;
  const auto method =
      resample::find_method(options.get<std::string>(kPrescaleMethodOption.name)).value();
  resampler_.emplace(method, geometry.source_width, geometry.source_height, geometry.width,
                     geometry.height);
  source_.resize(area(geometry.source_width, geometry.source_height));
}

PlaneView<const float> Decimator::details_of(const RowSource& picture) {
  if (resampler_) scale_source(picture);
  decimate(picture);
  remove_local_mean();
  const int width = geometry_.decimated_width();
  return {details_.data(), width, geometry_.decimated_height(), width};
}

void Decimator::scale_source(const RowSource& picture) {
  const int width = geometry_.source_width;
  for (int y = 0; y < geometry_.source_height; ++y)
    picture.read_row(y, width, source_.data() + static_cast<std::ptrdiff_t>(y) * width);
  resampler_->begin({source_.data(), width, geometry_.source_height, width});
}

void Decimator::read_scaled_row(const RowSource& picture, int y) {
  if (resampler_) {
    resampler_->make_row(y, row_.data());
  } else {
    picture.read_row(y, geometry_.width, row_.data());
  }
}

void Decimator::decimate(const RowSource& picture) {
  float* out = decimated_.data();
  for (int y = 0; y < geometry_.decimated_height(); ++y) {
    std::ranges::fill(vertical_, 0.0F);
    for (int k = 0; k < tap_count(low_pass_); ++k) {
      read_scaled_row(picture, tap_row(low_pass_, k, kDecimation * y, geometry_.height));
      add_scaled(row_.data(), low_pass_[static_cast<std::size_t>(k)], geometry_.width,
                 vertical_.data());
    }
    for (int x = 0; x < geometry_.decimated_width(); ++x)
      *out++ = filtered(low_pass_.data(), tap_count(low_pass_), vertical_.data(), kDecimation * x,
                        geometry_.width);
  }
}

void Decimator::remove_local_mean() {
  const int width = geometry_.decimated_width();
  const int height = geometry_.decimated_height();
  const PlaneView<const float> samples{decimated_.data(), width, height, width};
  float* out = details_.data();
  for (int y = 0; y < height; ++y) {
    std::fill_n(vertical_.data(), width, 0.0F);
    for (int k = 0; k < tap_count(local_mean_); ++k) {
      add_scaled(samples.row(tap_row(local_mean_, k, y, height)),
                 local_mean_[static_cast<std::size_t>(k)], width, vertical_.data());
    }
    const float* row = samples.row(y);
    for (int x = 0; x < width; ++x)
      *out++ =
          row[x] - filtered(local_mean_.data(), tap_count(local_mean_), vertical_.data(), x, width);
  }
}

}  // namespace hipvmaf::speed
