// The stage behind the wavelet, for one scale: decoupling, contrast sensitivity, masking and the
// sums, row by row.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "features/adm/adm_scales.hpp"
#include "features/adm/adm_wavelet.hpp"

namespace hipvmaf::adm {

/// Sums one scale of a pair of pictures. Rows come from top to bottom; three of them are kept,
/// since a position is masked by the eight around it. `Arithmetic` is Fine or Coarse.
template <class Arithmetic>
class MaskedSums {
 public:
  using Coefficient = typename Arithmetic::Coefficient;

  MaskedSums(const ScaleSetup& scale, const MaskingOptions& options);

  /// Columns that add_row() reads: the scored region and one more on each side where there is one.
  [[nodiscard]] ColumnRange columns() const { return halo_; }
  /// Whether add_row() wants row y: likewise.
  [[nodiscard]] bool wants(int y) const {
    return y >= scale_.first_masking_row() && y <= scale_.last_masking_row();
  }

  /// Starts a frame.
  void begin();
  /// Takes the next row that it wants.
  void add_row(int y, const DetailRow<Coefficient>& reference,
               const DetailRow<Coefficient>& distorted);
  /// The sums after the last row.
  [[nodiscard]] const AdmRaw::Scale& sums() const { return sums_; }

 private:
  /// A weighted signal, restored or additive, in three rows.
  struct Signal {
    std::array<std::array<std::vector<std::uint32_t>, 3>, kDetailBands> magnitude;
    // What it adds to thresholds, all bands together. Neighbours have one more column on each side.
    std::array<std::vector<std::int32_t>, 3> neighbour;
    std::array<std::vector<std::int32_t>, 3> centre;
  };

  void find_enhancement(const DetailRow<Coefficient>& reference,
                        const DetailRow<Coefficient>& distorted);
  void decouple(const Coefficient* reference, const Coefficient* distorted);
  void weigh(std::size_t band, std::size_t slot, const std::vector<Coefficient>& coefficients,
             Signal& signal);
  void extend_neighbours(Signal& signal, std::size_t slot);
  void add_reference(std::size_t band, const Coefficient* reference);
  void score_row(int y);
  void find_thresholds(const Signal& masker, int y);
  [[nodiscard]] std::int64_t row_sum(const Signal& signal, std::size_t band, int y) const;

  ScaleSetup scale_;
  MaskingOptions options_;
  ColumnRange region_;
  ColumnRange halo_;
  AdmRaw::Scale sums_{};

  Signal restored_;
  Signal additive_;
  std::vector<std::int32_t> enhancement_;  // 0 or 1
  std::vector<Coefficient> restored_row_;
  std::vector<Coefficient> additive_row_;
  std::vector<std::int32_t> threshold_;
};

extern template class MaskedSums<Fine>;
extern template class MaskedSums<Coarse>;

}  // namespace hipvmaf::adm
