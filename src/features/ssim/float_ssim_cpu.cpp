#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/ssim/float_ssim.hpp"
#include "features/ssim/float_ssim_math.hpp"

namespace hipvmaf::float_ssim {
namespace {

template <class Sample>
void add_weighted(const Sample* row, std::size_t width, float weight, double* __restrict sums) {
  for (std::size_t x = 0; x < width; ++x)
    sums[x] += static_cast<double>(static_cast<float>(row[x]) * weight);
}

/// Makes the rows of the smaller picture, one at a time.
class Decimator {
 public:
  Decimator(const Decimation& decimation, const PictureFormat& format)
      : factor_(decimation.factor),
        width_(decimation.width),
        weight_(sample_weight(factor_, format.bit_depth)),
        columns_(static_cast<std::size_t>(format.width) + 2 * static_cast<std::size_t>(factor_)) {}

  template <class Sample>
  void make_row(const PlaneView<const Sample>& plane, int y, float* out) {
    double* sums = columns_.data() + factor_;
    std::fill_n(sums, plane.width, 0.0);
    const int top = first_sample(y, factor_);
    for (int v = 0; v < factor_; ++v) {
      add_weighted(plane.row(similarity::mirrored(top + v, plane.height)),
                   static_cast<std::size_t>(plane.width), weight_, sums);
    }
    for (int i = 0; i < factor_; ++i) {
      sums[-1 - i] = sums[i];
      sums[plane.width + i] = sums[plane.width - 1 - i];
    }
    for (int x = 0; x < width_; ++x) {
      const double* first = sums + first_sample(x, factor_);
      double sum = 0;
      for (int u = 0; u < factor_; ++u) sum += first[u];
      out[x] = static_cast<float>(sum);
    }
  }

 private:
  int factor_;
  int width_;
  float weight_;
  std::vector<double> columns_;  ///< Sums of columns, mirrored by `factor_` at both ends.
};

template <class Sample>
class CpuStage final : public PixelStageOf<FloatSsimRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : decimation_(decimation_of(options, format)),
        decimator_(decimation_, format),
        meter_(decimation_.width),
        reference_(static_cast<std::size_t>(decimation_.width)),
        distorted_(reference_.size()) {}

 protected:
  FloatSsimRaw measure(const FrameWindow& window) override {
    const auto reference = window.current().reference.plane<Sample>(0);
    const auto distorted = window.current().distorted.plane<Sample>(0);
    meter_.begin(decimation_.width);
    for (int y = 0; y < decimation_.height; ++y) {
      decimator_.make_row(reference, y, reference_.data());
      decimator_.make_row(distorted, y, distorted_.data());
      meter_.add_row(reference_.data(), distorted_.data());
    }
    return {meter_.sums()};
  }

 private:
  Decimation decimation_;
  Decimator decimator_;
  similarity::Meter meter_;
  std::vector<float> reference_, distorted_;  ///< Rows of the smaller pictures.
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::float_ssim
