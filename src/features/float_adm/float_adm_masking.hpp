// The stage behind the wavelet, for one scale: decoupling, contrast sensitivity, masking and the
// sums, row by row.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "features/float_adm/float_adm_scales.hpp"

namespace hipvmaf::float_adm {

/// Sums one scale of a pair of pictures. Rows come from top to bottom; three of them are kept,
/// since a position is masked by the eight around it.
class MaskedSums {
 public:
  MaskedSums(const ScaleSetup& scale, const MaskingOptions& options);

  /// Columns that add_row() reads: the scored region and one more on each side where there is one.
  [[nodiscard]] adm::ColumnRange columns() const { return halo_; }
  /// Whether add_row() wants row y: likewise.
  [[nodiscard]] bool wants(int y) const {
    return y >= scale_.first_masking_row() && y <= scale_.last_masking_row();
  }

  /// Starts a frame.
  void begin() { sums_ = {}; }
  /// Takes the next row that it wants.
  void add_row(int y, const adm::DetailRow<float>& reference,
               const adm::DetailRow<float>& distorted);
  /// The sums after the last row.
  [[nodiscard]] const FloatAdmRaw::Scale& sums() const { return sums_; }

 private:
  using Row = std::vector<float>;
  using BandRows = std::array<Row, adm::kDetailBands>;

  /// A weighted signal, restored or additive, in three rows.
  struct Signal {
    std::array<BandRows, 3> magnitude;
    /// What it adds to thresholds around it; has one more column on each side.
    std::array<BandRows, 3> neighbour;
  };

  void find_enhancement(const adm::DetailRow<float>& reference,
                        const adm::DetailRow<float>& distorted);
  void decouple(std::size_t band, std::size_t slot, const float* reference, const float* distorted);
  void find_neighbours(Signal& signal, std::size_t slot);
  void add_reference(const adm::DetailRow<float>& reference);
  void score_row(int y);
  void find_thresholds(const Signal& masker, int y);
  void add_signal(const BandRows& magnitude, FloatAdmRaw::Bands& sums);
  void find_powers(std::size_t band);
  void add_row_sums(FloatAdmRaw::Bands& sums) const;

  ScaleSetup scale_;
  MaskingOptions options_;
  adm::ColumnRange region_;
  adm::ColumnRange halo_;
  FloatAdmRaw::Scale sums_{};

  Signal restored_;
  Signal additive_;
  std::vector<std::int32_t> enhancement_;  // 0 or 1
  Row ratio_;
  Row threshold_;
  BandRows value_;  // what is summed
};

}  // namespace hipvmaf::float_adm
