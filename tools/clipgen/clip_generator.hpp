// Synthetic clips: deterministic pictures made with integer arithmetic only, the same bytes on
// every machine. The golden figures of the tests are for these clips, so their MD5 sums are tested.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <hipvmaf/picture.hpp>

namespace hipvmaf::test {

/// What a clip shows and how its distorted version differs.
struct ClipSpec {
  std::string name;
  std::string content;     ///< texture, gradient, noise, flat or dark.
  std::string distortion;  ///< none, quant, blur, blurnoise, noise, sharpen, block or bands.
  std::uint32_t seed = 0;
  PictureFormat format;
  int frames = 0;
  int cut = 0;  ///< Frame at which the scene changes; 0: never.
};

/// All clips that have a name.
[[nodiscard]] std::span<const ClipSpec> standard_clips();

/// The clip of that name ("cif8", "sd10", ...). Throws std::invalid_argument for an unknown name.
[[nodiscard]] const ClipSpec& standard_clip(std::string_view name);

struct PicturePair {
  Picture reference;
  Picture distorted;
};

/// Frame `index` (0 or more; may lie beyond clip.frames) of a clip. Throws std::invalid_argument
/// for unknown content or distortion, hipvmaf::Error for a format that pictures cannot have.
[[nodiscard]] PicturePair make_frame(const ClipSpec& clip, int index);

/// Writes NAME_ref.y4m and NAME_dis.y4m into an existing folder. Throws as make_frame(), and
/// hipvmaf::Error(io) naming the file.
void write_clip(const ClipSpec& clip, const std::filesystem::path& folder);

}  // namespace hipvmaf::test
