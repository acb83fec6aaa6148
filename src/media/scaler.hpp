// Resampling filters, and the interface to what resamples pictures.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <hipvmaf/picture.hpp>

namespace hipvmaf {

enum class Scaler : std::uint8_t { none, bicubic, lanczos, bilinear };

/// "none", "bicubic", "lanczos" or "bilinear".
[[nodiscard]] std::string_view to_string(Scaler scaler);

/// Changes the size and the chroma format of pictures, at one depth.
class Resampler {
 public:
  Resampler() = default;
  Resampler(const Resampler&) = delete;
  Resampler& operator=(const Resampler&) = delete;
  virtual ~Resampler() = default;

  virtual void run(const Picture& from, const PictureBuffer& to) = 0;
};

/// The smallest depth at or above `bit_depth` that a Resampler can work at.
[[nodiscard]] int resampling_depth(int bit_depth);

/// Makes a Resampler between formats of the same depth, which is a resampling_depth(), that both
/// have chroma or both have none. The results are the same on every machine. Throws
/// Error(unsupported_format) in builds without FFmpeg.
[[nodiscard]] std::unique_ptr<Resampler> make_resampler(const PictureFormat& from,
                                                        const PictureFormat& to, Scaler scaler);

}  // namespace hipvmaf
