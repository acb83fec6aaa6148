// Reference and distorted video read side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <hipvmaf/log.hpp>
#include <hipvmaf/picture.hpp>

#include "media/scaler.hpp"
#include "media/video_reader.hpp"

namespace hipvmaf {

/// Which of the two is converted to the chroma format and the depth of the other.
enum class ConvertSide : std::uint8_t { none, reference, distorted };

struct PairOptions {
  std::string reference;  ///< Path, or "-" for standard input (one of the two).
  std::string distorted;
  OpenOptions open;  ///< For both; open.log also receives the warnings about the pair.
  ConvertSide convert = ConvertSide::none;
  Scaler scale = Scaler::none;  ///< Scales the distorted video to the reference's size.
  bool allow_depth_difference =
      false;                        ///< Raise the depth of the shallower one instead of refusing.
  std::int64_t skip_reference = 0;  ///< Frames dropped at the start.
  std::int64_t skip_distorted = 0;
  std::int64_t frame_count = 0;  ///< Most pairs to read, 0 = all.
  bool strict = false;           ///< Unequal lengths are an error instead of a warning.
};

struct VideoPair {
  Picture reference;
  Picture distorted;
};

/// The pairs of a reference and a distorted video of one format. Not thread-safe, but it may be
/// used from another thread than the one that opened it, to read ahead.
class PairReader {
 public:
  /// Takes two readers of one format; of `options` the members from skip_reference on, open.log.
  PairReader(std::unique_ptr<VideoReader> reference, std::unique_ptr<VideoReader> distorted,
             const PairOptions& options);

  [[nodiscard]] const PictureFormat& format() const { return reference_->format(); }

  /// The next pair, or nothing at the end of the shorter video or after frame_count pairs. Skips
  /// frames first when called first. Unequal lengths draw one warning.
  /// Throws Error(bad_input) for a broken video, for one that has no frame at all (behind the
  /// skipped ones), and with `strict` for unequal lengths.
  [[nodiscard]] std::optional<VideoPair> next();

  /// How many pairs there will be in all, as far as the videos tell without being read; for
  /// progress displays only.
  [[nodiscard]] std::optional<std::int64_t> expected_count() const;

  /// Pairs read so far.
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  void skip_frames();
  void end(bool reference_left, bool distorted_left);

  std::unique_ptr<VideoReader> reference_;
  std::unique_ptr<VideoReader> distorted_;
  LogCallback log_;
  std::int64_t skip_reference_;
  std::int64_t skip_distorted_;
  std::int64_t frame_count_;
  bool strict_;
  bool started_ = false;
  bool ended_ = false;
  std::int64_t count_ = 0;
};

/// Opens both videos and makes their formats match as the options allow. Throws
/// Error(invalid_argument) if both are standard input or an option makes no sense, Error(mismatch)
/// that names every difference and the option that helps, and what open_video() throws.
[[nodiscard]] std::unique_ptr<PairReader> open_pair(const PairOptions& options);

}  // namespace hipvmaf
