#include <algorithm>
#include <cmath>

#include "features/float_adm/float_adm.hpp"

// From the sums to the scores. Which steps are in binary32 and which in binary64 is part of the
// definition.
namespace hipvmaf::float_adm {
namespace {

/// The limit also stands in for NaN.
double at_least(double limit, double value) { return value > limit ? value : limit; }

class Scores final : public ScalarStageOf<FloatAdmRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : scales_(adm::make_geometry(format.width, format.height)),
        root_(static_cast<float>(1.0 / options.real("adm_p_norm"))),
        noise_weight_(options.real("adm_noise_weight")),
        dlm_weight_(options.real("adm_dlm_weight")),
        minimum_(options.real("adm_min_val")),
        harmonic_(options.flag("adm_adm3_apply_hm")),
        with_scale0_(!options.flag("adm_skip_scale0")),
        skipped_aim_scale_(options.integer("adm_skip_aim_scale")),
        // What a sum must reach to count, in proportion to the picture.
        smallest_(1e-10 * (static_cast<double>(format.width) * format.height) / (1920.0 * 1080.0)) {
  }

 protected:
  void push(std::int64_t frame, const FloatAdmRaw& raw, ScoreSink& sink) override {
    double num = 0;
    double den = 0;
    double aim_num = 0;
    double aim_den = 0;
    for (std::size_t s = 0; s < scales_.size(); ++s) {
      const ScaleSums sums = sums_of(scales_[s], raw.scale[s]);
      const auto num_s = static_cast<double>(sums.num);
      const auto den_s = static_cast<double>(sums.den);
      const int place = static_cast<int>(s);
      num += num_s;
      den += den_s;
      if (place != skipped_aim_scale_) {
        aim_num += static_cast<double>(sums.aim);
        aim_den += den_s;
      }
      sink.emit(kScale0 + place, frame, num_s / den_s);
      sink.emit(kDebugScale0Num + 2 * place, frame, num_s);
      sink.emit(kDebugScale0Num + 2 * place + 1, frame, den_s);
    }
    if (num < smallest_) num = 0;
    if (den < smallest_) den = 0;
    const double adm2 = den == 0 ? 1.0 : num / den;
    const double aim = den == 0 ? 0.0 : std::min(aim_num / aim_den, 1.0);
    sink.emit(kAdm2, frame, adm2);
    sink.emit(kAim, frame, aim);
    sink.emit(kAdm3, frame, at_least(minimum_, adm3(adm2, aim)));
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

  [[nodiscard]] float root(float x) const { return std::pow(x, root_); }

  /// Norms of the bands, each with the noise's, added up.
  [[nodiscard]] float pooled(const FloatAdmRaw::Bands& sums, float noise) const {
    return (root(sums[0]) + noise) + (root(sums[1]) + noise) + (root(sums[2]) + noise);
  }

  [[nodiscard]] ScaleSums sums_of(const adm::ScaleGeometry& scale,
                                  const FloatAdmRaw::Scale& raw) const {
    if (scale.scale == 0 && !with_scale0_) return {.den = 1e-10F};
    const auto area = static_cast<double>(scale.region_width() * scale.region_height());
    const float noise = root(static_cast<float>(area * noise_weight_));
    return {
        .num = pooled(raw.num, noise), .den = pooled(raw.den, noise), .aim = pooled(raw.aim, 0.0F)};
  }

  [[nodiscard]] double adm3(double adm2, double aim) const {
    if (harmonic_) return 2.0 * adm2 * aim / (adm2 + aim);
    return adm2 * dlm_weight_ + (1.0 - aim) * (1.0 - dlm_weight_);
  }

  std::array<adm::ScaleGeometry, adm::kScaleCount> scales_;
  float root_;  // exponent that undoes the pooling's
  double noise_weight_;
  double dlm_weight_;
  double minimum_;
  bool harmonic_;
  bool with_scale0_;
  int skipped_aim_scale_;
  double smallest_;
};

}  // namespace

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::float_adm
