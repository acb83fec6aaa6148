#include "features/float_moment/float_moment.hpp"
#include "features/psnr/psnr_rows.hpp"

namespace hipvmaf::float_moment {
namespace {

/// Samples of 16 bits whose sum fits 32 bits.
constexpr int kSamplesPerRun = 1 << 16;

template <class Sample>
FloatMomentRaw::Sums sums_of(const Picture& picture) {
  const auto luma = picture.plane<Sample>(0);
  const int bit_depth = picture.format().bit_depth;
  FloatMomentRaw::Sums sums{};
  for (int y = 0; y < luma.height; ++y) {
    const Sample* row = luma.row(y);
    const auto value = [&](int x) { return std::uint32_t{row[x]}; };
    sums.samples += psnr::sum_in_runs(luma.width, kSamplesPerRun, value);
    sums.squares += psnr::sum_of_rounded_squares(
        luma.width, bit_depth, [&](int x) { return psnr::checked_bits(row[x]); },
        [&](int x) { return value(x) * value(x); });
  }
  return sums;
}

template <class Sample>
class CpuStage final : public PixelStageOf<FloatMomentRaw> {
 protected:
  FloatMomentRaw measure(const FrameWindow& window) override {
    return {.reference = sums_of<Sample>(window.current().reference),
            .distorted = sums_of<Sample>(window.current().distorted)};
  }
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& /*options*/,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>();
  return std::make_unique<CpuStage<std::uint16_t>>();
}

}  // namespace hipvmaf::float_moment
