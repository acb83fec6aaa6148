#include "media/pair_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>
#include <vector>

#include <hipvmaf/error.hpp>

#include "media/byte_source.hpp"
#include "media/convert.hpp"

namespace hipvmaf {
namespace {

std::string label(const VideoReader& video) { return input_label(video.name()); }

std::string frames(std::int64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "frame" : "frames");
}

bool same_size(const PictureFormat& a, const PictureFormat& b) {
  return a.width == b.width && a.height == b.height;
}

/// What stands between the two formats, one entry per difference that the options do not settle.
std::vector<std::string> differences(const PictureFormat& reference, const PictureFormat& distorted,
                                     const PairOptions& options) {
  constexpr std::string_view kConvert =
      "--convert reference or --convert distorted converts one to the other's";
  std::vector<std::string> problems;
  if (!same_size(reference, distorted) && options.scale == Scaler::none) {
    problems.push_back(fmt::format(
        "dimensions do not match: {}x{}, {}x{} (--scale bicubic|lanczos|bilinear scales the "
        "distorted video)",
        reference.width, reference.height, distorted.width, distorted.height));
  }
  if (options.convert != ConvertSide::none) return problems;
  if (reference.chroma != distorted.chroma) {
    problems.push_back(fmt::format("pixel formats do not match: {}, {} ({})",
                                   to_string(reference.chroma), to_string(distorted.chroma),
                                   kConvert));
  }
  if (reference.bit_depth != distorted.bit_depth && !options.allow_depth_difference) {
    problems.push_back(fmt::format("bitdepths do not match: {}, {} ({})", reference.bit_depth,
                                   distorted.bit_depth, kConvert));
  }
  return problems;
}

/// The format of the pairs.
PictureFormat common_format(const PictureFormat& reference, const PictureFormat& distorted,
                            ConvertSide convert) {
  PictureFormat common = reference;
  switch (convert) {
    case ConvertSide::none:
      common.bit_depth = std::max(reference.bit_depth, distorted.bit_depth);
      break;
    case ConvertSide::reference:
      common.chroma = distorted.chroma;
      common.bit_depth = distorted.bit_depth;
      break;
    case ConvertSide::distorted:
      break;
  }
  return common;
}

void warn_of_ranges(const VideoReader& reference, const VideoReader& distorted,
                    const LogCallback& log) {
  const bool reference_full = reference.range() == SampleRange::full;
  if (reference_full == (distorted.range() == SampleRange::full)) return;
  const VideoReader& full = reference_full ? reference : distorted;
  const VideoReader& other = reference_full ? distorted : reference;
  const bool limited = other.range() == SampleRange::limited;
  log_to(log, LogLevel::warning,
         fmt::format("{} is full range and {} {}; sample values are compared as they are, so the "
                     "scores will be low{}",
                     label(full), label(other),
                     limited ? "is limited range" : "does not state its range",
                     limited ? "" : " unless it is full range too"));
}

void check(const PairOptions& options) {
  if (options.reference == "-" && options.distorted == "-") {
    throw Error(ErrorCode::invalid_argument,
                "reference and distorted cannot both be standard input; give a file for one");
  }
  if (options.skip_reference < 0 || options.skip_distorted < 0 || options.frame_count < 0) {
    throw Error(ErrorCode::invalid_argument,
                "numbers of frames to skip and to read cannot be negative");
  }
}

/// Counts what is left of a video where that is cheap, and says "at least" where it is not or where
/// the rest is broken. `known` frames have been read already.
std::string total_frames(VideoReader& video, std::int64_t known) {
  std::int64_t total = known;
  bool whole = video.skips_by_seeking();
  try {
    while (whole && video.skip()) ++total;
  } catch (const Error&) {
    whole = false;
  }
  return whole ? frames(total) : fmt::format("at least {}", frames(total));
}

[[noreturn]] void throw_no_frames(const VideoReader& video, std::int64_t skipped,
                                  std::int64_t available) {
  throw Error(ErrorCode::bad_input,
              skipped == 0
                  ? fmt::format("{} has no frames", label(video))
                  : fmt::format("{} has no frames left to measure: it has {}, and {} were to be "
                                "skipped",
                                label(video), frames(available), skipped));
}

void skip_all(VideoReader& video, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (!video.skip()) throw_no_frames(video, count, i);
  }
}

}  // namespace

