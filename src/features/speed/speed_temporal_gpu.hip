// SpEED of what luma has lost since the frame before, on a GPU.
#include <cstdint>

#include "features/float_luma_math.hpp"
#include "features/gpu_stage.hpp"
#include "features/speed/speed_score_gpu.hpp"
#include "features/speed/speed_temporal.hpp"

namespace hipvmaf::speed_temporal {
namespace {

template <class Sample>
class GpuScoreStage final : public GpuStageOf<SpeedTemporalRaw> {
 public:
  GpuScoreStage(const OptionValues& options, const PictureFormat& format)
      : subtracts_reference_(options.flag("speed_use_ref_diff")),
        unit_(luma_unit(format.bit_depth)),
        scorer_(options, speed::Weighting::own, {format.width, format.height}, 1) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<SpeedTemporalRaw> raw) override {
    const DeviceFrame* earlier = window.earlier(1);
    if (earlier == nullptr) return;  // the score of the first frame is the raw score's zero
    const DeviceFrame& current = window.current();
    const DevicePicture& subtracted = subtracts_reference_ ? current.reference : current.distorted;
    const speed::DeviceSources<Sample> sources{change(earlier->reference, current.reference),
                                               change(earlier->distorted, subtracted)};
    scorer_.enqueue(stream, sources, {&raw.data->luma, 1});
  }

 private:
  [[nodiscard]] speed::DeviceSource<Sample> change(const DevicePicture& earlier,
                                                   const DevicePicture& current) const {
    return {earlier.plane<Sample>(0), current.plane<Sample>(0), unit_};
  }

  bool subtracts_reference_;
  float unit_;
  speed::GpuPairScorer scorer_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuScoreStage<std::uint8_t>>(options, format);
  return std::make_unique<GpuScoreStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::speed_temporal
