#include <algorithm>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"
#include "features/float_vif/float_vif.hpp"
#include "features/float_vif/float_vif_filters.hpp"
#include "features/gaussian/scaled_gaussian.hpp"
#include "features/resample/resample.hpp"

namespace hipvmaf::float_vif {
namespace {

// Bilinear scaling stops here, as in libvmaf.
constexpr int kWidestBilinear = 7680;

/// Information kept and available of one scale.
struct Ratio {
  double kept = 0;
  double available = 0;
};

class Scores final : public ScalarStageOf<FloatVifRaw> {
 public:
  explicit Scores(const OptionValues& options)
      : first_scale_(options.flag("vif_skip_scale0") ? 1 : 0),
        least_{options.real("vif_scale1_min_val"), options.real("vif_scale2_min_val"),
               options.real("vif_scale3_min_val")} {}

 protected:
  void push(std::int64_t frame, const FloatVifRaw& raw, ScoreSink& sink) override {
    std::array<Ratio, kScales> scales;
    for (std::size_t s = 0; s < kScales; ++s) {
      scales[s] = {static_cast<double>(raw.sums[s].kept),
                   static_cast<double>(raw.sums[s].available)};
    }
    if (first_scale_ > 0) scales[0] = {0, -1};
    sink.emit(0, frame, first_scale_ > 0 ? 0.0 : scales[0].kept / scales[0].available);
    for (std::size_t s = 1; s < kScales; ++s) {
      const double ratio = scales[s].kept / scales[s].available;
      const double least = least_[s - 1];
      sink.emit(static_cast<int>(s), frame, ratio > least ? ratio : least);  // NaN: the least
    }
    emit_sums(scales, frame, sink);
  }

 private:
  void emit_sums(const std::array<Ratio, kScales>& scales, std::int64_t frame,
                 ScoreSink& sink) const {
    double kept = 0;
    double available = 0;
    for (std::size_t s = first_scale_; s < kScales; ++s) {
      kept += scales[s].kept;
      available += scales[s].available;
    }
    sink.emit(kTotalFeature, frame, available == 0 ? 1.0 : kept / available);
    sink.emit(kTotalFeature + 1, frame, kept);
    sink.emit(kTotalFeature + 2, frame, available);
    int feature = kSumFeatures;
    for (const Ratio& scale : scales) {
      sink.emit(feature++, frame, scale.kept);
      sink.emit(feature++, frame, scale.available);
    }
  }

  std::size_t first_scale_;
  std::array<double, kScales - 1> least_;  ///< Of scales 1 .. 3.
};

resample::Method method_of(const OptionValues& options) {
  const auto& name = options.get<std::string>("vif_prescale_method");
  if (const auto method = resample::find_method(name)) return *method;
  throw Error(ErrorCode::invalid_option,
              fmt::format("option vif_prescale_method of extractor float_vif: \"{}\" is not {}",
                          name, resample::kMethodNames));
}

[[noreturn]] void refuse(const std::string& need, const PictureFormat& format, Size size) {
  std::string videos = format.describe();
  if (size != Size{format.width, format.height}) {
    videos += fmt::format(", scaled to {}x{} by vif_prescale", size.width, size.height);
  }
  throw Error(ErrorCode::unsupported_format,
              fmt::format("extractor float_vif {}, the videos are {}", need, videos));
}

}  // namespace

Size compared_size(const OptionValues& options, const PictureFormat& format) {
  const double scale = options.real("vif_prescale");
  return {resample::scaled_side(format.width, scale), resample::scaled_side(format.height, scale)};
}

void check_options(const OptionValues& options) {
  require_kernel_scale("float_vif", "vif_kernelscale", options.real("vif_kernelscale"));
  method_of(options);
}

void check_format(const OptionValues& options, const PictureFormat& format) {
  const resample::Method method = method_of(options);
  const Size size = compared_size(options, format);
  const double kernel_scale = options.real("vif_kernelscale");
  const int side = smallest_side(make_filters(kernel_scale));
  if (std::min(size.width, size.height) < side) {
    const std::string with =
        kernel_scale == 1 ? "" : "with vif_kernelscale=" + format_general(kernel_scale) + " ";
    refuse(fmt::format("{0}needs pictures of at least {1}x{1}", with, side), format, size);
  }
  const int source_side = resample::smallest_source_side(method);
  if (size != Size{format.width, format.height} &&
      std::min(format.width, format.height) < source_side) {
    refuse(fmt::format("with vif_prescale_method={1} needs pictures of at least {0}x{0}",
                       source_side, options.get<std::string>("vif_prescale_method")),
           format, size);
  }
  if (method == resample::Method::bilinear && size.width > kWidestBilinear) {
    refuse(fmt::format("with vif_prescale_method=bilinear takes at most {} columns; another method "
                       "takes more",
                       kWidestBilinear),
           format, size);
  }
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options, const PictureFormat&) {
  return std::make_unique<Scores>(options);
}

}  // namespace hipvmaf::float_vif
