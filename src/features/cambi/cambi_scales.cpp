#include "features/cambi/cambi_scales.hpp"

#include "features/cambi/cambi_math.hpp"

namespace hipvmaf::cambi {
namespace {

void filter_along_row(const std::uint16_t* in, int width, std::uint16_t* out) {
  out[0] = in[0];
  for (int x = 1; x < width - 1; ++x) out[x] = mode_of(in[x - 1], in[x], in[x + 1]);
  out[width - 1] = in[width - 1];
}

void filter_along_columns(const std::uint16_t* above, const std::uint16_t* here,
                          const std::uint16_t* below, int width, std::uint16_t* out) {
  for (int x = 0; x < width; ++x) out[x] = mode_of(above[x], here[x], below[x]);
}

}  // namespace

ModeFilter::ModeFilter(int largest_width)
    : width_(largest_width), rows_(3 * static_cast<std::size_t>(largest_width)) {}

void ModeFilter::run(const PlaneView<std::uint16_t>& plane) {
  const auto filtered = [&](int y) {
    return rows_.data() + static_cast<std::ptrdiff_t>(y % 3) * width_;
  };
  for (int y = 0; y < plane.height; ++y) {
    filter_along_row(plane.row(y), plane.width, filtered(y));
    if (y < 2) continue;
    filter_along_columns(filtered(y - 2), filtered(y - 1), filtered(y), plane.width,
                         plane.row(y - 1));
  }
}

}  // namespace hipvmaf::cambi
