#include <cmath>

#include "features/adm/adm.hpp"
#include "features/adm/adm_scales.hpp"

// From the row sums to the scores. Which steps are in binary32 and which in binary64 is part of the
// definition.
namespace hipvmaf::adm {
namespace {

/// binary32 cube root as it is defined here: the power 1/3 rounded to binary32.
float cube_root(float x) { return std::pow(x, 1.0F / 3.0F); }

/// Cubic norms of the bands, each with the noise's, added up.
float pooled(const std::array<float, kDetailBands>& sums, float noise) {
  return (cube_root(sums[0]) + noise) + (cube_root(sums[1]) + noise) + (cube_root(sums[2]) + noise);
}

float noise_norm(const ScaleSetup& scale, double noise_weight) {
  const int area = scale.region_width() * scale.region_height();
  return cube_root(static_cast<float>(static_cast<double>(area) * noise_weight));
}

/// Fraction bits of cubed weighted coefficients before any shift: scale 0 by band, others by scale.
constexpr std::array kFineNumeratorBits{52, 52, 57};
constexpr std::array kCoarseNumeratorBits{0, 45, 39, 36};
/// The same for cubed reference coefficients.
constexpr int kFineReferenceBits = 18;
constexpr std::array kCoarseReferenceBits{0, 32, 27, 23};

float numerator(const ScaleSetup& scale, const std::array<std::int64_t, kDetailBands>& sums,
                float noise) {
  std::array<float, kDetailBands> values{};
  for (std::size_t b = 0; b < values.size(); ++b) {
    const int shifts = scale.bands[b].value_shift + scale.row_shift;
    values[b] =
        scale.scale == 0
            ? static_cast<float>(
                  std::ldexp(static_cast<double>(sums[b]), shifts - kFineNumeratorBits[b]))
            : std::ldexp(static_cast<float>(sums[b]),
                         shifts - kCoarseNumeratorBits[static_cast<std::size_t>(scale.scale)]);
  }
  return pooled(values, noise);
}

float denominator(const ScaleSetup& scale, const std::array<std::uint64_t, kDetailBands>& sums,
                  float noise) {
  const int bits = scale.scale == 0 ? kFineReferenceBits
                                    : kCoarseReferenceBits[static_cast<std::size_t>(scale.scale)];
  const int exponent = scale.reference.value_shift + scale.reference_row_shift - bits;
  std::array<float, kDetailBands> values{};
  for (std::size_t b = 0; b < values.size(); ++b) {
    const double cube = std::ldexp(static_cast<double>(sums[b]), exponent);
    values[b] = static_cast<float>(cube * std::pow(static_cast<double>(scale.csf[b]), 3.0));
  }
  return pooled(values, noise);
}

class Scores final : public ScalarStageOf<AdmRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : setup_(make_setup(options, format)),
        noise_weight_(options.real("adm_noise_weight")),
        dlm_weight_(options.real("adm_dlm_weight")),
        minimum_(options.real("adm_min_val")),
        with_scale0_(!options.flag("adm_skip_scale0")),
        // What a sum must reach to count, in proportion to the picture.
        smallest_(1e-10 * static_cast<double>(format.width * format.height) / (1920.0 * 1080.0)) {}

 protected:
  void push(std::int64_t frame, const AdmRaw& raw, ScoreSink& sink) override {
    double num = 0;
    double den = 0;
    double aim_num = 0;
    for (std::size_t s = 0; s < setup_.size(); ++s) {
      const ScaleSums sums = sums_of(setup_[s], raw.scale[s]);
      const auto num_s = static_cast<double>(sums.num);
      const auto den_s = static_cast<double>(sums.den);
      num += num_s;
      den += den_s;
      aim_num += static_cast<double>(sums.aim);
      const int place = static_cast<int>(s);
      sink.emit(kScale0 + place, frame, num_s / den_s);
      sink.emit(kDebugScale0Num + 2 * place, frame, num_s);
      sink.emit(kDebugScale0Num + 2 * place + 1, frame, den_s);
    }
    if (num < smallest_) num = 0;
    if (den < smallest_) den = 0;
    const double adm2 = den == 0 ? 1.0 : num / den;
    const double aim = den == 0 ? 0.0 : aim_num / den;
    const double blend = adm2 * dlm_weight_ + (1.0 - aim) * (1.0 - dlm_weight_);
    sink.emit(kAdm2, frame, adm2);
    sink.emit(kAim, frame, aim);
    sink.emit(kAdm3, frame, blend > minimum_ ? blend : minimum_);  // the minimum for NaN too
    sink.emit(kDebugAdm, frame, adm2);
    sink.emit(kDebugNum, frame, num);
    sink.emit(kDebugDen, frame, den);
  }

 private:
  struct ScaleSums {
    float num = 0;
    float den = 0;
    float aim = 0;
  };

  [[nodiscard]] ScaleSums sums_of(const ScaleSetup& scale, const AdmRaw::Scale& raw) const {
    if (scale.scale == 0 && !with_scale0_) return {.den = 1e-10F};
    const float noise = noise_norm(scale, noise_weight_);
    return {.num = numerator(scale, raw.num, noise),
            .den = denominator(scale, raw.den, noise),
            .aim = numerator(scale, raw.aim, noise_norm(scale, 0))};
  }

  Setup setup_;
  double noise_weight_;
  double dlm_weight_;
  double minimum_;
  bool with_scale0_;
  double smallest_;
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::adm
