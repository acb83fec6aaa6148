#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/float_luma_math.hpp"
#include "features/ssim/float_ms_ssim.hpp"
#include "features/ssim/halver.hpp"

namespace hipvmaf::float_ms_ssim {
namespace {

/// Memory for scales 1 .. 4 of a picture.
class Pyramid {
 public:
  Pyramid(int width, int height) {
    for (std::vector<float>& scale : smaller_) {
      width = halved_side(width);
      height = halved_side(height);
      scale.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    }
  }

  [[nodiscard]] PlaneView<float> scale(std::size_t index, int width, int height) {
    return {smaller_[index - 1].data(), width, height, width};
  }

 private:
  std::array<std::vector<float>, kScales - 1> smaller_;
};

template <class From>
PlaneView<const float> halve(Halver& halver, const PlaneView<const From>& from, float unit,
                             Pyramid& pyramid, std::size_t scale) {
  const PlaneView<float> half =
      pyramid.scale(scale, halved_side(from.width), halved_side(from.height));
  halver.halve(from, unit, half);
  return {half.data, half.width, half.height, half.stride};
}

template <class Sample>
class CpuStage final : public PixelStageOf<FloatMsSsimRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options, format)),
        unit_(luma_unit(format.bit_depth)),
        meter_(format.width),
        halver_(format.width),
        reference_(format.width, format.height),
        distorted_(format.width, format.height),
        row_reference_(static_cast<std::size_t>(format.width)),
        row_distorted_(row_reference_.size()) {}

 protected:
  FloatMsSsimRaw measure(const FrameWindow& window) override {
    FloatMsSsimRaw raw{};
    const Frame& frame = window.current();
    for (int p = 0; p < planes_; ++p) {
      measure_scales(frame.reference.plane<Sample>(p), frame.distorted.plane<Sample>(p),
                     raw.sums[static_cast<std::size_t>(p)]);
    }
    return raw;
  }

 private:
  void measure_scales(const PlaneView<const Sample>& reference,
                      const PlaneView<const Sample>& distorted,
                      std::array<SimilaritySums, kScales>& sums) {
    sums[0] = measure_scale(reference, distorted, unit_);
    auto half_r = halve(halver_, reference, unit_, reference_, 1);
    auto half_d = halve(halver_, distorted, unit_, distorted_, 1);
    for (std::size_t s = 1;; ++s) {
      sums[s] = measure_scale(half_r, half_d, 1.0F);
      if (s + 1 == kScales) break;
      half_r = halve(halver_, half_r, 1.0F, reference_, s + 1);
      half_d = halve(halver_, half_d, 1.0F, distorted_, s + 1);
    }
  }

  template <class From>
  SimilaritySums measure_scale(const PlaneView<const From>& reference,
                               const PlaneView<const From>& distorted, float unit) {
    const auto scaled = [&](const From* row, std::vector<float>& out) {
      to_float_luma(row, reference.width, unit, 0, out.data());
      return out.data();
    };
    meter_.begin(reference.width);
    for (int y = 0; y < reference.height; ++y) {
      meter_.add_row(scaled(reference.row(y), row_reference_),
                     scaled(distorted.row(y), row_distorted_));
    }
    return meter_.sums();
  }

  int planes_;
  float unit_;
  similarity::Meter meter_;
  Halver halver_;
  Pyramid reference_, distorted_;
  std::vector<float> row_reference_, row_distorted_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_ms_ssim