PairReader::PairReader(std::unique_ptr<VideoReader> reference,
                       std::unique_ptr<VideoReader> distorted, const PairOptions& options)
    : reference_(std::move(reference)),
      distorted_(std::move(distorted)),
      log_(options.open.log),
      skip_reference_(options.skip_reference),
      skip_distorted_(options.skip_distorted),
      frame_count_(options.frame_count),
      strict_(options.strict) {}

void PairReader::skip_frames() {
  skip_all(*reference_, skip_reference_);
  skip_all(*distorted_, skip_distorted_);
}

std::optional<VideoPair> PairReader::next() {
  if (ended_ || (frame_count_ > 0 && count_ == frame_count_)) return std::nullopt;
  if (!std::exchange(started_, true)) skip_frames();
  std::optional<Picture> reference = reference_->read();
  std::optional<Picture> distorted = distorted_->read();
  if (!reference || !distorted) {
    ended_ = true;
    end(reference.has_value(), distorted.has_value());
    return std::nullopt;
  }
  ++count_;
  return VideoPair{std::move(*reference), std::move(*distorted)};
}

std::optional<std::int64_t> PairReader::expected_count() const {
  std::optional<std::int64_t> count;
  const auto limit = [&count](std::int64_t to) {
    count = std::max(std::min(count.value_or(to), to), std::int64_t{0});
  };
  if (frame_count_ > 0) limit(frame_count_);
  if (const auto frames = reference_->expected_frames()) limit(*frames - skip_reference_);
  if (const auto frames = distorted_->expected_frames()) limit(*frames - skip_distorted_);
  return count;
}

void PairReader::end(bool reference_left, bool distorted_left) {
  if (count_ == 0) {
    if (!reference_left) throw_no_frames(*reference_, skip_reference_, skip_reference_);
    throw_no_frames(*distorted_, skip_distorted_, skip_distorted_);
  }
  if (reference_left == distorted_left) return;
  VideoReader& shorter = reference_left ? *distorted_ : *reference_;
  VideoReader& longer = reference_left ? *reference_ : *distorted_;
  const bool skipped = skip_reference_ > 0 || skip_distorted_ > 0;
  const std::string message = fmt::format(
      "\"{}\" ended before \"{}\": {} against {}{}", label(shorter), label(longer), frames(count_),
      total_frames(longer, count_ + 1), skipped ? " (not counting skipped ones)" : "");
  if (strict_) throw Error(ErrorCode::bad_input, message);
  log_to(log_, LogLevel::warning, message);
}

std::unique_ptr<PairReader> open_pair(const PairOptions& options) {
  check(options);
  auto reference = open_video(options.reference, options.open);
  auto distorted = open_video(options.distorted, options.open);
  const PictureFormat reference_format = reference->format();
  const PictureFormat distorted_format = distorted->format();
  const auto problems = differences(reference_format, distorted_format, options);
  if (!problems.empty()) {
    throw Error(
        ErrorCode::mismatch,
        fmt::format("{} is {}, {} is {}: {}; videos are incompatible, {} problem(s).",
                    label(*reference), reference_format.describe(), label(*distorted),
                    distorted_format.describe(), fmt::join(problems, "; "), problems.size()));
  }
  warn_of_ranges(*reference, *distorted, options.open.log);
  const PictureFormat common = common_format(reference_format, distorted_format, options.convert);
  const auto converted = [&](std::unique_ptr<VideoReader> video) {
    return convert_video(std::move(video), common, options.scale, options.open.allocator);
  };
  return std::make_unique<PairReader>(converted(std::move(reference)),
                                      converted(std::move(distorted)), options);
}

}  // namespace hipvmaf
