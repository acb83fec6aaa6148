#include <cstdint>

#include "features/scored_planes.hpp"
#include "features/speed/speed_chroma.hpp"
#include "features/speed/speed_score.hpp"

namespace hipvmaf::speed_chroma {
namespace {

template <class Sample>
class CpuStage final : public PixelStageOf<SpeedChromaRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : scorer_(options, static_cast<speed::Weighting>(options.integer("speed_weight_var_mode")),
                scored_width(format, 1), scored_height(format, 1)) {}

 protected:
  SpeedChromaRaw measure(const FrameWindow& window) override {
    const Frame& frame = window.current();
    return {{plane_score(frame, 1), plane_score(frame, 2)}};
  }

 private:
  speed::PlaneScore plane_score(const Frame& frame, int plane) {
    const int bit_depth = frame.reference.format().bit_depth;
    return scorer_.score(
        speed::CentredRows<Sample>(frame.reference.plane<Sample>(plane), bit_depth),
        speed::CentredRows<Sample>(frame.distorted.plane<Sample>(plane), bit_depth));
  }

  speed::PairScorer scorer_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::speed_chroma
