#include <cstdint>

#include "features/speed/speed_score.hpp"
#include "features/speed/speed_temporal.hpp"

namespace hipvmaf::speed_temporal {
namespace {

template <class Sample>
class CpuStage final : public PixelStageOf<SpeedTemporalRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : subtracts_reference_(options.flag("speed_use_ref_diff")),
        scorer_(options, speed::Weighting::own, format.width, format.height) {}

 protected:
  SpeedTemporalRaw measure(const FrameWindow& window) override {
    const Frame* earlier = window.earlier(1);
    if (earlier == nullptr) return {};
    const Frame& current = window.current();
    const Picture& subtracted = subtracts_reference_ ? current.reference : current.distorted;
    return {scorer_.score(change(earlier->reference, current.reference),
                          change(earlier->distorted, subtracted))};
  }

 private:
  static speed::DifferenceRows<Sample> change(const Picture& earlier, const Picture& current) {
    return {earlier.plane<Sample>(0), current.plane<Sample>(0), current.format().bit_depth};
  }

  bool subtracts_reference_;
  speed::PairScorer scorer_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::speed_temporal
