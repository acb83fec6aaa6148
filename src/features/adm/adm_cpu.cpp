#include <tuple>

#include "features/adm/adm.hpp"
#include "features/adm/adm_masking.hpp"
#include "features/adm/adm_scales.hpp"
#include "features/adm/adm_wavelet.hpp"

namespace hipvmaf::adm {
namespace {

/// Transforms one scale of both pictures row by row and passes its detail on at once; only the A
/// bands are kept, for the next scale.
template <class Input, class Arithmetic>
class ScaleStage {
 public:
  using Coefficient = typename Arithmetic::Coefficient;
  static_assert(std::is_same_v<Coefficient, typename RowTransform<Input>::Coefficient>);

  ScaleStage(const ScaleSetup& scale, const MaskingOptions& options, bool measured)
      : scale_(scale),
        measured_(measured),
        transform_(scale.input_width, scale.wavelet),
        sums_(scale, options) {
    const auto width = static_cast<std::size_t>(scale.width);
    for (Bands* bands : {&reference_, &distorted_}) {
      bands->a.resize(width * static_cast<std::size_t>(scale.height));
      for (auto& row : bands->detail) row.resize(width);
    }
  }

  const AdmRaw::Scale& measure(const PlaneView<const Input>& reference,
                               const PlaneView<const Input>& distorted) {
    sums_.begin();
    for (int y = 0; y < scale_.height; ++y) {
      const bool wanted = measured_ && sums_.wants(y);
      transform(reference, y, wanted, reference_);
      transform(distorted, y, wanted, distorted_);
      if (wanted) sums_.add_row(y, detail_of(reference_), detail_of(distorted_));
    }
    return sums_.sums();
  }

  [[nodiscard]] PlaneView<const Coefficient> reference_a() const { return view(reference_); }
  [[nodiscard]] PlaneView<const Coefficient> distorted_a() const { return view(distorted_); }

 private:
  struct Bands {
    std::vector<Coefficient> a;                                 // whole
    std::array<std::vector<Coefficient>, kDetailBands> detail;  // one row
  };

  void transform(const PlaneView<const Input>& input, int y, bool with_detail, Bands& bands) {
    std::array<const Input*, 4> rows;
    for (int k = 0; k < 4; ++k) {
      rows[static_cast<std::size_t>(k)] = input.row(mirrored(2 * y - 1 + k, input.height));
    }
    BandRow<Coefficient> out{.a = bands.a.data() + static_cast<std::ptrdiff_t>(y) * scale_.width};
    for (std::size_t b = 0; b < kDetailBands; ++b) out.detail[b] = bands.detail[b].data();
    transform_.run(rows, with_detail ? sums_.columns() : ColumnRange{}, out);
  }

  static DetailRow<Coefficient> detail_of(const Bands& bands) {
    return {bands.detail[0].data(), bands.detail[1].data(), bands.detail[2].data()};
  }

  [[nodiscard]] PlaneView<const Coefficient> view(const Bands& bands) const {
    return {bands.a.data(), scale_.width, scale_.height, scale_.width};
  }

  ScaleSetup scale_;
  bool measured_;
  RowTransform<Input> transform_;
  MaskedSums<Arithmetic> sums_;
  Bands reference_;
  Bands distorted_;
};

template <class Sample>
class CpuStage final : public PixelStageOf<AdmRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : CpuStage(make_setup(options, format), masking_options(options),
                 !options.flag("adm_skip_scale0")) {}

 protected:
  AdmRaw measure(const FrameWindow& window) override {
    AdmRaw raw;
    raw.scale[0] = scale0_.measure(window.current().reference.plane<Sample>(0),
                                   window.current().distorted.plane<Sample>(0));
    raw.scale[1] = scale1_.measure(scale0_.reference_a(), scale0_.distorted_a());
    raw.scale[2] = scale2_.measure(scale1_.reference_a(), scale1_.distorted_a());
    raw.scale[3] = scale3_.measure(scale2_.reference_a(), scale2_.distorted_a());
    return raw;
  }

 private:
  CpuStage(const Setup& setup, const MaskingOptions& options, bool with_scale0)
      : scale0_(setup[0], options, with_scale0),
        scale1_(setup[1], options, true),
        scale2_(setup[2], options, true),
        scale3_(setup[3], options, true) {}

  ScaleStage<Sample, Fine> scale0_;
  ScaleStage<std::int16_t, Coarse> scale1_;
  ScaleStage<std::int32_t, Coarse> scale2_;
  ScaleStage<std::int32_t, Coarse> scale3_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::adm
