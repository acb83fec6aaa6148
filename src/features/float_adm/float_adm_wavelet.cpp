#include "features/float_adm/float_adm_wavelet.hpp"

#include "features/border_math.hpp"
#include "features/float_adm/float_adm_math.hpp"

namespace hipvmaf::float_adm {

RowTransform::RowTransform(int input_width)
    : width_(input_width),
      low_(static_cast<std::size_t>(input_width) + 3),
      high_(low_.size()),
      even_(low_.size() / 2 + 1),
      odd_(low_.size() / 2 + 1) {}

void RowTransform::filter_down(const std::array<const float*, 4>& rows, bool with_detail) {
  const auto [s0, s1, s2, s3] = rows;
  float* __restrict low = low_.data() + 1;
  float* __restrict high = high_.data() + 1;
  if (with_detail) {
    for (int x = 0; x < width_; ++x) {
      low[x] = low_pass(s0[x], s1[x], s2[x], s3[x]);
      high[x] = high_pass(s0[x], s1[x], s2[x], s3[x]);
    }
  } else {
    for (int x = 0; x < width_; ++x) low[x] = low_pass(s0[x], s1[x], s2[x], s3[x]);
  }
}

void RowTransform::filter_across(Line& line, adm::ColumnRange outputs, float* __restrict low,
                                 float* __restrict high) {
  float* columns = line.data() + 1;
  for (const int x : {-1, width_, width_ + 1}) columns[x] = columns[mirrored(x, width_)];

  float* __restrict even = even_.data();
  float* __restrict odd = odd_.data();
  for (int n = outputs.begin; n <= outputs.end; ++n) {
    odd[n] = columns[2 * n - 1];
    even[n] = columns[2 * n];
  }
  for (int n = outputs.begin; n < outputs.end; ++n) {
    low[n] = low_pass(odd[n], even[n], odd[n + 1], even[n + 1]);
    high[n] = high_pass(odd[n], even[n], odd[n + 1], even[n + 1]);
  }
}

void RowTransform::run(const std::array<const float*, 4>& rows, adm::ColumnRange detail,
                       const adm::BandRow<float>& bands) {
  const bool with_detail = detail.begin < detail.end;
  const auto [h, v, d] = bands.detail;
  filter_down(rows, with_detail);
  filter_across(low_, {0, (width_ + 1) / 2}, bands.a, v);
  if (with_detail) filter_across(high_, detail, h, d);
}

}  // namespace hipvmaf::float_adm
