#include <algorithm>
#include <array>

#include "features/ssimulacra2/ssimulacra2.hpp"
#include "features/ssimulacra2/ssimulacra2_colour.hpp"
#include "features/ssimulacra2/ssimulacra2_errors.hpp"

namespace hipvmaf::ssimulacra2 {
namespace {

// R, G, B (or X, Y, B) of the reference, then of the distorted picture.
constexpr std::size_t kPairPlanes = 2 * kChannels;
using PairStrips = std::array<float*, kPairPlanes>;

// A scale. Linear light is kept of all but the first one, which is made from the samples as it is
// needed.
struct Level {
  int width;
  int height;
  std::vector<StripPlane> linear;
};

std::vector<Level> make_levels(const PictureFormat& format) {
  std::vector<Level> levels;
  int width = format.width;
  int height = format.height;
  while (levels.size() < kScales && std::min(width, height) >= kSmallestSide) {
    levels.push_back({width, height, {}});
    if (levels.size() > 1) levels.back().linear.assign(kPairPlanes, StripPlane(width, height));
    width = halved_side(width);
    height = halved_side(height);
  }
  return levels;
}

// Half the size of a strip's first `rows` rows, to rows `row` and on of `out`. The last column and
// row of odd sizes are taken twice.
void halve_strip(const float* strip, int width, int rows, float* __restrict out, int row) {
  for (int pair = 0; pair < halved_side(rows); ++pair) {
    const float* upper = strip + 2 * pair;
    const float* lower = strip + std::min(2 * pair + 1, rows - 1);
    float* __restrict to = out + row + pair;
    const int whole_pairs = width / 2;
    for (int x = 0; x < whole_pairs; ++x) {
      const int left = 2 * x * kStripRows;
      const int right = left + kStripRows;
      to[x * kStripRows] = halved(upper[left], upper[right], lower[left], lower[right]);
    }
    if (width % 2 == 1) {
      const int last = (width - 1) * kStripRows;
      to[whole_pairs * kStripRows] = halved(upper[last], upper[last], lower[last], lower[last]);
    }
  }
}

void to_xyb(const float* r, const float* g, const float* b, std::size_t size, float* __restrict x,
            float* __restrict y, float* __restrict bb) {
  for (std::size_t i = 0; i < size; ++i) {
    const Xyb xyb = xyb_of(r[i], g[i], b[i]);
    x[i] = xyb.x;
    y[i] = xyb.y;
    bb[i] = xyb.b;
  }
}

class CpuStage final : public PixelStageOf<Ssimulacra2Raw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : levels_(make_levels(format)),
        converter_(format, options.integer("yuv_matrix")),
        meters_(kChannels, ChannelMeter(format.width)) {
    for (auto* strips : {&linear_, &xyb_}) {
      for (auto& strip : *strips) strip.resize(strip_size(format.width));
    }
  }

 protected:
  Ssimulacra2Raw measure(const FrameWindow& window) override {
    Ssimulacra2Raw raw{};
    for (std::size_t scale = 0; scale < levels_.size(); ++scale) {
      measure_scale(window.current(), scale);
      for (std::size_t c = 0; c < kChannels; ++c) raw.sums[c][scale] = meters_[c].sums();
    }
    return raw;
  }

 private:
  void measure_scale(const Frame& frame, std::size_t scale) {
    const Level& level = levels_[scale];
    for (std::size_t c = 0; c < kChannels; ++c)
      meters_[c].start(level.width, level.height, needs_of(c, scale));
    for (int strip = 0; strip < strip_count(level.height); ++strip) {
      const PairStrips linear = scale == 0 ? convert(frame, strip) : stored(scale, strip);
      if (scale + 1 < levels_.size()) halve(linear, scale, strip);
      measure_strip(linear, scale);
    }
  }

  [[nodiscard]] static int rows_of(const Level& level, int strip) {
    return std::min(kStripRows, level.height - strip * kStripRows);
  }

  PairStrips convert(const Frame& frame, int strip) {
    PairStrips linear;
    for (std::size_t p = 0; p < kPairPlanes; ++p) linear[p] = linear_[p].data();
    const int top = strip * kStripRows;
    const int rows = rows_of(levels_[0], strip);
    converter_.convert(frame.reference, top, rows, {linear[0], linear[1], linear[2]});
    converter_.convert(frame.distorted, top, rows, {linear[3], linear[4], linear[5]});
    return linear;
  }

  PairStrips stored(std::size_t scale, int strip) {
    PairStrips linear;
    for (std::size_t p = 0; p < kPairPlanes; ++p) linear[p] = levels_[scale].linear[p].strip(strip);
    return linear;
  }

  void halve(const PairStrips& linear, std::size_t scale, int strip) {
    const Level& level = levels_[scale];
    const int row = strip % 2 * (kStripRows / 2);
    for (std::size_t p = 0; p < kPairPlanes; ++p) {
      halve_strip(linear[p], level.width, rows_of(level, strip),
                  levels_[scale + 1].linear[p].strip(strip / 2), row);
    }
  }

  void measure_strip(const PairStrips& linear, std::size_t scale) {
    const std::size_t size = strip_size(levels_[scale].width);
    for (std::size_t p = 0; p < kPairPlanes; p += kChannels) {
      to_xyb(linear[p], linear[p + 1], linear[p + 2], size, xyb_[p].data(), xyb_[p + 1].data(),
             xyb_[p + 2].data());
    }
    for (std::size_t c = 0; c < kChannels; ++c) {
      const Needs needs = needs_of(c, scale);
      if (needs.structure || needs.edges)
        meters_[c].push(xyb_[c].data(), xyb_[kChannels + c].data());
    }
  }

  std::vector<Level> levels_;
  ColourConverter converter_;
  std::vector<ChannelMeter> meters_;
  std::array<std::vector<float>, kPairPlanes> linear_;  // a strip of the first scale
  std::array<std::vector<float>, kPairPlanes> xyb_;     // a strip of any scale
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  return std::make_unique<CpuStage>(options, format);
}

}  // namespace hipvmaf::ssimulacra2
