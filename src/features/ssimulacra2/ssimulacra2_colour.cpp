#include "features/ssimulacra2/ssimulacra2_colour.hpp"

#include <cmath>
#include <cstdint>

namespace hipvmaf::ssimulacra2 {
namespace {

std::array<float, kTransferSteps + 2> make_transfer_table() {
  std::array<float, kTransferSteps + 2> table{};
  for (int i = 0; i <= kTransferSteps; ++i) {
    const double coded = i / static_cast<double>(kTransferSteps);
    table[static_cast<std::size_t>(i)] = static_cast<float>(
        coded <= 0.04045 ? coded / 12.92 : std::pow((coded + 0.055) / 1.055, 2.4));
  }
  table.back() = table[kTransferSteps];
  return table;
}

template <class Sample>
void convert_row(const Sample* luma, const float* u, const float* v, int width, float scale,
                 const ColourMatrix& matrix, float* __restrict r, float* __restrict g,
                 float* __restrict b) {
  for (int x = 0; x < width; ++x) {
    const Colour colour = coded_colour(luma[x], u[x], v[x], scale, matrix);
    r[x] = colour.r;
    g[x] = colour.g;
    b[x] = colour.b;
  }
}

}  // namespace

std::span<const float, kTransferSteps + 2> transfer_table() {
  static const auto table = make_transfer_table();
  return table;
}

ColourConverter::ColourConverter(const PictureFormat& format, int yuv_matrix)
    : format_(format),
      matrix_(colour_matrix(yuv_matrix)),
      sample_scale_(sample_scale(format.bit_depth)) {
  const auto width = static_cast<std::size_t>(format.width);
  for (std::vector<float>* row : {&chroma_, &u_, &v_, &coded_[0], &coded_[1], &coded_[2]})
    row->resize(width);
}

void ColourConverter::convert(const Picture& picture, int top, int rows,
                              const std::array<float*, kChannels>& strips) {
  if (format_.bit_depth == 8) {
    convert_rows<std::uint8_t>(picture, top, rows, strips);
  } else {
    convert_rows<std::uint16_t>(picture, top, rows, strips);
  }
}

// A row of scaled_chroma() with as many columns as luma.
template <class Sample>
void ColourConverter::spread_chroma(const Sample* samples, std::vector<float>& spread) {
  const int chroma_width = format_.plane_width(1);
  const bool halved = chroma_width < format_.width;
  float* __restrict chroma = halved ? chroma_.data() : spread.data();
  for (int x = 0; x < chroma_width; ++x)
    chroma[x] = scaled_chroma(samples[x], sample_scale_, matrix_);
  if (!halved) return;
  float* __restrict out = spread.data();
  for (int x = 0; x < format_.width; ++x) out[x] = chroma[x / 2];
}

template <class Sample>
void ColourConverter::convert_rows(const Picture& picture, int top, int rows,
                                   const std::array<float*, kChannels>& strips) {
  const auto luma = picture.plane<Sample>(0);
  const auto cb = picture.plane<Sample>(1);
  const auto cr = picture.plane<Sample>(2);
  const int rows_per_chroma_row = format_.chroma == ChromaFormat::yuv420 ? 2 : 1;
  const float* table = transfer_table().data();
  const int width = format_.width;
  for (int row = 0; row < rows; ++row) {
    const int y = top + row;
    spread_chroma(cb.row(y / rows_per_chroma_row), u_);
    spread_chroma(cr.row(y / rows_per_chroma_row), v_);
    convert_row(luma.row(y), u_.data(), v_.data(), width, sample_scale_, matrix_, coded_[0].data(),
                coded_[1].data(), coded_[2].data());
    for (std::size_t c = 0; c < kChannels; ++c) {
      const float* coded = coded_[c].data();
      float* strip = strips[c] + row;
      for (int x = 0; x < width; ++x) strip[x * kStripRows] = linear_light(coded[x], table);
    }
  }
}

}  // namespace hipvmaf::ssimulacra2
