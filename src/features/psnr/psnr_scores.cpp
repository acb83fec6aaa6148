#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hipvmaf/error.hpp>

#include "features/psnr/psnr.hpp"
#include "features/scored_planes.hpp"

namespace hipvmaf::psnr {
namespace {

constexpr double kSmallestMse = 1e-16;
constexpr std::array<std::string_view, 3> kAggregates{"apsnr_y", "apsnr_cb", "apsnr_cr"};

double decibels(double ratio) { return 10.0 * std::log10(ratio); }

std::uint64_t squared_peak(const OptionValues& options, int bit_depth) {
  const std::uint64_t peak = options.flag("reduced_hbd_peak")
                                 ? std::uint64_t{255} << (bit_depth - 8)
                                 : (std::uint64_t{1} << bit_depth) - 1;
  return peak * peak;
}

class Scores final : public ScalarStageOf<PsnrRaw> {
 public:
  Scores(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options, format)),
        squared_peak_(static_cast<double>(squared_peak(options, format.bit_depth))),
        sets_aggregates_(options.flag("enable_apsnr")) {
    const double min_sse = options.real("min_sse");
    for (int p = 0; p < planes_; ++p) {
      Plane& plane = plane_[static_cast<std::size_t>(p)];
      plane.samples = static_cast<std::uint64_t>(scored_width(format, p)) *
                      static_cast<std::uint64_t>(scored_height(format, p));
      plane.cap =
          min_sse != 0
              ? std::ceil(decibels(squared_peak_ / (min_sse / static_cast<double>(plane.samples))))
              : 6 * format.bit_depth + 12;
    }
  }

  void finish(ScoreSink& sink) override {
    if (!sets_aggregates_) return;
    for (std::size_t p = 0; p < kAggregates.size(); ++p)
      sink.aggregate(kAggregates[p], whole_clip(plane_[p]));
  }

 protected:
  void push(std::int64_t frame, const PsnrRaw& raw, ScoreSink& sink) override {
    for (int p = 0; p < planes_; ++p) {
      Plane& plane = plane_[static_cast<std::size_t>(p)];
      const std::uint64_t sse = raw.sse[static_cast<std::size_t>(p)];
      const double mse = static_cast<double>(sse) / static_cast<double>(plane.samples);
      const double psnr =
          std::min(decibels(squared_peak_ / std::max(mse, kSmallestMse)), plane.cap);
      sink.emit(kFeaturesPerPlane * p, frame, psnr);
      sink.emit(kFeaturesPerPlane * p + 1, frame, mse);
      plane.total_sse += sse;
      plane.total_samples += plane.samples;
    }
  }

 private:
  struct Plane {
    std::uint64_t samples = 0;
    double cap = 0;
    std::uint64_t total_sse = 0;
    std::uint64_t total_samples = 0;
  };

  // PSNR of the squared error of all frames, bounded by that of half a unit of it. A plane that was
  // never measured has no samples and comes out as minus infinity.
  [[nodiscard]] double whole_clip(const Plane& plane) const {
    const auto samples = static_cast<double>(plane.total_samples);
    const double bound = std::ceil(decibels(squared_peak_ * samples * 2.0));
    const double value = 10.0 * ((std::log10(squared_peak_) + std::log10(samples)) -
                                 std::log10(static_cast<double>(plane.total_sse)));
    return value < bound ? value : bound;
  }

  int planes_;
  double squared_peak_;
  bool sets_aggregates_;
  std::array<Plane, 3> plane_;
};

}  // namespace

bool measures_chroma(const OptionValues& options, const PictureFormat& format) {
  return options.flag("enable_chroma") && format.chroma != ChromaFormat::yuv400;
}

int measured_planes(const OptionValues& options, const PictureFormat& format) {
  return measures_chroma(options, format) ? 3 : 1;
}

void check_format(const OptionValues& options, const PictureFormat& format) {
  const int last_plane = measured_planes(options, format) - 1;
  if (scored_width(format, last_plane) == 0 || scored_height(format, last_plane) == 0) {
    throw Error(
        ErrorCode::unsupported_format,
        fmt::format("extractor psnr needs chroma planes of at least 1x1, the videos are {}; "
                    "psnr=enable_chroma=false measures luma alone",
                    format.describe()));
  }
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return std::make_unique<Scores>(options, format);
}

}  // namespace hipvmaf::psnr
