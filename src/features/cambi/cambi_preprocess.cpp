#include "features/cambi/cambi_preprocess.hpp"

#include <algorithm>

#include "features/cambi/cambi_math.hpp"

namespace hipvmaf::cambi {
namespace {

template <class Sample>
void convert_row(const Sample* in, int width, int bit_depth, std::uint16_t* out) {
  for (int x = 0; x < width; ++x) out[x] = to_ten_bits(in[x], bit_depth);
}

template <class Sample>
void convert_row(const Sample* in, const std::vector<int>& columns, int bit_depth,
                 std::uint16_t* out) {
  for (std::size_t x = 0; x < columns.size(); ++x) out[x] = to_ten_bits(in[columns[x]], bit_depth);
}

// In place: only samples that are still unchanged are read.
void smooth_row(std::uint16_t* row, const std::uint16_t* below, int width) {
  for (int x = 0; x + 1 < width; ++x) {
    row[x] = smoothed(row[x], row[x + 1], below[x], below[x + 1]);
  }
  row[width - 1] = smoothed(row[width - 1], below[width - 1]);
}

void smooth_last_row(std::uint16_t* row, int width) {
  for (int x = 0; x + 1 < width; ++x) {
    row[x] = smoothed(row[x], row[x + 1]);
  }
}

}  // namespace

std::vector<int> nearest_samples(int from, int to) {
  const float step = static_cast<float>(from) / static_cast<float>(to);
  float position = static_cast<float>(static_cast<double>(step / 2.0F) - 0.5);
  std::vector<int> samples;
  samples.reserve(static_cast<std::size_t>(to));
  for (int i = 0; i < to; ++i) {
    // The error that has piled up may lead past the end of long rows.
    samples.push_back(std::min(static_cast<int>(static_cast<double>(position) + 0.5), from - 1));
    position += step;
  }
  return samples;
}

Preprocessor::Preprocessor(const PictureFormat& format, Size target, bool smooths_dither)
    : bit_depth_(format.bit_depth), smooths_dither_(smooths_dither) {
  if (target == Size{format.width, format.height}) return;
  columns_ = nearest_samples(format.width, target.width);
  rows_ = nearest_samples(format.height, target.height);
}

template <class Sample>
void Preprocessor::run(const PlaneView<const Sample>& luma,
                       const PlaneView<std::uint16_t>& out) const {
  for (int y = 0; y < out.height; ++y) {
    if (columns_.empty()) {
      convert_row(luma.row(y), out.width, bit_depth_, out.row(y));
    } else {
      convert_row(luma.row(rows_[static_cast<std::size_t>(y)]), columns_, bit_depth_, out.row(y));
    }
    if (smooths_dither_ && y > 0) smooth_row(out.row(y - 1), out.row(y), out.width);
  }
  if (smooths_dither_) smooth_last_row(out.row(out.height - 1), out.width);
}

template void Preprocessor::run(const PlaneView<const std::uint8_t>&,
                                const PlaneView<std::uint16_t>&) const;
template void Preprocessor::run(const PlaneView<const std::uint16_t>&,
                                const PlaneView<std::uint16_t>&) const;

}  // namespace hipvmaf::cambi
