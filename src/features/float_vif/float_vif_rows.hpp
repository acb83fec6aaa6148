// Row operations of the single-precision VIF on CPUs: loops over contiguous samples, without
// branches, that compilers vectorise over x. Each output sample gets its taps one after another, in
// the order of the definition.
#pragma once

#include <array>
#include <cstddef>

#include "features/float_vif/float_vif_filters.hpp"
#include "features/float_vif/float_vif_math.hpp"
#include "features/resample/resample_math.hpp"

namespace hipvmaf::float_vif {

/// For each tap, the samples that it weighs: rows of a plane, or one row from shifted places.
using Sources = std::array<const float*, kWidestFilter>;

/// Output rows of the products of reference and distorted samples.
struct ProductRows {
  float* reference;
  float* distorted;
  float* both;
};

/// Calls f.operator()<kCount, kFirst>(tap) so that all taps are covered in their order, by the few
/// counts that an odd number of taps needs. Sums wait in the output row between the calls; four
/// taps at a time keep that traffic below the cost of the arithmetic.
template <class F>
void for_tap_groups(int taps, const F& f) {
  int next = taps % 4;
  if (next == 1) {
    f.template operator()<1, true>(0);
  } else {
    f.template operator()<3, true>(0);
  }
  for (; next < taps; next += 4) f.template operator()<4, false>(next);
}

/// out[x] = sum over kCount taps of tap * source[x], added to out[x] unless they are the first.
template <int kCount, bool kFirst>
void add_taps(const float* taps, const float* const* sources, int width, float* __restrict out) {
  for (int x = 0; x < width; ++x) {
    float sum = kFirst ? 0.0F : out[x];
    for (int k = 0; k < kCount; ++k) sum += taps[k] * sources[k][x];
    out[x] = sum;
  }
}

/// Likewise for the products of two pictures' samples, which are rounded before they are weighed.
template <int kCount, bool kFirst>
void add_product_taps(const float* taps, const float* const* reference,
                      const float* const* distorted, int width, float* __restrict out_reference,
                      float* __restrict out_distorted, float* __restrict out_both) {
  for (int x = 0; x < width; ++x) {
    float sum_reference = kFirst ? 0.0F : out_reference[x];
    float sum_distorted = kFirst ? 0.0F : out_distorted[x];
    float sum_both = kFirst ? 0.0F : out_both[x];
    for (int k = 0; k < kCount; ++k) {
      const float r = reference[k][x];
      const float d = distorted[k][x];
      sum_reference += taps[k] * (r * r);
      sum_distorted += taps[k] * (d * d);
      sum_both += taps[k] * (r * d);
    }
    out_reference[x] = sum_reference;
    out_distorted[x] = sum_distorted;
    out_both[x] = sum_both;
  }
}

/// out[x] = sum of tap * source[x].
inline void filter_row(const Filter& filter, const Sources& sources, int width, float* out) {
  for_tap_groups(filter.width(), [&]<int kCount, bool kFirst>(int tap) {
    add_taps<kCount, kFirst>(filter.taps.data() + tap, sources.data() + tap, width, out);
  });
}

/// Likewise for the products of reference and distorted samples.
inline void filter_products(const Filter& filter, const Sources& reference,
                            const Sources& distorted, int width, const ProductRows& out) {
  for_tap_groups(filter.width(), [&]<int kCount, bool kFirst>(int tap) {
    add_product_taps<kCount, kFirst>(filter.taps.data() + tap, reference.data() + tap,
                                     distorted.data() + tap, width, out.reference, out.distorted,
                                     out.both);
  });
}

/// Horizontal pass over a row that has room for the filter's radius at both ends, where its mirror
/// image goes.
inline void filter_horizontally(const Filter& filter, float* row, int width, float* out) {
  const int radius = filter.radius();
  for (int i = 1; i <= radius; ++i) {
    row[-i] = row[resample::mirrored(-i, width)];
    row[width - 1 + i] = row[resample::mirrored(width - 1 + i, width)];
  }
  Sources sources{};
  for (int k = 0; k < filter.width(); ++k)
    sources[static_cast<std::size_t>(k)] = row + (k - radius);
  filter_row(filter, sources, width, out);
}

/// Filtered rows of a scale.
struct MomentRows {
  const float* mean_reference;
  const float* mean_distorted;
  const float* product_reference;
  const float* product_distorted;
  const float* product_both;
};

/// information() of each pixel of a row.
inline void inform_row(MomentRows rows, Vision vision, int width, float* __restrict kept,
                       float* __restrict available) {
  for (int x = 0; x < width; ++x) {
    const Information pixel =
        information({rows.mean_reference[x], rows.mean_distorted[x], rows.product_reference[x],
                     rows.product_distorted[x], rows.product_both[x]},
                    vision);
    kept[x] = pixel.kept;
    available[x] = pixel.available;
  }
}

/// The values of a row one after another, as the sums are defined.
inline float sum_row(const float* row, int width) {
  float sum = 0;
  for (int x = 0; x < width; ++x) sum += row[x];
  return sum;
}

}  // namespace hipvmaf::float_vif
