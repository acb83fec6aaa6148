#include "features/float_psnr/float_psnr.hpp"
#include "features/psnr/psnr_rows.hpp"

namespace hipvmaf::float_psnr {
namespace {

template <class Sample>
class CpuStage final : public PixelStageOf<FloatPsnrRaw> {
 protected:
  FloatPsnrRaw measure(const FrameWindow& window) override {
    const auto reference = window.current().reference.plane<Sample>(0);
    const auto distorted = window.current().distorted.plane<Sample>(0);
    const int bit_depth = window.current().reference.format().bit_depth;
    FloatPsnrRaw raw{};
    for (int y = 0; y < reference.height; ++y) {
      const Sample* ref = reference.row(y);
      const Sample* dis = distorted.row(y);
      raw.sse += psnr::sum_of_rounded_squares(
          reference.width, bit_depth, [&](int x) { return psnr::checked_bits(ref[x], dis[x]); },
          [&](int x) { return psnr::squared_difference(ref[x], dis[x]); });
    }
    return raw;
  }
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& /*options*/,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>();
  return std::make_unique<CpuStage<std::uint16_t>>();
}

}  // namespace hipvmaf::float_psnr
