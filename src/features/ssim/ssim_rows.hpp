// Row operations of the integer SSIM on CPUs: loops over contiguous samples that compilers
// vectorise. The integers are kept in floating point, which all vector units multiply: binary32
// holds the vertical sums of 8-bit samples and their products (below 2^24), binary64 all others
// (below 2^49), so nothing is rounded. They have a source file of their own because g++ forgets
// __restrict when it inlines a function, and with it vectorising.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "features/ssim/ssim_math.hpp"

namespace hipvmaf::ssim {

/// Type of samples, products and their vertical sums.
template <class Sample>
using RealOf = std::conditional_t<sizeof(Sample) == 1, float, double>;

inline constexpr std::size_t kWindowRows = 2 * kRadius + 1;

/// The window's rows from top to bottom.
template <class Real>
using WindowRows = std::array<const Real*, kWindowRows>;

/// Rows of window sums, named as in Sums.
struct SumRows {
  const double* reference;
  const double* distorted;
  const double* reference_squared;
  const double* product;
  const double* distorted_squared;
};

template <class Sample>
void convert_row(const Sample* samples, std::size_t width, RealOf<Sample>* __restrict out);

template <class Real>
void multiply_row(const Real* a, const Real* b, std::size_t width, Real* __restrict out);

/// Vertical pass.
template <class Real>
void sum_columns(const WindowRows<Real>& rows, std::size_t width, double* __restrict out);

/// Horizontal pass; `row` has kRadius values more at both ends.
void sum_row(const double* row, std::size_t width, double* __restrict out);

/// Terms of a row of pixels. `weights` are those of the columns, `row_weight` that of the row.
void find_terms(const SumRows& sums, const double* weights, double row_weight,
                const Stabilisers& stabilisers, std::size_t width, double* __restrict out);

extern template void convert_row(const std::uint8_t*, std::size_t, float*);
extern template void convert_row(const std::uint16_t*, std::size_t, double*);
extern template void multiply_row(const float*, const float*, std::size_t, float*);
extern template void multiply_row(const double*, const double*, std::size_t, double*);
extern template void sum_columns(const WindowRows<float>&, std::size_t, double*);
extern template void sum_columns(const WindowRows<double>&, std::size_t, double*);

}  // namespace hipvmaf::ssim
