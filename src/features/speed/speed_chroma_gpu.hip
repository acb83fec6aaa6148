// SpEED of Cb and Cr on a GPU: both planes in the same launches.
#include <cstdint>

#include "features/float_luma_math.hpp"
#include "features/gpu_stage.hpp"
#include "features/scored_planes.hpp"
#include "features/speed/speed_chroma.hpp"
#include "features/speed/speed_score_gpu.hpp"

namespace hipvmaf::speed_chroma {
namespace {

template <class Sample>
class GpuScoreStage final : public GpuStageOf<SpeedChromaRaw> {
 public:
  GpuScoreStage(const OptionValues& options, const PictureFormat& format)
      : unit_(luma_unit(format.bit_depth)),
        scorer_(options, static_cast<speed::Weighting>(options.integer("speed_weight_var_mode")),
                {scored_width(format, 1), scored_height(format, 1)}, 2) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<SpeedChromaRaw> raw) override {
    const DeviceFrame& frame = window.current();
    const speed::DeviceSources<Sample> sources{
        source(frame.reference, 1), source(frame.distorted, 1), source(frame.reference, 2),
        source(frame.distorted, 2)};
    scorer_.enqueue(stream, sources, {raw.data->planes.data(), 2});
  }

 private:
  [[nodiscard]] speed::DeviceSource<Sample> source(const DevicePicture& picture, int plane) const {
    return {picture.plane<Sample>(plane), {}, unit_};
  }

  float unit_;
  speed::GpuPairScorer scorer_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& options, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuScoreStage<std::uint8_t>>(options, format);
  return std::make_unique<GpuScoreStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::speed_chroma
