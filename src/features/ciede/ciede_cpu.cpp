#include <vector>

#include "features/ciede/ciede.hpp"
#include "features/ciede/ciede_math.hpp"

namespace hipvmaf::ciede {
namespace {

/// Pixels of one picture in a row, all with their own chroma.
struct PixelRow {
  explicit PixelRow(std::size_t width)
      : luma(width), cb(width), cr(width), l(width), a(width), b(width) {}

  void convert_to_lab(std::size_t count, const SampleScale& scale) {
    for (std::size_t i = 0; i < count; ++i) {
      const Lab lab = lab_of(luma[i], cb[i], cr[i], scale);
      l[i] = lab.l;
      a[i] = lab.a;
      b[i] = lab.b;
    }
  }
  [[nodiscard]] Lab lab(std::size_t i) const { return {l[i], a[i], b[i]}; }

  std::vector<int> luma;
  std::vector<int> cb;
  std::vector<int> cr;
  std::vector<float> l;
  std::vector<float> a;
  std::vector<float> b;
};

template <class Sample>
class CpuStage final : public PixelStageOf<CiedeRaw> {
 public:
  explicit CpuStage(const PictureFormat& format)
      : format_(format),
        column_shift_(format.chroma == ChromaFormat::yuv444 ? 0 : 1),
        row_shift_(format.chroma == ChromaFormat::yuv420 ? 1 : 0),
        scale_(sample_scale(format.bit_depth)),
        reference_(static_cast<std::size_t>(format.width)),
        distorted_(static_cast<std::size_t>(format.width)) {}

 protected:
  CiedeRaw measure(const FrameWindow& window) override {
    CiedeRaw raw{0};
    for (int y = 0; y < format_.height; ++y) {
      const std::size_t count = collect_differing(rows_of(window.current().reference, y),
                                                  rows_of(window.current().distorted, y));
      reference_.convert_to_lab(count, scale_);
      distorted_.convert_to_lab(count, scale_);
      for (std::size_t i = 0; i < count; ++i)
        raw.sum += widen(difference(reference_.lab(i), distorted_.lab(i)));
    }
    return raw;
  }

 private:
  struct Rows {
    const Sample* luma;
    const Sample* cb;
    const Sample* cr;
  };

  [[nodiscard]] Rows rows_of(const Picture& picture, int y) const {
    return {picture.plane<Sample>(0).row(y), picture.plane<Sample>(1).row(y >> row_shift_),
            picture.plane<Sample>(2).row(y >> row_shift_)};
  }

  // Puts the pixels that differ one behind the other and returns how many they are: equal ones add
  // 0 to the sum.
  std::size_t collect_differing(const Rows& reference, const Rows& distorted) {
    std::size_t count = 0;
    for (int x = 0; x < format_.width; ++x) {
      const int c = x >> column_shift_;
      reference_.luma[count] = reference.luma[x];
      reference_.cb[count] = reference.cb[c];
      reference_.cr[count] = reference.cr[c];
      distorted_.luma[count] = distorted.luma[x];
      distorted_.cb[count] = distorted.cb[c];
      distorted_.cr[count] = distorted.cr[c];
      const bool equal = reference.luma[x] == distorted.luma[x] &&
                         reference.cb[c] == distorted.cb[c] && reference.cr[c] == distorted.cr[c];
      count += equal ? 0 : 1;
    }
    return count;
  }

  PictureFormat format_;
  int column_shift_;
  int row_shift_;
  SampleScale scale_;
  PixelRow reference_;
  PixelRow distorted_;
};

}  // namespace

std::unique_ptr<PixelStage> make_cpu_stage(const OptionValues&, const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<CpuStage<std::uint8_t>>(format);
  return std::make_unique<CpuStage<std::uint16_t>>(format);
}

}  // namespace hipvmaf::ciede
