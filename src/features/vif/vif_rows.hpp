// Row operations of the fixed-point VIF on CPUs: loops over contiguous samples, without branches,
// that compilers vectorise. Sums that pass 32 bits are kept in doubles: these hold every integer up
// to 2^53, so nothing is rounded, and all vector units multiply them, unlike 64-bit integers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "features/vif/vif_math.hpp"

namespace hipvmaf::vif {

/// The 2 * radius + 1 rows around an output row.
template <class Sample>
using RowSet = std::array<const Sample*, 2 * kLargestRadius + 1>;

/// A double near 2^52 has the integer that was added to kIntegerOrigin in its lowest bits.
inline constexpr double kIntegerOrigin = 0x1p52;
inline std::uint32_t shifted_integer(double from_origin, int shift) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(from_origin) >> shift);
}

/// Vertical pass over samples: sums[x] = sum of tap * sample.
template <int kScale, class Sample>
void sum_rows(const RowSet<Sample>& rows, int width, std::uint32_t* __restrict sums) {
  constexpr const auto& taps = kFilters[kScale].taps;
  constexpr std::size_t centre = kFilters[kScale].radius;
  for (int x = 0; x < width; ++x) {
    std::uint32_t sum = std::uint32_t{taps[0]} * rows[centre][x];
    for_each_distance<kScale>([&](auto k) {
      const std::uint32_t tap = taps[k];
      if constexpr (sizeof(Sample) == 1) {
        sum += tap * static_cast<std::uint16_t>(rows[centre - k][x] + rows[centre + k][x]);
      } else {  // the sum of a pair would not fit the 16-bit lanes that multiply fastest
        sum += tap * rows[centre - k][x];
        sum += tap * rows[centre + k][x];
      }
    });
    sums[x] = sum;
  }
}

/// Rounds the sums of samples to means.
inline void round_means(const std::uint32_t* sums, int width, int shift, double* __restrict means) {
  for (int x = 0; x < width; ++x) means[x] = rounded_mean(sums[x], shift);
}

/// Vertical pass over the products of 8-bit samples: reference with itself, distorted with itself,
/// and both. `sums` are sum_rows() of the same rows. Centred at 128, the sum of two negated
/// products fits a signed 16-bit lane; the centre is put back through the sums: tap * a * b = tap *
/// (a - 128) * (b - 128) + 128 * (tap * a + tap * b) - tap * 2^14.
template <int kScale>
void multiply_rows(const RowSet<std::uint8_t>& reference, const RowSet<std::uint8_t>& distorted,
                   const std::uint32_t* sums_reference, const std::uint32_t* sums_distorted,
                   int width, double* __restrict rr, double* __restrict dd, double* __restrict rd) {
  constexpr const auto& taps = kFilters[kScale].taps;
  constexpr std::size_t centre = kFilters[kScale].radius;
  const auto negated = [](std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    return std::int32_t{static_cast<std::int16_t>(-a * b - c * d)};
  };
  const auto restored = [](std::int32_t negated_sum, std::uint32_t sum_a, std::uint32_t sum_b) {
    return 128U * (sum_a + sum_b) - (1U << 30) - static_cast<std::uint32_t>(negated_sum);
  };
  for (int x = 0; x < width; ++x) {
    const std::int32_t r = reference[centre][x] - 128;
    const std::int32_t d = distorted[centre][x] - 128;
    std::int32_t sum_rr = taps[0] * negated(r, r, 0, 0);
    std::int32_t sum_dd = taps[0] * negated(d, d, 0, 0);
    std::int32_t sum_rd = taps[0] * negated(r, d, 0, 0);
    for_each_distance<kScale>([&](auto k) {
      const std::int32_t above_r = reference[centre - k][x] - 128;
      const std::int32_t below_r = reference[centre + k][x] - 128;
      const std::int32_t above_d = distorted[centre - k][x] - 128;
      const std::int32_t below_d = distorted[centre + k][x] - 128;
      sum_rr += taps[k] * negated(above_r, above_r, below_r, below_r);
      sum_dd += taps[k] * negated(above_d, above_d, below_d, below_d);
      sum_rd += taps[k] * negated(above_r, above_d, below_r, below_d);
    });
    rr[x] = restored(sum_rr, sums_reference[x], sums_reference[x]);
    dd[x] = restored(sum_dd, sums_distorted[x], sums_distorted[x]);
    rd[x] = restored(sum_rd, sums_reference[x], sums_distorted[x]);
  }
}

