// The part of a subsampled plane that libvmaf scores.
#pragma once

#include <hipvmaf/picture.hpp>

namespace hipvmaf {

/// Columns of a plane that are scored. A picture of odd size stores ceil(width / 2) chroma columns;
/// metrics whose figures shall agree with libvmaf's leave the last one out.
[[nodiscard]] constexpr int scored_width(const PictureFormat& format, int plane) {
  const bool halved =
      plane > 0 && (format.chroma == ChromaFormat::yuv420 || format.chroma == ChromaFormat::yuv422);
  return halved ? format.width / 2 : format.width;
}

/// Rows of a plane that are scored, likewise.
[[nodiscard]] constexpr int scored_height(const PictureFormat& format, int plane) {
  return plane > 0 && format.chroma == ChromaFormat::yuv420 ? format.height / 2 : format.height;
}

}  // namespace hipvmaf
