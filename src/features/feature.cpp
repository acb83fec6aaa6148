#include "features/feature.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

namespace hipvmaf {
namespace {

constexpr std::size_t kLongestName = 255;

}  // namespace

FrameWindow::FrameWindow(FramePtr current, std::span<const FramePtr> earlier_newest_first) {
  frames_[0] = std::move(current);
  std::ranges::copy(
      earlier_newest_first.first(std::min(earlier_newest_first.size(), frames_.size() - 1)),
      frames_.begin() + 1);
}

void require_format(const Descriptor& extractor, const OptionValues& options,
                    const PictureFormat& format) {
  const auto refuse = [&](const std::string& need) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("extractor {} needs {}, the videos are {}", extractor.name, need,
                            format.describe()));
  };
  if (!extractor.minimum_from_options &&
      (format.width < extractor.minimum_width || format.height < extractor.minimum_height)) {
    refuse(fmt::format("pictures of at least {}x{}", extractor.minimum_width,
                       extractor.minimum_height));
  }
  if (extractor.needs_chroma && format.chroma == ChromaFormat::yuv400) refuse("chroma planes");
  if (format.bit_depth > extractor.maximum_bit_depth) {
    refuse(fmt::format("at most {} bits per sample", extractor.maximum_bit_depth));
  }
  if (extractor.check_format != nullptr) extractor.check_format(options, format);
}

std::string stored_name(const FeatureSpec& feature, std::string_view suffix) {
  if (suffix.empty() || !feature.provided) return std::string(feature.internal_name);
  return printed_name(feature, suffix);
}

std::string printed_name(const FeatureSpec& feature, std::string_view suffix) {
  std::string name(feature.alias.empty() ? feature.internal_name : feature.alias);
  if (feature.provided) name += suffix;
  if (name.size() > kLongestName) name.resize(kLongestName);
  return name;
}

}  // namespace hipvmaf
