// Sizes, regions and rows of the wavelet pyramid, for `adm` and `float_adm`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "features/border_math.hpp"

namespace hipvmaf::adm {

inline constexpr int kScaleCount = 4;
inline constexpr int kDetailBands = 3;  ///< H (vertical detail), V (horizontal detail), D (both).

/// The smallest side of which every scale has bands of at least two columns and rows.
inline constexpr int kMinimumSide = 17;

/// Columns begin..end-1.
struct ColumnRange {
  int begin = 0;
  int end = 0;
};

/// Where a row of each band goes.
template <class Coefficient>
struct BandRow {
  Coefficient* a = nullptr;  ///< Low across and down: the next scale's picture. All columns.
  std::array<Coefficient*, kDetailBands> detail{};  ///< H, V, D.
};

/// Detail band rows of one picture: H, V, D.
template <class Coefficient>
using DetailRow = std::array<const Coefficient*, kDetailBands>;

/// One scale of a picture.
struct ScaleGeometry {
  int scale = 0;        ///< 0 (finest) .. 3.
  int input_width = 0;  ///< Of the picture or of the band A that is transformed.
  int input_height = 0;
  int width = 0;  ///< Of each band.
  int height = 0;
  int left = 0;  ///< Columns on either side that are not scored.
  int top = 0;   ///< Rows above and below that are not scored.

  [[nodiscard]] constexpr int region_width() const { return width - 2 * left; }
  [[nodiscard]] constexpr int region_height() const { return height - 2 * top; }

  [[nodiscard]] constexpr ColumnRange scored_columns() const { return {left, width - left}; }
  [[nodiscard]] constexpr bool is_scored_row(int y) const { return y >= top && y < height - top; }

  // A position is masked by the eight around it, so one more column and row on each side take part
  // where there is one.
  [[nodiscard]] constexpr ColumnRange masking_columns() const {
    return {std::max(left - 1, 0), std::min(width - left + 1, width)};
  }
  [[nodiscard]] constexpr int first_masking_row() const { return std::max(top - 1, 0); }
  [[nodiscard]] constexpr int last_masking_row() const {
    return std::min(height - top, height - 1);
  }
};

/// The scales of a picture, finest first. A tenth of a band is not scored on every side.
[[nodiscard]] constexpr std::array<ScaleGeometry, kScaleCount> make_geometry(int width,
                                                                             int height) {
  const auto margin = [](int side) { return side >= 5 ? (side - 5) / 10 : 0; };
  std::array<ScaleGeometry, kScaleCount> scales{};
  for (int s = 0; s < kScaleCount; ++s) {
    ScaleGeometry& scale = scales[static_cast<std::size_t>(s)];
    scale.scale = s;
    scale.input_width = width;
    scale.input_height = height;
    scale.width = width = (width + 1) / 2;
    scale.height = height = (height + 1) / 2;
    scale.left = margin(width);
    scale.top = margin(height);
  }
  return scales;
}

}  // namespace hipvmaf::adm
