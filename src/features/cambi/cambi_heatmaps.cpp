#include "features/cambi/cambi_heatmaps.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <hipvmaf/error.hpp>

namespace hipvmaf::cambi {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

std::string file_name(Size analysed, int scale) {
  const Size size = size_at_scale(analysed, false, scale);
  return fmt::format("cambi_heatmap_scale_{}_{}x{}_16b.gray", scale, size.width, size.height);
}

void create_folders(const fs::path& folder) {
  constexpr mode_t kMode = 0770;
  fs::path so_far;
  for (const fs::path& part : folder) {
    so_far /= part;
    // A parent that cannot be made but exists is none of our business.
    if (::mkdir(so_far.c_str(), kMode) != 0 && errno != EEXIST && !fs::is_directory(so_far)) {
      throw Error(ErrorCode::io, fmt::format("cannot create the heatmaps folder {}: {}",
                                             so_far.string(), reason()));
    }
  }
}

// The writers in use, by their first file.
struct Writers {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<HeatmapWriter>> by_file;
};

Writers& writers() {
  static Writers all;
  return all;
}

std::string key_of(const fs::path& folder, Size analysed) {
  return fs::weakly_canonical(folder / file_name(analysed, 0)).string();
}

}  // namespace

HeatmapScale::HeatmapScale(int steps, int radius) {
  const std::int64_t window = std::int64_t{window_side(radius)} * window_side(radius);
  const std::int64_t full = step_weight(steps) * window / 4;
  factor_ = full == 0 ? 0.0 : 65535.0 / static_cast<double>(full);
}

HeatmapFile::HeatmapFile(const fs::path& path) : path_(path.string()) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw Error(ErrorCode::io, fmt::format("cannot write the heatmap {}: {}", path_, reason()));
}

HeatmapFile::HeatmapFile(HeatmapFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

HeatmapFile& HeatmapFile::operator=(HeatmapFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

HeatmapFile::~HeatmapFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void HeatmapFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes,
                           std::int64_t frame) const {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw Error(ErrorCode::io, fmt::format("cannot write frame {} of the heatmap {}: {}", frame,
                                             path_, reason()));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

HeatmapWriter::HeatmapWriter(const fs::path& folder, Size analysed) {
  for (int scale = 0; scale < kScales; ++scale) {
    files_[static_cast<std::size_t>(scale)] = HeatmapFile(folder / file_name(analysed, scale));
  }
}

std::shared_ptr<HeatmapWriter> HeatmapWriter::open(const std::string& folder, Size analysed) {
  create_folders(folder);
  const std::string key = key_of(folder, analysed);
  const std::lock_guard lock(writers().mutex);
  auto& in_use = writers().by_file;
  std::erase_if(in_use, [](const auto& entry) { return entry.second.expired(); });
  if (in_use.contains(key)) {
    throw Error(ErrorCode::invalid_option,
                fmt::format("the heatmap {} is being written already; give each cambi its own "
                            "heatmaps_path",
                            key));
  }
  auto writer = std::make_shared<HeatmapWriter>(folder, analysed);
  in_use[key] = writer;
  return writer;
}

std::shared_ptr<HeatmapWriter> HeatmapWriter::find(const std::string& folder, Size analysed) {
  const std::string key = key_of(folder, analysed);
  const std::lock_guard lock(writers().mutex);
  const auto at = writers().by_file.find(key);
  auto writer = at == writers().by_file.end() ? nullptr : at->second.lock();
  if (writer == nullptr)
    throw Error(ErrorCode::internal, fmt::format("no one has opened the heatmap {}", key));
  return writer;
}

void HeatmapWriter::write(int scale, std::int64_t frame,
                          std::span<const std::uint16_t> pixels) const {
  files_[static_cast<std::size_t>(scale)].write_at(
      static_cast<std::uint64_t>(frame) * pixels.size_bytes(), std::as_bytes(pixels), frame);
}

std::optional<HeatmapOutput> HeatmapOutput::of(const OptionValues& options,
                                               const Settings& settings) {
  const auto& folder = options.get<std::string>("heatmaps_path");
  if (folder.empty()) return std::nullopt;
  return HeatmapOutput(HeatmapWriter::find(folder, settings.distorted.size), settings);
}

HeatmapOutput::HeatmapOutput(std::shared_ptr<HeatmapWriter> writer, const Settings& settings)
    : writer_(std::move(writer)), scale_(settings.steps, settings.distorted.radius) {
  const Size size = size_at_scale(settings.distorted.size, settings.starts_at_half_size, 0);
  pixels_.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
}

void HeatmapOutput::write(int scale, std::int64_t frame, std::span<const float> contrasts) {
  const std::span pixels = std::span(pixels_).first(contrasts.size());
  std::ranges::transform(contrasts, pixels.begin(), [&](float c) { return scale_.pixel(c); });
  writer_->write(scale, frame, pixels);
}

}  // namespace hipvmaf::cambi
