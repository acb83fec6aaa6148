// Y4M files: whatever the bytes, reading ends with the last frame or an Error, and reading and
// skipping agree on the number of frames.
#include <cstdint>
#include <cstdlib>
#include <span>

#include <hipvmaf/error.hpp>

#include "media/byte_source.hpp"
#include "media/y4m_reader.hpp"

namespace {

using hipvmaf::VideoReader;

// Larger pictures take much memory and find nothing new.
constexpr std::size_t kLargestPicture = std::size_t{1} << 22;

std::unique_ptr<VideoReader> open(std::span<const std::byte> bytes) {
  return hipvmaf::open_y4m(hipvmaf::make_memory_source("fuzz.y4m", bytes), {});
}

/// Every sample must be there and fit the depth.
template <class Sample>
void check_samples(const hipvmaf::Picture& picture) {
  unsigned bits = 0;
  for (int p = 0; p < picture.format().plane_count(); ++p) {
    const auto plane = picture.plane<Sample>(p);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x) bits |= plane.row(y)[x];
    }
  }
  if (bits >> picture.format().bit_depth != 0) std::abort();
}

struct Result {
  int frames = 0;
  bool whole = false;
};

template <class Next>
Result run(std::span<const std::byte> bytes, Next next) {
  Result result;
  try {
    const auto video = open(bytes);
    if (video->format().packed_bytes() > kLargestPicture) return result;
    while (next(*video)) ++result.frames;
    result.whole = true;
  } catch (const hipvmaf::Error&) {
  }
  return result;
}

bool read_and_check(VideoReader& video) {
  const auto picture = video.read();
  if (!picture) return false;
  if (picture->format().bytes_per_sample() == 1) {
    check_samples<std::uint8_t>(*picture);
  } else {
    check_samples<std::uint16_t>(*picture);
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const Result read = run(bytes, read_and_check);
  const Result skipped = run(bytes, [](VideoReader& video) { return video.skip(); });
  // Skipping does not look at samples, so it may only get further.
  if (skipped.frames < read.frames || (read.whole && skipped.frames != read.frames)) std::abort();
  return 0;
}
