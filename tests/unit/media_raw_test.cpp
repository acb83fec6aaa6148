#include <array>
#include <filesystem>
#include <gmock/gmock.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "media/byte_source.hpp"
#include "media/raw_reader.hpp"
#include "media_support.hpp"

namespace hipvmaf {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr PictureFormat kSmall{6, 4, ChromaFormat::yuv420, 8};

std::string raw_bytes(const PictureFormat& format, int frames) {
  std::string bytes;
  for (int f = 0; f < frames; ++f) bytes += test::frame_bytes(format, f);
  return bytes;
}

std::unique_ptr<VideoReader> open_raw_file(const std::string& path, const PictureFormat& format,
                                           test::Log* log = nullptr) {
  OpenOptions options;
  options.raw_format = format;
  if (log != nullptr) options.log = log->callback();
  return open_video(path, options);
}

TEST(Raw, ReadsEveryFormatAndOddSizes) {
  const test::TempDir dir;
  for (const ChromaFormat chroma :
       {ChromaFormat::yuv400, ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444}) {
    for (int depth = 8; depth <= 16; ++depth) {
      for (const auto& [width, height] : {std::pair{1, 1}, std::pair{7, 5}, std::pair{64, 6}}) {
        const PictureFormat format{width, height, chroma, depth};
        SCOPED_TRACE(format.describe());
        test::Log log;
        const std::string path = dir.write("a.yuv", raw_bytes(format, 3));
        const auto video = open_raw_file(path, format, &log);
        EXPECT_EQ(video->format(), format);
        EXPECT_EQ(video->name(), path);
        for (int f = 0; f < 3; ++f) {
          ASSERT_EQ(test::samples_of(video->read().value()), test::expected_samples(format, f));
        }
        EXPECT_FALSE(video->read());
        EXPECT_THAT(log.warnings(), IsEmpty());
      }
    }
  }
}

// Larger than every buffer in between, with rows that are and are not contiguous in memory.
TEST(Raw, ReadsLargePictures) {
  const test::TempDir dir;
  for (const int width : {1024, 1001}) {
    const PictureFormat format{width, 300, ChromaFormat::yuv420, 12};
    const std::string path = dir.write("a.yuv", raw_bytes(format, 2));
    const auto video = open_raw_file(path, format);
    for (int f = 0; f < 2; ++f) {
      ASSERT_EQ(test::samples_of(video->read().value()), test::expected_samples(format, f));
    }
    EXPECT_FALSE(video->read());
  }
}

TEST(Raw, PicturesStayValid) {
  const test::TempDir dir;
  auto video = open_raw_file(dir.write("a.yuv", raw_bytes(kSmall, 2)), kSmall);
  const Picture first = video->read().value();
  const Picture second = video->read().value();
  video.reset();
  EXPECT_EQ(test::samples_of(first), test::expected_samples(kSmall, 0));
  EXPECT_EQ(test::samples_of(second), test::expected_samples(kSmall, 1));
}

TEST(Raw, WholeFramesOfAFileOfTheWrongLengthAreRead) {
  const test::TempDir dir;
  const std::string path = dir.write("a.yuv", raw_bytes(kSmall, 2) + "12345");
  for (const bool skip : {false, true}) {
    const auto video = open_raw_file(path, kSmall);
    EXPECT_TRUE(video->read());
    EXPECT_TRUE(video->read());
    const std::string message = error_of(ErrorCode::bad_input, [&] {
      if (skip) {
        (void)video->skip();
      } else {
        (void)video->read();
      }
    });
    EXPECT_THAT(message, HasSubstr(path + ": frame 2 is cut off"));
    EXPECT_THAT(message, HasSubstr("36 bytes begin at byte 72 of 77"));
    EXPECT_THAT(message, HasSubstr("6x4 4:2:0 8 bit"));
    EXPECT_THAT(message, HasSubstr("--width"));
  }
}

TEST(Raw, WarnsOfChromaRoundedDown) {
  const test::TempDir dir;
  const PictureFormat odd{7, 5, ChromaFormat::yuv420, 8};
  // 7x5 and twice 3x2 samples a frame.
  const std::string path = dir.write("a.yuv", std::string(3 * (35 + 6 + 6), 'x'));
  test::Log log;
  const auto video = open_raw_file(path, odd, &log);
  EXPECT_THAT(log.warnings(), ElementsAre(HasSubstr("rounded down (47 bytes each)")));
  // 4:4:4 has no chroma that could be rounded.
  test::Log other;
  (void)open_raw_file(path, {7, 5, ChromaFormat::yuv444, 8}, &other);
  EXPECT_THAT(other.warnings(), IsEmpty());
}

TEST(Raw, RefusesContainers) {
  const test::TempDir dir;
  std::string transport(188 * 6, '\xFF');
  for (std::size_t at = 0; at < transport.size(); at += 188)
    transport.replace(at, 4, "\x47\x01\x11\x10");
  const std::array<std::pair<std::string, const char*>, 6> files = {{
      {std::string("\0\0\0\x20"
                   "ftypisom",
                   12),
       "this is an MP4 file"},
      {"\x1A\x45\xDF\xA3", "this is a Matroska or WebM file"},
      {std::string("RIFF\0\0\0\0AVI LIST", 16), "this is an AVI file"},
      {"DKIF", "this is an IVF file"},
      {transport, "this is an MPEG transport stream"},
      {"YUV4MPEG2 W6 H4 F25:1\n", "this is a Y4M file"},
  }};
  for (const auto& [start, what] : files) {
    const std::string path = dir.write("a.yuv", start + std::string(2000, 'x'));
    EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)open_raw_file(path, kSmall); }),
                testing::AllOf(HasSubstr(what), HasSubstr("leave out --width")));
  }
}

