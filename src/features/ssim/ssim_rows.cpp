#include "features/ssim/ssim_rows.hpp"

namespace hipvmaf::ssim {
namespace {

/// Sum over the window in one direction; `sample(k)` is the one at distance k from the centre.
template <class Real, class SampleAt>
Real window_sum(const SampleAt& sample) {
  static_assert(kRadius == 4);
  Real sum = Real{window_tap(0)} * sample(0);
  sum += Real{window_tap(1)} * (sample(-1) + sample(1));
  sum += Real{window_tap(2)} * (sample(-2) + sample(2));
  sum += Real{window_tap(3)} * (sample(-3) + sample(3));
  sum += Real{window_tap(4)} * (sample(-4) + sample(4));
  return sum;
}

}  // namespace

template <class Sample>
void convert_row(const Sample* samples, std::size_t width, RealOf<Sample>* __restrict out) {
  for (std::size_t x = 0; x < width; ++x) out[x] = samples[x];
}

template <class Real>
void multiply_row(const Real* a, const Real* b, std::size_t width, Real* __restrict out) {
  for (std::size_t x = 0; x < width; ++x) out[x] = a[x] * b[x];
}

template <class Real>
void sum_columns(const WindowRows<Real>& rows, std::size_t width, double* __restrict out) {
  for (std::size_t x = 0; x < width; ++x) {
    out[x] = static_cast<double>(
        window_sum<Real>([&](int k) { return rows[static_cast<std::size_t>(k + kRadius)][x]; }));
  }
}

void sum_row(const double* row, std::size_t width, double* __restrict out) {
  for (std::size_t x = 0; x < width; ++x)
    out[x] = window_sum<double>([at = row + x](int k) { return at[k]; });
}

void find_terms(const SumRows& sums, const double* weights, double row_weight,
                const Stabilisers& stabilisers, std::size_t width, double* __restrict out) {
  const SumRows s = sums;
  const Stabilisers stable = stabilisers;
  for (std::size_t x = 0; x < width; ++x) {
    out[x] = term_of({weights[x] * row_weight, s.reference[x], s.distorted[x],
                      s.reference_squared[x], s.product[x], s.distorted_squared[x]},
                     stable);
  }
}

template void convert_row(const std::uint8_t*, std::size_t, float*);
template void convert_row(const std::uint16_t*, std::size_t, double*);
template void multiply_row(const float*, const float*, std::size_t, float*);
template void multiply_row(const double*, const double*, std::size_t, double*);
template void sum_columns(const WindowRows<float>&, std::size_t, double*);
template void sum_columns(const WindowRows<double>&, std::size_t, double*);

}  // namespace hipvmaf::ssim
