// Heatmaps: the contrasts of the distorted picture as raw 16-bit grey video, one file per scale.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "features/cambi/cambi_math.hpp"
#include "features/cambi/cambi_settings.hpp"
#include "features/options.hpp"

namespace hipvmaf::cambi {

/// Turns contrasts into 16-bit pixels. Full scale is the largest contrast of a window split in
/// halves, rounded down for lack of a fraction: contrasts just above it wrap to small values, as in
/// libvmaf's files.
class HeatmapScale {
 public:
  HeatmapScale(int steps, int radius);

  [[nodiscard]] std::uint16_t pixel(float contrast) const {
    return heatmap_pixel(contrast, factor_);
  }

 private:
  double factor_;
};

/// An open file. Throws Error(io) naming it.
class HeatmapFile {
 public:
  HeatmapFile() = default;
  /// Creates the file, or empties it.
  explicit HeatmapFile(const std::filesystem::path& path);
  HeatmapFile(HeatmapFile&& other) noexcept;
  HeatmapFile& operator=(HeatmapFile&& other) noexcept;
  ~HeatmapFile();

  /// Thread-safe.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes, std::int64_t frame) const;

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// The files of one run, which all its stages write. Each frame has its place in them, so frames
/// may come in any order and from any thread; frames that are skipped leave holes.
class HeatmapWriter {
 public:
  /// Creates the folder with its parents, and the files in it, empty. They are named after the
  /// analysis size and its halves, also where the frames are smaller by the speed-up. Throws
  /// Error(io) naming the file, Error(invalid_option) if a writer of the same files is in use.
  [[nodiscard]] static std::shared_ptr<HeatmapWriter> open(const std::string& folder,
                                                           Size analysed);

  /// The writer of these files that is in use. Throws Error(internal) if there is none.
  [[nodiscard]] static std::shared_ptr<HeatmapWriter> find(const std::string& folder,
                                                           Size analysed);

  HeatmapWriter(const std::filesystem::path& folder, Size analysed);

  /// All frames of a scale have the same number of pixels. Thread-safe.
  void write(int scale, std::int64_t frame, std::span<const std::uint16_t> pixels) const;

 private:
  std::array<HeatmapFile, kScales> files_;
};

/// The heatmaps of a pixel stage. Serves one thread at a time.
class HeatmapOutput {
 public:
  /// Nothing if the options ask for none; the files are open already otherwise.
  [[nodiscard]] static std::optional<HeatmapOutput> of(const OptionValues& options,
                                                       const Settings& settings);

  /// Contrasts of a scale of the distorted picture, row by row.
  void write(int scale, std::int64_t frame, std::span<const float> contrasts);

 private:
  HeatmapOutput(std::shared_ptr<HeatmapWriter> writer, const Settings& settings);

  std::shared_ptr<HeatmapWriter> writer_;
  HeatmapScale scale_;
  std::vector<std::uint16_t> pixels_;
};

}  // namespace hipvmaf::cambi