TEST(Raw, TakesGreyPicturesThatLookLikeSyncBytes) {
  const test::TempDir dir;
  const std::string path = dir.write("a.yuv", std::string(36 * 40, '\x47'));
  EXPECT_EQ(test::count_frames(*open_raw_file(path, kSmall)), 40);
}

TEST(Raw, RefusesSamplesBeyondTheDepth) {
  const test::TempDir dir;
  PictureFormat format = kSmall;
  format.bit_depth = 16;
  const std::string path = dir.write("a.yuv", std::string(format.packed_bytes(), '\x04'));
  format.bit_depth = 10;
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)open_raw_file(path, format)->read(); }),
              HasSubstr(path + ": frame 0: the luma plane has a sample of 1028"));
  format.bit_depth = 11;
  EXPECT_TRUE(open_raw_file(path, format)->read());
}

TEST(Raw, RefusesFormatsOutOfRange) {
  const test::TempDir dir;
  const std::string path = dir.write("a.yuv", "x");
  for (const PictureFormat& format : {PictureFormat{0, 4, ChromaFormat::yuv420, 8},
                                      PictureFormat{6, 40000, ChromaFormat::yuv420, 8},
                                      PictureFormat{6, 4, ChromaFormat::yuv420, 17}}) {
    error_of(ErrorCode::unsupported_format, [&] { (void)open_raw_file(path, format); });
  }
}

TEST(OpenVideo, SaysWhyAFileCannotBeOpened) {
  const test::TempDir dir;
  EXPECT_THAT(error_of(ErrorCode::io, [&] { (void)open_video(dir.path("none.y4m"), {}); }),
              testing::AllOf(HasSubstr("could not open file: " + dir.path("none.y4m")),
                             HasSubstr("No such file")));
  EXPECT_THAT(error_of(ErrorCode::io, [&] { (void)open_video(dir.path(""), {}); }),
              HasSubstr("it is a directory"));
  const std::string empty = dir.write("empty.y4m", "");
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)open_video(empty, {}); }),
            empty + " is empty");
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)open_raw_file(empty, kSmall); }),
            empty + " is empty");
  const std::string raw = dir.write("clip.yuv", raw_bytes(kSmall, 1));
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)open_video(raw, {}); }),
              HasSubstr("raw YUV needs --width"));
}

TEST(OpenVideo, TellsY4mByItsMagic) {
  const test::TempDir dir;
  const std::string path = dir.write("named.mp4", test::y4m_bytes(kSmall, "420", 2));
  const auto video = open_video(path, {});
  EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(kSmall, 0));
}

