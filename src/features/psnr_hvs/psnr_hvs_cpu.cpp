#include <algorithm>
#include <array>
#include <cstdint>

#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/psnr_hvs/psnr_hvs_math.hpp"
#include "features/psnr_hvs/psnr_hvs_tables.hpp"
#include "features/scored_planes.hpp"

namespace hipvmaf::psnr_hvs {
namespace {

// Blocks that are worked on together, one per vector lane, so that the sequential sums within a
// block run side by side.
constexpr int kLanes = 8;

template <class T>
using Lanes = std::array<T, kLanes>;

/// Sample or coefficient k of the block in lane b is at k * kLanes + b.
template <class T>
using BlockLanes = std::array<T, kBlockSize * kLanes>;

/// A group of blocks of one picture.
struct BlockGroup {
  alignas(64) BlockLanes<std::int32_t> coefficients;
  alignas(64) Lanes<float> threshold;
};

// Blocks `first` to `first` + kLanes - 1 of a row of blocks; beyond the last one of `count`, that
// one again. Bits above the nominal depth are left out, so that nothing can overflow.
template <class Sample>
void load_blocks(const PlaneView<const Sample>& plane, int top, int first, int count, int peak,
                 BlockLanes<std::int32_t>& samples) {
  for (int b = 0; b < kLanes; ++b) {
    const int left = kBlockStep * std::min(first + b, count - 1);
    std::int32_t* lane = samples.data() + b;
    for (int i = 0; i < kBlockSide; ++i) {
      const Sample* row = plane.row(top + i) + left;
      for (int j = 0; j < kBlockSide; ++j) lane[(kBlockSide * i + j) * kLanes] = row[j] & peak;
    }
  }
}

// Columns first: the rounding of the transform makes the order matter.
void transform_blocks(BlockLanes<std::int32_t>& blocks) {
  constexpr int kRow = kBlockSide * kLanes;
  for (int column = 0; column < kRow; ++column) transform8<kRow>(blocks.data() + column);
  for (int i = 0; i < kBlockSide; ++i) {
    for (int b = 0; b < kLanes; ++b) transform8<kLanes>(blocks.data() + i * kRow + b);
  }
}

template <int kSide>
void measure_squares(const std::int32_t* squares, Lanes<float>& deviation) {
  alignas(64) Lanes<float> mean;
  for (std::size_t b = 0; b < kLanes; ++b) mean[b] = square_mean<kSide, kLanes>(squares + b);
  for (std::size_t b = 0; b < kLanes; ++b)
    deviation[b] = squared_deviation<kSide, kLanes>(squares + b, mean[b]);
}

// Turns the samples in group.coefficients into coefficients, and sets the thresholds.
void analyse_blocks(const Weights& masking, BlockGroup& group) {
  std::int32_t* blocks = group.coefficients.data();
  alignas(64) Lanes<float> whole;
  alignas(64) std::array<Lanes<float>, 4> quadrant;
  measure_squares<8>(blocks, whole);
  for (int q = 0; q < 4; ++q) {
    measure_squares<4>(blocks + quadrant_start(q) * kLanes, quadrant[static_cast<std::size_t>(q)]);
  }

  transform_blocks(group.coefficients);
  alignas(64) Lanes<float> energy;
  for (std::size_t b = 0; b < kLanes; ++b)
    energy[b] = masking_energy<kLanes>(blocks + b, masking.data());
  for (std::size_t b = 0; b < kLanes; ++b) {
    const float ratio =
        variance_ratio(whole[b], quadrant[0][b], quadrant[1][b], quadrant[2][b], quadrant[3][b]);
    group.threshold[b] = masking_threshold(energy[b], ratio);
  }
}

void compare_blocks(const BlockGroup& reference, const BlockGroup& distorted, std::size_t plane,
                    BlockLanes<float>& terms) {
  alignas(64) Lanes<float> threshold;
  for (std::size_t b = 0; b < kLanes; ++b)
    threshold[b] = block_threshold(reference.threshold[b], distorted.threshold[b]);
  const Weights& sensitivity = kSensitivity[plane];
  const Weights& masking = kMasking[plane];
  const BlockLanes<std::int32_t>& r = reference.coefficients;
  const BlockLanes<std::int32_t>& d = distorted.coefficients;
  for (std::size_t b = 0; b < kLanes; ++b) terms[b] = dc_term(r[b], d[b], sensitivity[0]);
  for (std::size_t k = 1; k < kBlockSize; ++k) {
    for (std::size_t b = 0; b < kLanes; ++b) {
      const std::size_t at = k * kLanes + b;
      terms[at] = ac_term(r[at], d[at], sensitivity[k], masking[k], threshold[b]);
    }
  }
}

template <class Sample>
class CpuStage final : public PixelStageOf<PsnrHvsRaw> {
 public:
  CpuStage(const OptionValues& options, const PictureFormat& format)
      : format_(format), planes_(measured_planes(options)) {}

 protected:
  PsnrHvsRaw measure(const FrameWindow& window) override {
    PsnrHvsRaw raw{};
    for (int p = 0; p < planes_; ++p)
      raw.error[static_cast<std::size_t>(p)] = plane_error(window.current(), p);
    return raw;
  }

 private:
  float plane_error(const Frame& frame, int plane) {
    const auto reference = frame.reference.plane<Sample>(plane);
    const auto distorted = frame.distorted.plane<Sample>(plane);
    const int columns = blocks_along(scored_width(format_, plane));
    const int rows = blocks_along(scored_height(format_, plane));
    const auto index = static_cast<std::size_t>(plane);
    const int peak = (1 << format_.bit_depth) - 1;
    float error = 0;
    for (int row = 0; row < rows; ++row) {
      for (int first = 0; first < columns; first += kLanes) {
        load_blocks(reference, kBlockStep * row, first, columns, peak, reference_.coefficients);
        load_blocks(distorted, kBlockStep * row, first, columns, peak, distorted_.coefficients);
        analyse_blocks(kMasking[index], reference_);
        analyse_blocks(kMasking[index], distorted_);
        compare_blocks(reference_, distorted_, index, terms_);
        add_terms(std::min(kLanes, columns - first), error);
      }
    }
    return error;
  }

  // One block after the other, coefficient by coefficient: the rounding of each addition counts.
  void add_terms(int blocks, float& error) const {
    for (int b = 0; b < blocks; ++b) {
      const float* lane = terms_.data() + b;
      for (int k = 0; k < kBlockSize; ++k) error += lane[k * kLanes];
    }
  }

  PictureFormat format_;
  int planes_;
  BlockGroup reference_{};
  BlockGroup distorted_{};
  alignas(64) BlockLanes<float> terms_{};
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues& options,
                                           const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(options, format);
  return std::make_unique<CpuStage<std::uint16_t>>(options, format);
}

}  // namespace hipvmaf::psnr_hvs
