#include "features/ssim/similarity_rows.hpp"

#include <cstdint>

namespace hipvmaf::similarity {

void multiply_row(const float* a, const float* b, std::size_t width, float* __restrict out) {
  for (std::size_t x = 0; x < width; ++x) out[x] = a[x] * b[x];
}

void filter_row(const float* row, std::size_t map_width, float* __restrict out) {
  for (std::size_t x = 0; x < map_width; ++x)
    out[x] = window_sum([&](std::size_t k) { return row[x + k]; });
}

void filter_columns(const WindowRows& rows, std::size_t map_width, float* __restrict out) {
  for (std::size_t x = 0; x < map_width; ++x)
    out[x] = window_sum([&](std::size_t k) { return rows[k][x]; });
}

SimilaritySums sum_terms(const MomentRows& moments, std::size_t map_width) {
  const auto [reference, distorted, reference_squared, distorted_squared, product] = moments;
  std::uint64_t similarity = 0;
  std::uint64_t luminance = 0;
  std::uint64_t contrast = 0;
  std::uint64_t structure = 0;
  for (std::size_t x = 0; x < map_width; ++x) {
    const Terms terms = terms_of(
        {reference[x], distorted[x], reference_squared[x], distorted_squared[x], product[x]});
    similarity += fixed_point(terms.similarity);
    luminance += fixed_point(terms.luminance);
    contrast += fixed_point(terms.contrast);
    structure += fixed_point(terms.structure);
  }
  return {from_fixed_point(similarity), from_fixed_point(luminance), from_fixed_point(contrast),
          from_fixed_point(structure)};
}

}  // namespace hipvmaf::similarity