TEST(OpenVideo, ReadsAFifoThatIsFilledInSmallPieces) {
  const test::TempDir dir;
  const std::string path = dir.path("fifo.y4m");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const PictureFormat format{130, 70, ChromaFormat::yuv422, 10};
  const std::string bytes = test::y4m_bytes(format, "422p10", 3);
  std::thread writer([&] {
    std::ofstream fifo(path, std::ios::binary);
    for (std::size_t at = 0; at < bytes.size(); at += 777) {
      fifo << std::string_view(bytes).substr(at, 777) << std::flush;
    }
  });
  const auto video = open_video(path, {});
  EXPECT_TRUE(video->skip());
  EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(format, 1));
  EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(format, 2));
  EXPECT_FALSE(video->read());
  EXPECT_FALSE(video->skips_by_seeking());
  writer.join();
}

/// A pipe as a file name.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    finish();
    ::close(ends_[0]);
  }
  [[nodiscard]] std::string path() const { return "/dev/fd/" + std::to_string(ends_[0]); }
  [[nodiscard]] int read_end() const { return ends_[0]; }
  void write(const std::string& bytes) const {
    EXPECT_EQ(::write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void finish() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

TEST(OpenVideo, HandsOnAFrameBeforeTheNextIsWritten) {
  Pipe pipe;
  pipe.write(test::y4m_bytes(kSmall, "420", 1));
  const auto video = open_video(pipe.path(), {});
  EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(kSmall, 0));
  pipe.write("FRAME\n" + test::frame_bytes(kSmall, 1));
  EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(kSmall, 1));
  pipe.finish();
  EXPECT_FALSE(video->read());
}

TEST(OpenVideo, ReadsRawVideoFromAPipe) {
  Pipe pipe;
  pipe.write(raw_bytes(kSmall, 2) + "rest");
  pipe.finish();
  const auto video = open_raw_file(pipe.path(), kSmall);
  EXPECT_TRUE(video->skip());
  EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(kSmall, 1));
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)video->read(); }),
            pipe.path() + ": frame 2 is cut off: the data ends at byte 76");
}

TEST(OpenVideo, CallsAnEmptyPipeEmpty) {
  Pipe pipe;
  pipe.finish();
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)open_video(pipe.path(), {}); }),
            pipe.path() + " is empty");
}

TEST(OpenVideo, ReadsStandardInput) {
  Pipe pipe;
  pipe.write(test::y4m_bytes(kSmall, "420", 1) + "FRAME\n");
  pipe.finish();
  const int saved = ::dup(STDIN_FILENO);
  ASSERT_EQ(::dup2(pipe.read_end(), STDIN_FILENO), STDIN_FILENO);
  {
    const auto video = open_video("-", {});
    EXPECT_EQ(video->name(), "-");
    EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(kSmall, 0));
    EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)video->read(); }),
                HasSubstr("standard input: frame 1 is cut off"));
  }
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

TEST(Raw, ReadsBeyond4GiB) {
  const test::TempDir dir;
  const PictureFormat format{4096, 4096, ChromaFormat::yuv444, 16};  // 96 MiB a frame
  const std::string path = dir.write("large.yuv", "x");
  constexpr int kFrames = 60;
  const std::uintmax_t length = format.packed_bytes() * kFrames;
  static_assert(sizeof(off_t) == 8);
  ASSERT_GT(length, std::uintmax_t{5} << 30);
  std::filesystem::resize_file(path, length);  // a hole but for the first and the last bytes
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-2, std::ios::end);
    file.write("\x34\x12", 2);
  }
  const auto video = open_raw_file(path, format);
  for (int f = 0; f < kFrames - 1; ++f) ASSERT_TRUE(video->skip());
  const Picture last = video->read().value();
  EXPECT_EQ(test::sample_of(last, 0, 0, 0), 0U);
  EXPECT_EQ(test::sample_of(last, 2, 4095, 4095), 0x1234U);
  EXPECT_FALSE(video->read());
}

}  // namespace
}  // namespace hipvmaf
