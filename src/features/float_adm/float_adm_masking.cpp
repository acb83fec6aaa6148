#include "features/float_adm/float_adm_masking.hpp"

#include <cmath>

#include "features/border_math.hpp"
#include "features/float_adm/float_adm_math.hpp"

namespace hipvmaf::float_adm {
namespace {

/// Place of a row among the three that are kept.
std::size_t slot_of(int y) { return static_cast<std::size_t>(y % 3); }

}  // namespace

MaskedSums::MaskedSums(const ScaleSetup& scale, const MaskingOptions& options)
    : scale_(scale),
      options_(options),
      region_(scale.scored_columns()),
      halo_(scale.masking_columns()) {
  const auto width = static_cast<std::size_t>(scale.width);
  for (Signal* signal : {&restored_, &additive_}) {
    for (std::size_t slot = 0; slot < signal->magnitude.size(); ++slot) {
      for (Row& row : signal->magnitude[slot]) row.resize(width);
      for (Row& row : signal->neighbour[slot]) row.resize(width + 2);
    }
  }
  enhancement_.resize(width);
  ratio_.resize(width);
  threshold_.resize(width);
  for (Row& row : value_) row.resize(width);
}

void MaskedSums::add_row(int y, const adm::DetailRow<float>& reference,
                         const adm::DetailRow<float>& distorted) {
  const std::size_t slot = slot_of(y);
  find_enhancement(reference, distorted);
  for (std::size_t b = 0; b < adm::kDetailBands; ++b) {
    decouple(b, slot, reference[b], distorted[b]);
  }
  find_neighbours(restored_, slot);
  find_neighbours(additive_, slot);
  if (scale_.is_scored_row(y)) add_reference(reference);
  if (scale_.is_scored_row(y - 1)) score_row(y - 1);
  if (y == scale_.last_masking_row() && scale_.is_scored_row(y)) score_row(y);
}

void MaskedSums::find_enhancement(const adm::DetailRow<float>& reference,
                                  const adm::DetailRow<float>& distorted) {
  const auto& [ref_h, ref_v, ref_d] = reference;
  const auto& [dis_h, dis_v, dis_d] = distorted;
  std::int32_t* __restrict enhancement = enhancement_.data();
  const adm::ColumnRange columns = halo_;
  for (int x = columns.begin; x < columns.end; ++x) {
    enhancement[x] = same_direction(ref_h[x], ref_v[x], dis_h[x], dis_v[x]);
  }
}

void MaskedSums::decouple(std::size_t band, std::size_t slot, const float* reference,
                          const float* distorted) {
  float* __restrict ratio = ratio_.data();
  float* __restrict restored_magnitude = restored_.magnitude[slot][band].data();
  float* __restrict additive_magnitude = additive_.magnitude[slot][band].data();
  const std::int32_t* enhancement = enhancement_.data();
  const double gain_limit = options_.gain_limit;
  const float csf = scale_.csf[band];
  const adm::ColumnRange columns = halo_;
  // In a loop of their own: compilers make branches for the ratio's limits otherwise, and then do
  // not vectorise.
  for (int x = columns.begin; x < columns.end; ++x) {
    ratio[x] = kept_ratio(reference[x], distorted[x]);
  }
  for (int x = columns.begin; x < columns.end; ++x) {
    const float r = restored(ratio[x], reference[x], distorted[x], enhancement[x] != 0, gain_limit);
    restored_magnitude[x] = weighted_magnitude(r, csf);
    additive_magnitude[x] = weighted_magnitude(distorted[x] - r, csf);
  }
}

void MaskedSums::find_neighbours(Signal& signal, std::size_t slot) {
  const adm::ColumnRange columns = halo_;
  for (std::size_t b = 0; b < adm::kDetailBands; ++b) {
    const float* magnitude = signal.magnitude[slot][b].data();
    float* __restrict neighbour = signal.neighbour[slot][b].data() + 1;
    for (int x = columns.begin; x < columns.end; ++x) neighbour[x] = masks_neighbour(magnitude[x]);
    if (scale_.left > 0) continue;
    for (const int x : {-1, scale_.width}) neighbour[x] = neighbour[mirrored(x, scale_.width)];
  }
}

void MaskedSums::add_reference(const adm::DetailRow<float>& reference) {
  const adm::ColumnRange columns = region_;
  for (std::size_t b = 0; b < adm::kDetailBands; ++b) {
    const float* in = reference[b];
    const float csf = scale_.csf[b];
    float* __restrict value = value_[b].data();
    for (int x = columns.begin; x < columns.end; ++x) value[x] = weighted_magnitude(in[x], csf);
    find_powers(b);
  }
  add_row_sums(sums_.den);
}

void MaskedSums::score_row(int y) {
  find_thresholds(additive_, y);
  add_signal(restored_.magnitude[slot_of(y)], sums_.num);
  find_thresholds(restored_, y);
  add_signal(additive_.magnitude[slot_of(y)], sums_.aim);
}

void MaskedSums::find_thresholds(const Signal& masker, int y) {
  if (!options_.masks) return;  // they are 0 from the start
  float* __restrict threshold = threshold_.data();
  const adm::ColumnRange columns = region_;
  for (std::size_t b = 0; b < adm::kDetailBands; ++b) {
    const auto neighbours = [&](int row) {
      return masker.neighbour[slot_of(mirrored(row, scale_.height))][b].data() + 1;
    };
    const float* above = neighbours(y - 1);
    const float* here = neighbours(y);
    const float* below = neighbours(y + 1);
    const float* magnitude = masker.magnitude[slot_of(y)][b].data();
    const bool first = b == 0;
    for (int x = columns.begin; x < columns.end; ++x) {
      const float before = with_own_row(row_above(above[x - 1], above[x], above[x + 1]),
                                        here[x - 1], magnitude[x], here[x + 1]);
      const float sum = with_row_below(before, below[x - 1], below[x], below[x + 1]);
      threshold[x] = (first ? 0.0F : threshold[x]) + sum;
    }
  }
}

void MaskedSums::add_signal(const BandRows& magnitude, FloatAdmRaw::Bands& sums) {
  const float* threshold = threshold_.data();
  const adm::ColumnRange columns = region_;
  for (std::size_t b = 0; b < adm::kDetailBands; ++b) {
    const float* in = magnitude[b].data();
    float* __restrict value = value_[b].data();
    for (int x = columns.begin; x < columns.end; ++x) value[x] = unmasked(in[x], threshold[x]);
    find_powers(b);
  }
  add_row_sums(sums);
}

void MaskedSums::find_powers(std::size_t band) {
  float* value = value_[band].data();
  const adm::ColumnRange columns = region_;
  if (options_.pooling_norm == 3) {
    for (int x = columns.begin; x < columns.end; ++x) value[x] = cube(value[x]);
  } else {
    const auto norm = static_cast<float>(options_.pooling_norm);
    for (int x = columns.begin; x < columns.end; ++x) value[x] = power(value[x], norm);
  }
}

// The order of the sums is part of the definition, so the bands side by side are all the
// parallelism there is.
void MaskedSums::add_row_sums(FloatAdmRaw::Bands& sums) const {
  const auto& [value_h, value_v, value_d] = value_;
  float h = 0;
  float v = 0;
  float d = 0;
  for (auto x = static_cast<std::size_t>(region_.begin); x < static_cast<std::size_t>(region_.end);
       ++x) {
    h += value_h[x];
    v += value_v[x];
    d += value_d[x];
  }
  sums[0] += h;
  sums[1] += v;
  sums[2] += d;
}

}  // namespace hipvmaf::float_adm
