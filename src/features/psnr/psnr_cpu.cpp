#include "features/psnr/psnr.hpp"
#include "features/psnr/psnr_rows.hpp"
#include "features/scored_planes.hpp"

namespace hipvmaf::psnr {
namespace {

template <class Sample>
class CpuStage final : public PixelStageOf<PsnrRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options, format)) {}

 protected:
  PsnrRaw measure(const FrameWindow& window) override {
    PsnrRaw raw{};
    for (int p = 0; p < planes_; ++p) {
      const auto reference = window.current().reference.plane<Sample>(p);
      const auto distorted = window.current().distorted.plane<Sample>(p);
      const PictureFormat& format = window.current().reference.format();
      const int width = scored_width(format, p);
      const int height = scored_height(format, p);
      std::uint64_t& sse = raw.sse[static_cast<std::size_t>(p)];
      for (int y = 0; y < height; ++y) {
        const Sample* ref = reference.row(y);
        const Sample* dis = distorted.row(y);
        sse += sum_of_squares(
            width, format.bit_depth, [&](int x) { return checked_bits(ref[x], dis[x]); },
            [&](int x) { return squared_difference(ref[x], dis[x]); });
      }
    }
    return raw;
  }

 private:
  int planes_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::psnr
