#include "features/adm/adm_masking.hpp"

#include <algorithm>

namespace hipvmaf::adm {
namespace {

/// Place of a row among the three that are kept.
std::size_t slot_of(int y) { return static_cast<std::size_t>(y % 3); }

template <bool wraps>
std::int64_t masked_sum(const std::uint32_t* magnitude, const std::int32_t* threshold,
                        ColumnRange columns, BandFormat format) {
  std::int64_t sum = 0;
  for (int x = columns.begin; x < columns.end; ++x) {
    sum = wrapping_sum(sum, masked_value<wraps>(magnitude[x], threshold[x], format));
  }
  return sum;
}

void add_row_sum(std::int64_t& total, std::int64_t row, int shift) {
  total = wrapping_sum(total, shifted_row(row, shift));
}

}  // namespace

template <class Arithmetic>
MaskedSums<Arithmetic>::MaskedSums(const ScaleSetup& scale, const MaskingOptions& options)
    : scale_(scale),
      options_(options),
      region_(scale.scored_columns()),
      halo_(scale.masking_columns()) {
  const auto width = static_cast<std::size_t>(scale.width);
  for (Signal* signal : {&restored_, &additive_}) {
    for (auto& band : signal->magnitude) {
      for (auto& row : band) row.resize(width);
    }
    for (auto& row : signal->neighbour) row.resize(width + 2);
    for (auto& row : signal->centre) row.resize(width);
  }
  enhancement_.resize(width);
  restored_row_.resize(width);
  additive_row_.resize(width);
  threshold_.resize(width);
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::begin() {
  sums_ = {};
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::add_row(int y, const DetailRow<Coefficient>& reference,
                                     const DetailRow<Coefficient>& distorted) {
  const std::size_t slot = slot_of(y);
  for (Signal* signal : {&restored_, &additive_}) {
    std::ranges::fill(signal->neighbour[slot], 0);
    std::ranges::fill(signal->centre[slot], 0);
  }
  find_enhancement(reference, distorted);
  for (std::size_t b = 0; b < kDetailBands; ++b) {
    decouple(reference[b], distorted[b]);
    weigh(b, slot, restored_row_, restored_);
    weigh(b, slot, additive_row_, additive_);
    if (scale_.is_scored_row(y)) add_reference(b, reference[b]);
  }
  extend_neighbours(restored_, slot);
  extend_neighbours(additive_, slot);
  if (scale_.is_scored_row(y - 1)) score_row(y - 1);
  if (y == scale_.last_masking_row() && scale_.is_scored_row(y)) score_row(y);
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::find_enhancement(const DetailRow<Coefficient>& reference,
                                              const DetailRow<Coefficient>& distorted) {
  using Product = typename Arithmetic::Product;
  const auto& [ref_h, ref_v, ref_d] = reference;
  const auto& [dis_h, dis_v, dis_d] = distorted;
  std::int32_t* __restrict enhancement = enhancement_.data();
  const ColumnRange columns = halo_;
  for (int x = columns.begin; x < columns.end; ++x) {
    const Product oh = ref_h[x];
    const Product ov = ref_v[x];
    const Product th = dis_h[x];
    const Product tv = dis_v[x];
    enhancement[x] =
        same_direction<Product>(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv);
  }
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::decouple(const Coefficient* reference, const Coefficient* distorted) {
  Coefficient* __restrict restored = restored_row_.data();
  Coefficient* __restrict additive = additive_row_.data();
  const std::int32_t* enhancement = enhancement_.data();
  const double gain_limit = options_.gain_limit;
  const ColumnRange columns = halo_;
  for (int x = columns.begin; x < columns.end; ++x) {
    const std::int32_t r =
        Arithmetic::restored(reference[x], distorted[x], enhancement[x] != 0, gain_limit);
    restored[x] = static_cast<Coefficient>(r);
    additive[x] = static_cast<Coefficient>(distorted[x] - r);
  }
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::weigh(std::size_t band, std::size_t slot,
                                   const std::vector<Coefficient>& coefficients, Signal& signal) {
  const BandFormat format = scale_.bands[band];
  const Coefficient* in = coefficients.data();
  std::uint32_t* __restrict magnitude = signal.magnitude[band][slot].data();
  std::int32_t* __restrict neighbour = signal.neighbour[slot].data() + 1;
  std::int32_t* __restrict centre = signal.centre[slot].data();
  const ColumnRange columns = halo_;
  for (int x = columns.begin; x < columns.end; ++x) {
    const Weighted weighted = Arithmetic::weigh(in[x], format);
    magnitude[x] = weighted.magnitude;
    neighbour[x] += weighted.neighbour;
    centre[x] += weighted.centre;
  }
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::extend_neighbours(Signal& signal, std::size_t slot) {
  if (scale_.left > 0) return;
  std::int32_t* columns = signal.neighbour[slot].data() + 1;
  for (const int x : {-1, scale_.width}) columns[x] = columns[mirrored(x, scale_.width)];
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::add_reference(std::size_t band, const Coefficient* reference) {
  const ColumnRange columns = region_;
  const ReferenceFormat format = scale_.reference;
  std::uint64_t sum = 0;
  for (int x = columns.begin; x < columns.end; ++x) {
    sum += Arithmetic::reference_value(reference[x], format);
  }
  sums_.den[band] += shifted_row(sum, scale_.reference_row_shift);
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::score_row(int y) {
  find_thresholds(additive_, y);
  for (std::size_t b = 0; b < kDetailBands; ++b) {
    add_row_sum(sums_.num[b], row_sum(restored_, b, y), scale_.row_shift);
  }
  if (!options_.with_aim) return;
  find_thresholds(restored_, y);
  for (std::size_t b = 0; b < kDetailBands; ++b) {
    add_row_sum(sums_.aim[b], row_sum(additive_, b, y), scale_.row_shift);
  }
}

template <class Arithmetic>
void MaskedSums<Arithmetic>::find_thresholds(const Signal& masker, int y) {
  const auto neighbours = [&](int row) {
    return masker.neighbour[slot_of(mirrored(row, scale_.height))].data() + 1;
  };
  const std::int32_t* above = neighbours(y - 1);
  const std::int32_t* here = neighbours(y);
  const std::int32_t* below = neighbours(y + 1);
  const std::int32_t* centre = masker.centre[slot_of(y)].data();
  std::int32_t* __restrict threshold = threshold_.data();
  const ColumnRange columns = region_;
  for (int x = columns.begin; x < columns.end; ++x) {
    threshold[x] = above[x - 1] + above[x] + above[x + 1] + here[x - 1] + here[x + 1] +
                   below[x - 1] + below[x] + below[x + 1] + centre[x];
  }
}

template <class Arithmetic>
std::int64_t MaskedSums<Arithmetic>::row_sum(const Signal& signal, std::size_t band, int y) const {
  const std::uint32_t* magnitude = signal.magnitude[band][slot_of(y)].data();
  return options_.weights_overflow
             ? masked_sum<true>(magnitude, threshold_.data(), region_, scale_.bands[band])
             : masked_sum<false>(magnitude, threshold_.data(), region_, scale_.bands[band]);
}

template class MaskedSums<Fine>;
template class MaskedSums<Coarse>;

}  // namespace hipvmaf::adm
