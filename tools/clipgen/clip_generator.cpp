// Every plane is made at 16 bit and reduced to the clip's depth at the end. Loops run along rows;
// what changes slowly (the hashes at the corners of a noise cell, block means) is hoisted out of
// them, which is what makes 4K clips affordable in a test.
#include "clipgen/clip_generator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hipvmaf::test {
namespace {

enum class Content { texture, gradient, noise, flat, dark };
enum class Distortion { none, quant, blur, blurnoise, noise, sharpen, block, bands };

constexpr std::array<std::pair<std::string_view, Content>, 5> kContents = {{
    {"texture", Content::texture},
    {"gradient", Content::gradient},
    {"noise", Content::noise},
    {"flat", Content::flat},
    {"dark", Content::dark},
}};

constexpr std::array<std::pair<std::string_view, Distortion>, 8> kDistortions = {{
    {"none", Distortion::none},
    {"quant", Distortion::quant},
    {"blur", Distortion::blur},
    {"blurnoise", Distortion::blurnoise},
    {"noise", Distortion::noise},
    {"sharpen", Distortion::sharpen},
    {"block", Distortion::block},
    {"bands", Distortion::bands},
}};

constexpr std::uint32_t kMiddle = 32768;
constexpr int kBlock = 8;

// The scene after a cut, the planes of one picture and the noise of the distortion must not look
// alike: each has its own seed.
constexpr std::uint32_t kCutSeedStep = 1000;
constexpr std::uint32_t kChromaSeedStep = 100;
constexpr std::uint32_t kDistortionSeedStep = 7777;

template <class Value, std::size_t N>
Value look_up(const std::array<std::pair<std::string_view, Value>, N>& table, std::string_view name,
              std::string_view what) {
  for (const auto& [known, value] : table) {
    if (known == name) return value;
  }
  std::string message = fmt::format("unknown {} \"{}\"; known are", what, name);
  for (const auto& entry : table) message += fmt::format(" {}", entry.first);
  throw std::invalid_argument(message);
}

struct Plane16 {
  Plane16(int w, int h)
      : width(w), height(h), samples(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  std::uint16_t* row(int y) { return samples.data() + static_cast<std::ptrdiff_t>(y) * width; }
  [[nodiscard]] const std::uint16_t* row(int y) const {
    return samples.data() + static_cast<std::ptrdiff_t>(y) * width;
  }

  int width;
  int height;
  std::vector<std::uint16_t> samples;
};

std::uint32_t u32(int value) { return static_cast<std::uint32_t>(value); }
std::uint16_t u16(std::uint32_t value) { return static_cast<std::uint16_t>(value); }
std::uint16_t clamp16(std::int32_t value) {
  return static_cast<std::uint16_t>(std::clamp(value, 0, 65535));
}

constexpr std::uint32_t hash(std::uint32_t s, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t h = s * 0x9E3779B1U + a * 0x85EBCA77U + b * 0xC2B2AE3DU + c * 0x27D4EB2FU;
  h ^= h >> 15;
  h *= 0x2C1B3C6DU;
  h ^= h >> 12;
  h *= 0x297A2D39U;
  return h ^ (h >> 15);
}

// Adds weight * noise(u, v) to sums[0..width), for u from `u_begin`: bilinear interpolation between
// hashes on a grid of cells of 2^log_cell. The vertical step comes first, once per grid column;
// both steps are exact, so the order does not matter. 32 bits suffice up to log_cell = 8.
void add_noise_row(std::uint32_t seed, std::uint32_t u_begin, std::uint32_t v,
                   std::uint32_t log_cell, std::uint32_t weight, std::span<std::uint32_t> sums) {
  const std::uint32_t cell = 1U << log_cell;
  const std::uint32_t j = v >> log_cell;
  const std::uint32_t fy = v & (cell - 1);
  const std::uint32_t half = cell * cell / 2;
  const auto column = [&](std::uint32_t i) {
    return (hash(seed, i, j, log_cell) & 0xFFFFU) * (cell - fy) +
           (hash(seed, i, j + 1, log_cell) & 0xFFFFU) * fy;
  };
  std::uint32_t i = u_begin >> log_cell;
  std::uint32_t fx = u_begin & (cell - 1);
  std::uint32_t left = column(i);
  for (std::size_t x = 0; x < sums.size(); ++i, fx = 0) {
    const std::uint32_t right = column(i + 1);
    const std::size_t run = std::min<std::size_t>(cell - fx, sums.size() - x);
    for (std::size_t n = 0; n < run; ++n) {
      const std::uint32_t f = fx + static_cast<std::uint32_t>(n);
      sums[x + n] += weight * ((left * (cell - f) + right * f + half) >> (2 * log_cell));
    }
    x += run;
    left = right;
  }
}

int floor_mod(int value, int modulus) { return ((value % modulus) + modulus) % modulus; }

// Three octaves of noise that drift to the left, under bright rectangles that move to the right.
void texture_luma_row(std::uint32_t seed, int y, int t, std::span<std::uint32_t> sums,
                      std::uint16_t* row) {
  const std::uint32_t u = u32(3 * t + 64);
  const std::uint32_t v = u32(y + t + 64);
  std::ranges::fill(sums, 0U);
  add_noise_row(seed, u, v, 6, 8, sums);
  add_noise_row(seed + 1, u, v, 4, 5, sums);
  add_noise_row(seed + 2, u, v, 2, 3, sums);
  for (std::uint32_t& sum : sums) sum = (sum + 8) >> 4;
  if (floor_mod(y + 2 * t, 71) < 12) {
    int rx = floor_mod(-5 * t, 97);
    for (std::uint32_t& n : sums) {
      if (rx < 20) n = (n + 180000) >> 2;
      rx = rx == 96 ? 0 : rx + 1;
    }
  }
  for (std::size_t x = 0; x < sums.size(); ++x) row[x] = u16(4096 + ((sums[x] * 219) >> 8));
}

void texture_chroma_row(std::uint32_t seed, int y, int t, std::span<std::uint32_t> sums,
                        std::uint16_t* row) {
  std::ranges::fill(sums, 0U);
  add_noise_row(seed, u32(2 * t + 64), u32(y + t + 64), 4, 1, sums);
  for (std::size_t x = 0; x < sums.size(); ++x) {
    row[x] = clamp16(32768 + ((static_cast<std::int32_t>(sums[x]) - 32768) >> 2));
  }
}

Plane16 reference_plane(const ClipSpec& clip, Content content, int p, int t) {
  const bool after_cut = clip.cut > 0 && t >= clip.cut;
  const std::uint32_t seed = clip.seed + (after_cut ? kCutSeedStep : 0) + kChromaSeedStep * u32(p);
  Plane16 plane(clip.format.plane_width(p), clip.format.plane_height(p));
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(plane.width));
  for (int y = 0; y < plane.height; ++y) {
    std::uint16_t* row = plane.row(y);
    switch (content) {
      case Content::texture:
        if (p == 0) {
          texture_luma_row(seed, y, t, sums, row);
        } else {
          texture_chroma_row(seed, y, t, sums, row);
        }
        break;
      case Content::gradient:
        for (int x = 0; x < plane.width; ++x) {
          const std::uint32_t chroma_offset = u32(8 * x + 4 * y) % 4096;
          row[x] = u16(p == 0   ? 8192 + u32(24 * x + 16 * y + 64 * t) % 40960
                       : p == 1 ? kMiddle + chroma_offset
                                : kMiddle - chroma_offset);
        }
        break;
      case Content::noise:
        for (int x = 0; x < plane.width; ++x) {
          const std::uint32_t h = hash(seed, u32(x), u32(y), u32(t));
          row[x] =
              u16(p == 0 ? 4096 + (((h & 0xFFFFU) * 219) >> 8) : kMiddle + (h & 0x3FFFU) - 8192);
        }
        break;
      case Content::flat:
        std::fill_n(row, plane.width, u16(kMiddle));
        break;
      case Content::dark:
        for (int x = 0; x < plane.width; ++x) {
          row[x] =
              u16(p == 0 ? 2560 + u32(12000 * x / plane.width + 9000 * y / plane.height + 64 * t)
                         : kMiddle);
        }
        break;
    }
  }
  return plane;
}

// Row y of the 3x3 mean, edges repeated. `columns` holds width + 2 sums of three samples.
void blur_row(const Plane16& plane, int y, std::vector<std::uint32_t>& columns,
              std::uint16_t* out) {
  const std::uint16_t* above = plane.row(std::max(y - 1, 0));
  const std::uint16_t* here = plane.row(y);
  const std::uint16_t* below = plane.row(std::min(y + 1, plane.height - 1));
  for (int x = 0; x < plane.width; ++x) {
    columns[static_cast<std::size_t>(x) + 1] = u32(above[x]) + u32(here[x]) + u32(below[x]);
  }
  columns.front() = columns[1];
  columns.back() = columns[columns.size() - 2];
  for (int x = 0; x < plane.width; ++x) {
    const std::uint32_t* c = columns.data() + x;
    // 7282/65536 stands for 1/9; the product of nine full samples needs 33 bits.
    out[x] = static_cast<std::uint16_t>((std::uint64_t{c[0] + c[1] + c[2]} * 7282 + 32768) >> 16);
  }
}

Plane16 blurred(const Plane16& plane) {
  Plane16 result(plane.width, plane.height);
  std::vector<std::uint32_t> columns(static_cast<std::size_t>(plane.width) + 2);
  for (int y = 0; y < plane.height; ++y) blur_row(plane, y, columns, result.row(y));
  return result;
}

void quantise(Plane16& plane, int level) {
  const int q = 8 + level;
  for (std::uint16_t& sample : plane.samples) {
    sample = clamp16(((sample >> q) << q) + (1 << (q - 1)));
  }
}

void add_white_noise(Plane16& plane, std::uint32_t seed, int t, int level, int shift) {
  for (int y = 0; y < plane.height; ++y) {
    std::uint16_t* row = plane.row(y);
    for (int x = 0; x < plane.width; ++x) {
      const auto g =
          static_cast<std::int32_t>(hash(seed, u32(x), u32(y), u32(t)) & 0xFFFFU) - 32768;
      row[x] = clamp16(row[x] + ((g * level) >> shift));
    }
  }
}

void sharpen(Plane16& plane, int level) {
  const Plane16 soft = blurred(plane);
  for (std::size_t i = 0; i < plane.samples.size(); ++i) {
    const std::int32_t sample = plane.samples[i];
    plane.samples[i] = clamp16(sample + (((sample - soft.samples[i]) * level * 64) >> 8));
  }
}

// Pulls every sample towards the mean of its block.
void flatten_block(Plane16& plane, int x0, int y0, int level) {
  const int x1 = std::min(x0 + kBlock, plane.width);
  const int y1 = std::min(y0 + kBlock, plane.height);
  std::int32_t sum = 0;
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) sum += plane.row(y)[x];
  }
  const std::int32_t mean = sum / ((x1 - x0) * (y1 - y0));
  for (int y = y0; y < y1; ++y) {
    std::uint16_t* row = plane.row(y);
    for (int x = x0; x < x1; ++x) row[x] = clamp16(row[x] + (((mean - row[x]) * 48 * level) >> 8));
  }
}

