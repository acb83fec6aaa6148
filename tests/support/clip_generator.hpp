// Synthetic clips: deterministic pictures made with integer arithmetic only, the same bytes on every machine.
// The golden figures of the tests are for these clips.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <hipvmaf/picture.hpp>

namespace hipvmaf::test {

/// What a clip shows and how its distorted version differs.
struct ClipSpec {
  std::string name;
  std::string content;     ///< texture, gradient, noise or flat.
  std::string distortion;  ///< none, quant, blur, blurnoise, noise, sharpen or block.
  std::uint32_t seed = 0;
  PictureFormat format;
  int frames = 0;
  int cut = 0;  ///< Frame at which the scene changes; 0: never.
};

/// The clip of that name ("cif8", "sd10", ...). Throws std::invalid_argument for an unknown name.
[[nodiscard]] const ClipSpec& standard_clip(std::string_view name);

struct PicturePair {
  Picture reference;
  Picture distorted;
};

/// Frame `index` of a clip. Throws std::invalid_argument for unknown content or distortion.
[[nodiscard]] PicturePair make_frame(const ClipSpec& clip, int index);

}  // namespace hipvmaf::test
