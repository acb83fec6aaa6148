// What the tests of the video readers share: a folder of their own, tiny videos, logs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/log.hpp>
#include <hipvmaf/picture.hpp>

#include "media/video_reader.hpp"

namespace hipvmaf::test {

/// A folder that is removed at the end.
class TempDir {
 public:
  TempDir() {
    std::random_device random;
    do {
      path_ = std::filesystem::temp_directory_path() / ("hipvmaf_test_" + std::to_string(random()));
    } while (!std::filesystem::create_directory(path_));
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream file(path(name), std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

/// Keeps the messages.
struct Log {
  std::vector<std::pair<LogLevel, std::string>> entries;

  [[nodiscard]] LogCallback callback() {
    return [this](LogLevel level, std::string_view text) { entries.emplace_back(level, text); };
  }
  [[nodiscard]] std::vector<std::string> at(LogLevel level) const {
    std::vector<std::string> texts;
    for (const auto& [entry_level, text] : entries) {
      if (entry_level == level) texts.push_back(text);
    }
    return texts;
  }
  [[nodiscard]] std::vector<std::string> warnings() const { return at(LogLevel::warning); }
};

/// The value of a sample of the test videos: all differ from their neighbours and fit the depth.
inline unsigned sample_at(int depth, int frame, int plane, int x, int y) {
  const unsigned mixed = static_cast<unsigned>(frame) * 7919U +
                         static_cast<unsigned>(plane) * 1543U + static_cast<unsigned>(y) * 211U +
                         static_cast<unsigned>(x) * 37U + 5U;
  return (mixed * 2654435761U >> 12) & ((1U << depth) - 1U);
}

inline void append_sample(std::string& bytes, int depth, unsigned value) {
  bytes += static_cast<char>(value & 0xFFU);
  if (depth > 8) bytes += static_cast<char>(value >> 8);
}

inline std::string plane_bytes(int depth, int frame, int plane, int width, int height) {
  std::string bytes;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      append_sample(bytes, depth, sample_at(depth, frame, plane, x, y));
  }
  return bytes;
}

/// The planes of a frame back to back.
inline std::string frame_bytes(const PictureFormat& format, int frame) {
  std::string bytes;
  for (int p = 0; p < format.plane_count(); ++p) {
    bytes += plane_bytes(format.bit_depth, frame, p, format.plane_width(p), format.plane_height(p));
  }
  return bytes;
}

inline std::string y4m_header(int width, int height, const std::string& colour_space) {
  return "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) +
         " F25:1 Ip A1:1 C" + colour_space + "\n";
}

/// A Y4M file whose colour space stores pictures of `format` as they are.
inline std::string y4m_bytes(const PictureFormat& format, const std::string& colour_space,
                             int frames) {
  std::string bytes = y4m_header(format.width, format.height, colour_space);
  for (int f = 0; f < frames; ++f) bytes += "FRAME\n" + frame_bytes(format, f);
  return bytes;
}

inline unsigned sample_of(const Picture& picture, int plane, int x, int y) {
  return picture.format().bytes_per_sample() == 1
             ? unsigned{picture.plane<std::uint8_t>(plane).row(y)[x]}
             : unsigned{picture.plane<std::uint16_t>(plane).row(y)[x]};
}

/// The samples of a picture, planes back to back.
inline std::vector<unsigned> samples_of(const Picture& picture) {
  std::vector<unsigned> samples;
  for (int p = 0; p < picture.format().plane_count(); ++p) {
    for (int y = 0; y < picture.format().plane_height(p); ++y) {
      for (int x = 0; x < picture.format().plane_width(p); ++x) {
        samples.push_back(sample_of(picture, p, x, y));
      }
    }
  }
  return samples;
}

/// The samples that frame `frame` of the test videos has.
inline std::vector<unsigned> expected_samples(const PictureFormat& format, int frame) {
  std::vector<unsigned> samples;
  for (int p = 0; p < format.plane_count(); ++p) {
    for (int y = 0; y < format.plane_height(p); ++y) {
      for (int x = 0; x < format.plane_width(p); ++x) {
        samples.push_back(sample_at(format.bit_depth, frame, p, x, y));
      }
    }
  }
  return samples;
}

inline int count_frames(VideoReader& video) {
  int frames = 0;
  while (video.read()) ++frames;
  return frames;
}

/// The text of the Error of that code that `call` throws; fails the test if it does not.
template <class Call>
std::string error_of(ErrorCode code, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

}  // namespace hipvmaf::test
