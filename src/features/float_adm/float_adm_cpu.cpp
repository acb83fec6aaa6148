#include <algorithm>

#include "features/border_math.hpp"
#include "features/float_adm/float_adm.hpp"
#include "features/float_adm/float_adm_masking.hpp"
#include "features/float_adm/float_adm_math.hpp"
#include "features/float_adm/float_adm_scales.hpp"
#include "features/float_adm/float_adm_wavelet.hpp"
#include "features/float_luma_math.hpp"

namespace hipvmaf::float_adm {
namespace {

/// Rows of a picture as floats. The four that a row of the wavelet needs are kept.
template <class Sample>
class LumaRows {
 public:
  explicit LumaRows(const PictureFormat& format) : unit_(luma_unit(format.bit_depth)) {
    for (auto& row : kept_) row.resize(static_cast<std::size_t>(format.width));
  }

  void begin(const PlaneView<const Sample>& luma) {
    luma_ = luma;
    next_ = 0;
  }

  /// `y` at most three before the last row asked for.
  const float* row(int y) {
    for (; next_ <= y; ++next_) {
      to_float_luma(luma_.row(next_), luma_.width, unit_, kLumaOffset, slot(next_).data());
    }
    return slot(y).data();
  }

 private:
  std::vector<float>& slot(int y) { return kept_[static_cast<std::size_t>(y % 4)]; }

  float unit_;
  PlaneView<const Sample> luma_;
  int next_ = 0;
  std::array<std::vector<float>, 4> kept_;
};

/// Transforms one scale of both pictures row by row and passes its detail on at once; only the A
/// bands are kept, for the next scale.
class ScaleStage {
 public:
  ScaleStage(const ScaleSetup& scale, const MaskingOptions& options, bool measured)
      : scale_(scale), measured_(measured), transform_(scale.input_width), sums_(scale, options) {
    const auto width = static_cast<std::size_t>(scale.width);
    for (Bands* bands : {&reference_, &distorted_}) {
      bands->a.resize(width * static_cast<std::size_t>(scale.height));
      for (auto& row : bands->detail) row.resize(width);
    }
  }

  /// `Rows` is LumaRows or PlaneView<const float>.
  template <class Rows>
  const FloatAdmRaw::Scale& measure(Rows&& reference, Rows&& distorted) {
    sums_.begin();
    for (int y = 0; y < scale_.height; ++y) {
      const bool wanted = measured_ && sums_.wants(y);
      transform(reference, y, wanted, reference_);
      transform(distorted, y, wanted, distorted_);
      if (wanted) sums_.add_row(y, detail_of(reference_), detail_of(distorted_));
    }
    return sums_.sums();
  }

  [[nodiscard]] PlaneView<const float> reference_a() const { return view(reference_); }
  [[nodiscard]] PlaneView<const float> distorted_a() const { return view(distorted_); }

 private:
  struct Bands {
    std::vector<float> a;                                      // whole
    std::array<std::vector<float>, adm::kDetailBands> detail;  // one row
  };

  template <class Rows>
  void transform(Rows& input, int y, bool with_detail, Bands& bands) {
    std::array<const float*, 4> rows;
    for (int k = 0; k < 4; ++k) {
      rows[static_cast<std::size_t>(k)] = input.row(mirrored(2 * y - 1 + k, scale_.input_height));
    }
    adm::BandRow<float> out{.a = bands.a.data() + static_cast<std::ptrdiff_t>(y) * scale_.width};
    for (std::size_t b = 0; b < out.detail.size(); ++b) out.detail[b] = bands.detail[b].data();
    transform_.run(rows, with_detail ? sums_.columns() : adm::ColumnRange{}, out);
  }

  static adm::DetailRow<float> detail_of(const Bands& bands) {
    return {bands.detail[0].data(), bands.detail[1].data(), bands.detail[2].data()};
  }

  [[nodiscard]] PlaneView<const float> view(const Bands& bands) const {
    return {bands.a.data(), scale_.width, scale_.height, scale_.width};
  }

  ScaleSetup scale_;
  bool measured_;
  RowTransform transform_;
  MaskedSums sums_;
  Bands reference_;
  Bands distorted_;
};

template <class Sample>
class CpuStage final : public PixelStageOf<FloatAdmRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : reference_(format), distorted_(format) {
    const MaskingOptions masking = masking_options(options);
    const bool with_scale0 = !options.flag("adm_skip_scale0");
    for (const ScaleSetup& scale : make_setup(options, format)) {
      scales_.emplace_back(scale, masking, scale.scale > 0 || with_scale0);
    }
  }

 protected:
  FloatAdmRaw measure(const FrameWindow& window) override {
    reference_.begin(window.current().reference.plane<Sample>(0));
    distorted_.begin(window.current().distorted.plane<Sample>(0));
    FloatAdmRaw raw;
    raw.scale[0] = scales_[0].measure(reference_, distorted_);
    for (std::size_t s = 1; s < scales_.size(); ++s) {
      raw.scale[s] = scales_[s].measure(scales_[s - 1].reference_a(), scales_[s - 1].distorted_a());
    }
    return raw;
  }

 private:
  LumaRows<Sample> reference_;
  LumaRows<Sample> distorted_;
  std::vector<ScaleStage> scales_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_adm
