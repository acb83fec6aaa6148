// First step of SSIMULACRA 2: from the samples of a picture to linear light.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "features/ssimulacra2/ssimulacra2_math.hpp"
#include "features/ssimulacra2/ssimulacra2_strips.hpp"

namespace hipvmaf::ssimulacra2 {

/// Linear light of the coded values i / kTransferSteps (the sRGB transfer function), and the last
/// entry again. Made at the first call; thread-safe.
[[nodiscard]] std::span<const float, kTransferSteps + 2> transfer_table();

/// Turns rows of pictures of one format into linear light. Serves one thread at a time.
class ColourConverter {
 public:
  ColourConverter(const PictureFormat& format, int yuv_matrix);

  /// Rows `top` to `top` + `rows` - 1 (at most kStripRows) of all columns to the strips of R, G and
  /// B. The rest of the strips is left alone.
  void convert(const Picture& picture, int top, int rows,
               const std::array<float*, kChannels>& strips);

 private:
  template <class Sample>
  void convert_rows(const Picture& picture, int top, int rows,
                    const std::array<float*, kChannels>& strips);
  template <class Sample>
  void spread_chroma(const Sample* samples, std::vector<float>& spread);

  PictureFormat format_;
  ColourMatrix matrix_;
  float sample_scale_;
  // One row each.
  std::vector<float> chroma_;
  std::vector<float> u_;
  std::vector<float> v_;
  std::array<std::vector<float>, kChannels> coded_;
};

}  // namespace hipvmaf::ssimulacra2