// Luma in steps of an 8-bit level, but for a quarter of its 32x32 blocks, which are dithered.
void make_bands(Plane16& plane, int t) {
  for (int y = 0; y < plane.height; ++y) {
    std::uint16_t* row = plane.row(y);
    for (int x = 0; x < plane.width; ++x) {
      const std::uint32_t dither =
          (7 * u32(x * x) + 13 * u32(y * y) + 5 * u32(x * y) + u32(31 * t)) % 1024;
      const bool is_dithered = ((x >> 5) + (y >> 5)) % 4 == 0;
      row[x] = u16(is_dithered ? row[x] + dither : (row[x] & 0xFF00U) + 128);
    }
  }
}

void distort(Plane16& plane, int p, Distortion distortion, std::uint32_t noise_seed, int t) {
  const int level = 1 + t % 4;
  switch (distortion) {
    case Distortion::none:
      break;
    case Distortion::quant:
      quantise(plane, level);
      break;
    case Distortion::blur:
      plane = blurred(plane);
      break;
    case Distortion::blurnoise:
      plane = blurred(plane);
      add_white_noise(plane, noise_seed, t, level, 6);
      break;
    case Distortion::noise:
      add_white_noise(plane, noise_seed, t, level, 5);
      break;
    case Distortion::sharpen:
      sharpen(plane, level);
      break;
    case Distortion::block:
      for (int y = 0; y < plane.height; y += kBlock) {
        for (int x = 0; x < plane.width; x += kBlock) flatten_block(plane, x, y, level);
      }
      break;
    case Distortion::bands:
      if (p == 0) make_bands(plane, t);
      break;
  }
}

