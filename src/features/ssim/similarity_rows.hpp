// Row operations of float_ssim and float_ms_ssim on CPUs: loops over contiguous samples that
// compilers vectorise. They have a source file of their own because g++ forgets __restrict when it
// inlines a function, and with it vectorising.
#pragma once

#include <array>
#include <cstddef>

#include "features/ssim/similarity.hpp"
#include "features/ssim/similarity_math.hpp"

namespace hipvmaf::similarity {

/// Rows of window-weighted means, one per member of Moments and in that order.
using MomentRows = std::array<const float*, kMoments>;

/// The rows under the taps of a window.
using WindowRows = std::array<const float*, kWindow>;

/// out[x] = a[x] * b[x], for `width` columns.
void multiply_row(const float* a, const float* b, std::size_t width, float* __restrict out);

/// Horizontal pass: `map_width` windows, the first one over row[0 .. kWindow - 1].
void filter_row(const float* row, std::size_t map_width, float* __restrict out);

/// Vertical pass.
void filter_columns(const WindowRows& rows, std::size_t map_width, float* __restrict out);

/// Sums of the terms of a row of windows.
[[nodiscard]] SimilaritySums sum_terms(const MomentRows& moments, std::size_t map_width);

}  // namespace hipvmaf::similarity
