#include <array>
#include <cstddef>
#include <vector>

#include "features/scored_planes.hpp"
#include "features/vif/vif.hpp"
#include "features/vif/vif_rows.hpp"
#include "features/vif/vif_tables.hpp"

namespace hipvmaf::vif {
namespace {

/// A row of 32-bit integers, kept as doubles, with room for its mirrored ends.
class PaddedRow {
 public:
  explicit PaddedRow(std::size_t width) : values_(width + 2 * kLargestRadius) {}
  [[nodiscard]] double* data() { return values_.data() + kLargestRadius; }

 private:
  std::vector<double> values_;
};

/// Rows that a stage works in, as wide as its pictures.
struct RowScratch {
  explicit RowScratch(std::size_t width)
      : vertical{PaddedRow(width), PaddedRow(width), PaddedRow(width)},
        sums_reference(width),
        sums_distorted(width),
        means_reference(width),
        means_distorted(width),
        filtered(width),
        variances_reference(width),
        variances_distorted(width),
        covariances(width),
        available(width),
        noise(width),
        kept(width) {}

  std::array<PaddedRow, 3> vertical;  ///< Results of the vertical pass.
  std::vector<std::uint32_t> sums_reference, sums_distorted;
  std::vector<std::uint32_t> means_reference, means_distorted;
  std::vector<std::uint32_t> filtered;
  std::vector<std::int32_t> variances_reference, variances_distorted, covariances;
  std::vector<std::uint32_t> available, noise, kept;  ///< Keys of logarithms.
};

template <int kScale, class Sample>
RowSet<Sample> rows_around(const PlaneView<const Sample>& plane, int y) {
  constexpr int radius = kFilters[kScale].radius;
  RowSet<Sample> rows{};
  for (int i = -radius; i <= radius; ++i)
    rows[static_cast<std::size_t>(i + radius)] = plane.row(mirrored(y + i, plane.height));
  return rows;
}

/// Horizontal pass over a row of the vertical pass.
template <int kScale, int kShift>
void finish_row(PaddedRow& row, int width, std::uint32_t* out) {
  mirror_ends(row.data(), width, kFilters[kScale].radius);
  filter_row<kScale, kShift>(row.data(), width, out);
}

/// Variances and covariances around the pixels of row y.
template <int kScale, class Sample>
void measure_variances(const PlaneView<const Sample>& reference,
                       const PlaneView<const Sample>& distorted, int y, Shifts shifts,
                       RowScratch& s) {
  const int width = reference.width;
  const auto rows_r = rows_around<kScale>(reference, y);
  const auto rows_d = rows_around<kScale>(distorted, y);
  std::uint32_t* sums_r = s.sums_reference.data();
  std::uint32_t* sums_d = s.sums_distorted.data();
  std::uint32_t* means_r = s.means_reference.data();
  std::uint32_t* means_d = s.means_distorted.data();
  std::uint32_t* filtered = s.filtered.data();
  auto& [rr, dd, rd] = s.vertical;

  sum_rows<kScale>(rows_r, width, sums_r);
  round_means(sums_r, width, shifts.mean, rr.data());
  finish_row<kScale, 0>(rr, width, means_r);
  sum_rows<kScale>(rows_d, width, sums_d);
  round_means(sums_d, width, shifts.mean, dd.data());
  finish_row<kScale, 0>(dd, width, means_d);

  if constexpr (sizeof(Sample) == 1) {
    multiply_rows<kScale>(rows_r, rows_d, sums_r, sums_d, width, rr.data(), dd.data(), rd.data());
  } else {
    multiply_rows<kScale>(rows_r, rows_d, width, shifts.product, rr.data(), dd.data(), rd.data());
  }
  finish_row<kScale, 16>(rr, width, filtered);
  covariance_row(filtered, means_r, means_r, width, s.variances_reference.data());
  finish_row<kScale, 16>(dd, width, filtered);
  covariance_row(filtered, means_d, means_d, width, s.variances_distorted.data());
  finish_row<kScale, 16>(rd, width, filtered);
  covariance_row(filtered, means_r, means_d, width, s.covariances.data());
}

template <class Sample>
class CpuStage final : public PixelStageOf<VifRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options, format)),
        skips_luma_scale0_(!measures_scale(options, 0, 0)),
        gain_limit_(options.real("vif_enhn_gain_limit")),
        log_table_(log_table().data()),
        rows_(static_cast<std::size_t>(format.width)) {
    for (std::size_t s = 1; s < kScales; ++s) {
      smaller_[s].resize(2 * static_cast<std::size_t>(format.width >> s) *
                         static_cast<std::size_t>(format.height >> s));
    }
  }

 protected:
  VifRaw measure(const FrameWindow& window) override {
    VifRaw raw{};
    const Frame& frame = window.current();
    for (int p = 0; p < planes_; ++p) {
      const bool skips_scale0 = p == 0 && skips_luma_scale0_;
      measure_scales<0>(scored(frame.reference, p), scored(frame.distorted, p),
                        frame.reference.format().bit_depth, skips_scale0,
                        raw.sums[static_cast<std::size_t>(p)]);
    }
    return raw;
  }

 private:
  static PlaneView<const Sample> scored(const Picture& picture, int plane) {
    auto view = picture.plane<Sample>(plane);
    view.width = scored_width(picture.format(), plane);
    view.height = scored_height(picture.format(), plane);
    return view;
  }

  /// Measures this scale, makes the next one and goes on with that.
  template <int kScale, class ScaleSample>
  void measure_scales(const PlaneView<const ScaleSample>& reference,
                      const PlaneView<const ScaleSample>& distorted, int bit_depth, bool skips_this,
                      std::array<VifSums, kScales>& sums) {
    const Shifts shifts = shifts_of(kScale, bit_depth);
    if (!skips_this) {
      for (int y = 0; y < reference.height; ++y) {
        measure_variances<kScale>(reference, distorted, y, shifts, rows_);
        add_row(reference.width, sums[kScale]);
      }
    }
    if constexpr (kScale + 1 < kScales) {
      std::uint16_t* samples = smaller_[kScale + 1].data();
      const auto half_r = halve<kScale + 1>(reference, shifts.mean, samples);
      const auto half_d =
          halve<kScale + 1>(distorted, shifts.mean, samples + half_r.height * half_r.stride);
      measure_scales<kScale + 1>(half_r, half_d, bit_depth, false, sums);
    }
  }

  /// Adds the pixels of a row, whose variances are in rows_.
  void add_row(int width, VifSums& sums) {
    const FlatSums flat =
        weigh_row(rows_.variances_reference.data(), rows_.variances_distorted.data(),
                  rows_.covariances.data(), width, gain_limit_, rows_.available.data(),
                  rows_.noise.data(), rows_.kept.data());
    sums.flat_variance += static_cast<std::int64_t>(flat.variance);
    sums.flat_pixels += flat.pixels;

    // 32 bits hold the logarithms of the widest picture's row.
    const std::uint32_t neural_noise = fixed_log2(log_key(kNoise), log_table_);
    std::uint32_t kept = 0;
    std::uint32_t available = 0;
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
      kept += fixed_log2(rows_.kept[x], log_table_) - fixed_log2(rows_.noise[x], log_table_);
      available += fixed_log2(rows_.available[x], log_table_) - neural_noise;
    }
    sums.kept_log2 += kept;
    sums.available_log2 += available;
  }

  /// Filters a picture for scale kScale and keeps its even rows and columns, in `samples`.
  template <int kScale, class From>
  PlaneView<const std::uint16_t> halve(const PlaneView<const From>& from, int vertical_shift,
                                       std::uint16_t* samples) {
    const PlaneView<std::uint16_t> half{samples, from.width / 2, from.height / 2, from.width / 2};
    std::uint32_t* sums = rows_.sums_reference.data();
    std::uint32_t* filtered = rows_.filtered.data();
    PaddedRow& vertical = rows_.vertical[0];
    for (int y = 0; y < half.height; ++y) {
      sum_rows<kScale>(rows_around<kScale>(from, 2 * y), from.width, sums);
      round_means(sums, from.width, vertical_shift, vertical.data());
      finish_row<kScale, 16>(vertical, from.width, filtered);
      std::uint16_t* row = half.row(y);
      for (int x = 0; x < half.width; ++x) row[x] = static_cast<std::uint16_t>(filtered[2 * x]);
    }
    return {half.data, half.width, half.height, half.stride};
  }

  int planes_;
  bool skips_luma_scale0_;
  double gain_limit_;
  const std::uint16_t* log_table_;
  RowScratch rows_;
  /// Reference, then distorted, of scales 1 .. 3.
  std::array<std::vector<std::uint16_t>, kScales> smaller_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::vif