template <class Sample>
void store(const Plane16& plane, int bit_depth, const PlaneView<Sample>& out) {
  const int shift = 16 - bit_depth;
  for (int y = 0; y < plane.height; ++y) {
    const std::uint16_t* from = plane.row(y);
    Sample* to = out.row(y);
    for (int x = 0; x < plane.width; ++x) to[x] = static_cast<Sample>(from[x] >> shift);
  }
}

void store(const Plane16& plane, int p, const PictureBuffer& picture) {
  const int bit_depth = picture.format().bit_depth;
  if (bit_depth == 8) {
    store(plane, bit_depth, picture.plane<std::uint8_t>(p));
  } else {
    store(plane, bit_depth, picture.plane<std::uint16_t>(p));
  }
}

}  // namespace

PicturePair make_frame(const ClipSpec& clip, int index) {
  const Content content = look_up(kContents, clip.content, "content");
  const Distortion distortion = look_up(kDistortions, clip.distortion, "distortion");
  PictureBuffer reference(clip.format);
  PictureBuffer distorted(clip.format);
  for (int p = 0; p < clip.format.plane_count(); ++p) {
    Plane16 plane = reference_plane(clip, content, p, index);
    store(plane, p, reference);
    distort(plane, p, distortion, clip.seed + kDistortionSeedStep + u32(p), index);
    store(plane, p, distorted);
  }
  return {std::move(reference).finish(), std::move(distorted).finish()};
}

}  // namespace hipvmaf::test
