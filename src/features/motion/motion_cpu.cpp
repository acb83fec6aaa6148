#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "features/motion/motion.hpp"
#include "features/motion/motion_math.hpp"

namespace hipvmaf::motion {
namespace {

constexpr int kTaps = 2 * kFilterRadius + 1;

template <class Sample, class Difference>
void subtract(const Sample* earlier, const Sample* current, int width, Difference* out) {
  for (int x = 0; x < width; ++x) out[x] = static_cast<Difference>(earlier[x] - current[x]);
}

template <class Sum, class Difference>
void filter_rows(const std::array<const Difference*, kTaps>& rows, int width, int bit_depth,
                 std::int32_t* out) {
  const auto [d0, d1, d2, d3, d4] = rows;
  for (int x = 0; x < width; ++x) {
    const auto outer = static_cast<Difference>(d0[x] + d4[x]);
    const auto inner = static_cast<Difference>(d1[x] + d3[x]);
    out[x] = filter_vertically<Sum>(outer, inner, d2[x], bit_depth);
  }
}

// `padded` holds kFilterRadius samples more on either side. The sum fits: a row has at most
// kMaxPictureSide samples of less than 2^17.
std::uint32_t row_sad(const std::int32_t* padded, int width) {
  static_assert(kMaxPictureSide <= 1 << 15);
  std::uint32_t sum = 0;
  for (int x = 0; x < width; ++x) {
    const std::int32_t filtered = filter_horizontally(padded[x] + padded[x + 4],
                                                      padded[x + 1] + padded[x + 3], padded[x + 2]);
    sum += static_cast<std::uint32_t>(std::abs(filtered));
  }
  return sum;
}

template <class Depth>
class CpuStage final : public PixelStageOf<MotionRaw> {
 public:
  using Sample = typename Depth::Sample;
  using Difference = typename Depth::Difference;

  CpuStage(int distance, const PictureFormat& format)
      : distance_(distance),
        width_(format.width),
        height_(format.height),
        bit_depth_(format.bit_depth),
        differences_(static_cast<std::size_t>(width_) * kTaps),
        filtered_(static_cast<std::size_t>(width_ + 2 * kFilterRadius)) {}

 protected:
  MotionRaw measure(const FrameWindow& window) override {
    const Frame* earlier = window.earlier(distance_);
    if (earlier == nullptr) return {0};
    const auto before = earlier->reference.plane<Sample>(0);
    const auto now = window.current().reference.plane<Sample>(0);
    MotionRaw raw{0};
    int rows_ready = 0;
    for (int y = 0; y < height_; ++y) {
      for (; rows_ready < std::min(y + kFilterRadius + 1, height_); ++rows_ready)
        subtract(before.row(rows_ready), now.row(rows_ready), width_, difference_row(rows_ready));
      raw.sad += filtered_row_sad(y);
    }
    return raw;
  }

 private:
  // The last kTaps rows of differences are kept: all that the vertical pass looks at, since the
  // mirrored rows lie among them.
  [[nodiscard]] Difference* difference_row(int y) {
    return differences_.data() +
           static_cast<std::size_t>(y % kTaps) * static_cast<std::size_t>(width_);
  }

  std::uint32_t filtered_row_sad(int y) {
    std::array<const Difference*, kTaps> rows;
    for (int k = 0; k < kTaps; ++k)
      rows[static_cast<std::size_t>(k)] = difference_row(mirror(y + k - kFilterRadius, height_));
    std::int32_t* row = filtered_.data() + kFilterRadius;
    filter_rows<typename Depth::Sum>(rows, width_, bit_depth_, row);
    for (int k = 1; k <= kFilterRadius; ++k) {
      row[-k] = row[mirror(-k, width_)];
      row[width_ - 1 + k] = row[mirror(width_ - 1 + k, width_)];
    }
    return row_sad(filtered_.data(), width_);
  }

  int distance_;
  int width_;
  int height_;
  int bit_depth_;
  std::vector<Difference> differences_;
  std::vector<std::int32_t> filtered_;
};

// For motion that is forced to zero.
class ZeroStage final : public PixelStageOf<MotionRaw> {
 protected:
  MotionRaw measure(const FrameWindow&) override { return {0}; }
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  const int frames_back = reach(options);
  if (frames_back == 0) return std::make_unique<ZeroStage>();
  if (format.bit_depth == 8) return std::make_unique<CpuStage<EightBits>>(frames_back, format);
  if (format.bit_depth <= 14) return std::make_unique<CpuStage<UpTo14Bits>>(frames_back, format);
  return std::make_unique<CpuStage<UpTo16Bits>>(frames_back, format);
}

}  // namespace hipvmaf::motion
