#include "features/motion/float_motion.hpp"
#include "features/motion/float_motion_planes.hpp"
#include "features/scored_planes.hpp"

namespace hipvmaf::float_motion {
namespace {

constexpr int kMaxPlanes = 3;

// Kept on the frame, since its own window and the next frame's look at them. Their keys are made of
// what they depend on: plane and taps.
struct BlurredPlane {
  FloatPlane samples;
};
struct HalvedPlane {
  FloatPlane samples;
};
int key_of(int plane, int taps) { return plane + kMaxPlanes * taps; }

class CpuStage final : public PixelStageOf<FloatMotionRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : planes_(measured_planes(options)), taps_(taps_of(options)) {
    for (int p = 0; p < planes_; ++p) {
      blurs_.emplace_back(taps_, format, p);
      if (options.flag("motion_add_scale1"))
        halvings_.emplace_back(scored_width(format, p), scored_height(format, p));
    }
  }

 protected:
  FloatMotionRaw measure(const FrameWindow& window) override {
    FloatMotionRaw raw{};
    if (window.earlier(1) == nullptr) return raw;
    // The current frame comes first: another thread is likely to be at the earlier one.
    const Frame& now = window.current();
    const Frame& before = *window.earlier(1);
    for (int p = 0; p < planes_; ++p) {
      const auto plane = static_cast<std::size_t>(p);
      const FloatPlane& blurred = blurred_plane(now, p);
      raw.full[plane] = absolute_difference(blurred_plane(before, p), blurred);
      if (halvings_.empty()) continue;
      const FloatPlane& halved = halved_plane(now, p);
      raw.halved[plane] = absolute_difference(halved_plane(before, p), halved);
    }
    return raw;
  }

 private:
  const FloatPlane& blurred_plane(const Frame& frame, int plane) {
    const auto make = [&] {
      return BlurredPlane{blurs_[static_cast<std::size_t>(plane)](frame.reference)};
    };
    return frame.derived.get<BlurredPlane>(key_of(plane, taps_), make).samples;
  }

  const FloatPlane& halved_plane(const Frame& frame, int plane) {
    const auto make = [&] {
      return HalvedPlane{halvings_[static_cast<std::size_t>(plane)](blurred_plane(frame, plane))};
    };
    return frame.derived.get<HalvedPlane>(key_of(plane, taps_), make).samples;
  }

  int planes_;
  int taps_;
  std::vector<Blur> blurs_;        // by plane
  std::vector<Halving> halvings_;  // likewise; none unless half the size is measured
};

// For motion that is forced to zero.
class ZeroStage final : public PixelStageOf<FloatMotionRaw> {
 protected:
  FloatMotionRaw measure(const FrameWindow&) override { return {}; }
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (options.flag("motion_force_zero")) return std::make_unique<ZeroStage>();
  return std::make_unique<CpuStage>(options, format);
}

}  // namespace hipvmaf::float_motion