/// Vertical pass over the products of deeper samples.
template <int kScale>
void multiply_rows(const RowSet<std::uint16_t>& reference, const RowSet<std::uint16_t>& distorted,
                   int width, int shift, double* __restrict rr, double* __restrict dd,
                   double* __restrict rd) {
  constexpr const auto& taps = kFilters[kScale].taps;
  constexpr std::size_t centre = kFilters[kScale].radius;
  const double start = kIntegerOrigin + half_of_shifted(shift);
  for (int x = 0; x < width; ++x) {
    const double r = reference[centre][x];
    const double d = distorted[centre][x];
    double sum_rr = start + taps[0] * (r * r);
    double sum_dd = start + taps[0] * (d * d);
    double sum_rd = start + taps[0] * (r * d);
    for_each_distance<kScale>([&](auto k) {
      const double above_r = reference[centre - k][x];
      const double below_r = reference[centre + k][x];
      const double above_d = distorted[centre - k][x];
      const double below_d = distorted[centre + k][x];
      sum_rr += taps[k] * (above_r * above_r + below_r * below_r);
      sum_dd += taps[k] * (above_d * above_d + below_d * below_d);
      sum_rd += taps[k] * (above_r * above_d + below_r * below_d);
    });
    rr[x] = shifted_integer(sum_rr, shift);
    dd[x] = shifted_integer(sum_dd, shift);
    rd[x] = shifted_integer(sum_rd, shift);
  }
}

/// Fills the `radius` values before and after a row with its mirror image.
inline void mirror_ends(double* row, int width, int radius) {
  for (int i = 1; i <= radius; ++i) {
    row[-i] = row[mirrored(-i, width)];
    row[width - 1 + i] = row[mirrored(width - 1 + i, width)];
  }
}

/// Horizontal pass over 32-bit integers: out[x] = (sum of tap * row + half) >> kShift. The ends of
/// the row are mirrored.
template <int kScale, int kShift>
void filter_row(const double* row, int width, std::uint32_t* __restrict out) {
  constexpr const auto& taps = kFilters[kScale].taps;
  constexpr double start = kIntegerOrigin + half_of_shifted(kShift);
  for (int x = 0; x < width; ++x) {
    const double* at = row + x;
    double sum = start + taps[0] * at[0];
    for_each_distance<kScale>([&](auto k) {
      constexpr auto distance = static_cast<std::ptrdiff_t>(decltype(k)::value);
      sum += taps[k] * (at[-distance] + at[distance]);
    });
    out[x] = shifted_integer(sum, kShift);
  }
}

/// covariance() of each pixel of a row.
inline void covariance_row(const std::uint32_t* products, const std::uint32_t* means_a,
                           const std::uint32_t* means_b, int width, std::int32_t* __restrict out) {
  for (int x = 0; x < width; ++x) out[x] = covariance(products[x], means_a[x], means_b[x]);
}

/// Sums over the flat pixels of a row.
struct FlatSums {
  std::uint64_t variance = 0;
  std::uint32_t pixels = 0;
};

/// Turns the variances of a row into the keys of its logarithms, and sums its flat pixels.
inline FlatSums weigh_row(const std::int32_t* variances_reference,
                          const std::int32_t* variances_distorted, const std::int32_t* covariances,
                          int width, double gain_limit, std::uint32_t* __restrict available,
                          std::uint32_t* __restrict noise, std::uint32_t* __restrict kept) {
  FlatSums flat;
  for (int x = 0; x < width; ++x) {
    const std::int32_t reference = variances_reference[x];
    const std::int32_t distorted = variances_distorted[x] > 0 ? variances_distorted[x] : 0;
    const Information pixel = information(reference, distorted, covariances[x], gain_limit);
    available[x] = log_key(pixel.available);
    noise[x] = log_key(pixel.noise);
    kept[x] = log_key(pixel.kept);
    flat.variance += static_cast<std::uint32_t>(is_flat(reference) ? distorted : 0);
    flat.pixels += static_cast<std::uint32_t>(is_flat(reference));
  }
  return flat;
}

}  // namespace hipvmaf::vif
