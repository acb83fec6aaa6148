#include "media/planar_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>

namespace hipvmaf {
namespace {

static_assert(std::endian::native == std::endian::little,
              "samples are read in the byte order of the files");

// Rows are read and checked in blocks of about this size, so that the check finds them in the
// cache.
constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;

// Every bit that is set in any sample of a row: one cheap pass that tells whether all fit the
// depth.
unsigned bits_used(std::span<const std::uint16_t> row) {
  std::uint16_t bits = 0;
  for (const std::uint16_t sample : row) bits = static_cast<std::uint16_t>(bits | sample);
  return bits;
}

std::span<const std::uint16_t> samples(const PlaneView<std::uint16_t>& plane, int y) {
  return {plane.row(y), static_cast<std::size_t>(plane.width)};
}

[[noreturn]] void throw_too_large(const ByteSource& source, std::int64_t frame,
                                  const PictureBuffer& picture, int plane) {
  const auto view = picture.plane<std::uint16_t>(plane);
  std::uint16_t largest = 0;
  for (int y = 0; y < view.height; ++y) {
    largest = std::max(largest, std::ranges::max(samples(view, y)));
  }
  const int depth = picture.format().bit_depth;
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{}: frame {}: the {} plane has a sample of {}, but {} bit samples end at "
                  "{}: the bit depth is wrong, or the samples are in the high bits "
                  "(MSB-aligned) instead of the low ones",
                  source.label(), frame, plane_name(plane), largest, depth, (1 << depth) - 1));
}

}  // namespace

std::string_view plane_name(int plane) {
  constexpr std::array<std::string_view, 3> kNames = {"luma", "Cb", "Cr"};
  return kNames.at(static_cast<std::size_t>(plane));
}

void throw_cut_off(const ByteSource& source, std::int64_t frame) {
  throw Error(ErrorCode::bad_input, fmt::format("{}: frame {} is cut off: the data ends at byte {}",
                                                source.label(), frame, source.offset()));
}

void read_plane(ByteSource& source, std::int64_t frame, PictureBuffer& picture, int plane) {
  const PictureFormat& format = picture.format();
  const int height = format.plane_height(plane);
  const std::span<std::byte> first = picture.row_bytes(plane, 0);
  const bool contiguous =
      height == 1 || picture.row_bytes(plane, 1).data() == first.data() + first.size();
  const int block_rows = contiguous ? static_cast<int>(kBlockBytes / first.size()) + 1 : 1;
  const bool check = format.bit_depth > 8 && format.bit_depth < 16;
  unsigned bits = 0;
  for (int y = 0; y < height; y += block_rows) {
    const int rows = std::min(block_rows, height - y);
    const std::span<std::byte> block(picture.row_bytes(plane, y).data(),
                                     first.size() * static_cast<std::size_t>(rows));
    if (source.read(block) < block.size()) throw_cut_off(source, frame);
    if (check) {
      const auto view = picture.plane<std::uint16_t>(plane);
      for (int r = y; r < y + rows; ++r) bits |= bits_used(samples(view, r));
    }
  }
  if (check && (bits >> format.bit_depth) != 0) throw_too_large(source, frame, picture, plane);
}

}  // namespace hipvmaf
