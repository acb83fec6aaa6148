#include "features/ssim/similarity.hpp"

#include "features/ssim/similarity_rows.hpp"

namespace hipvmaf::similarity {

Means means_of(const SimilaritySums& sums, int width, int height) {
  const double windows = static_cast<double>(map_side(width)) * map_side(height);
  const auto mean = [windows](double sum) { return static_cast<float>(sum / windows); };
  return {mean(sums.similarity), mean(sums.luminance), mean(sums.contrast), mean(sums.structure)};
}

Meter::Meter(int width) {
  const auto columns = static_cast<std::size_t>(width);
  for (Row& row : products_) row.resize(columns);
  for (auto& rows : filtered_) {
    for (Row& row : rows) row.resize(columns);
  }
  for (Row& row : moments_) row.resize(columns);
}

void Meter::begin(int width) {
  width_ = static_cast<std::size_t>(width);
  map_width_ = static_cast<std::size_t>(map_side(width));
  rows_ = 0;
  sums_ = {};
}

void Meter::add_row(const float* reference, const float* distorted) {
  auto& [rr, dd, rd] = products_;
  multiply_row(reference, reference, width_, rr.data());
  multiply_row(distorted, distorted, width_, dd.data());
  multiply_row(reference, distorted, width_, rd.data());
  const MomentRows rows{reference, distorted, rr.data(), dd.data(), rd.data()};
  const std::size_t slot = rows_ % kWindow;
  for (std::size_t i = 0; i < kMoments; ++i)
    filter_row(rows[i], map_width_, filtered_[i][slot].data());
  ++rows_;
  if (rows_ >= kWindow) add_map_row();
}

void Meter::add_map_row() {
  MomentRows moments;
  for (std::size_t i = 0; i < kMoments; ++i) {
    WindowRows rows;
    for (std::size_t k = 0; k < kWindow; ++k)
      rows[k] = filtered_[i][(rows_ + k) % kWindow].data();  // the oldest row first
    filter_columns(rows, map_width_, moments_[i].data());
    moments[i] = moments_[i].data();
  }
  const SimilaritySums row = sum_terms(moments, map_width_);
  sums_.similarity += row.similarity;
  sums_.luminance += row.luminance;
  sums_.contrast += row.contrast;
  sums_.structure += row.structure;
}

}  // namespace hipvmaf::similarity
