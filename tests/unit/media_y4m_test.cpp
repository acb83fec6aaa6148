#include <array>
#include <gmock/gmock.h>
#include <string>

#include "media/byte_source.hpp"
#include "media/y4m_header.hpp"
#include "media/y4m_reader.hpp"
#include "media_support.hpp"

namespace hipvmaf {
namespace {

using test::error_of;
using testing::HasSubstr;

std::unique_ptr<VideoReader> open_bytes(const std::string& bytes, const LogCallback& log = {}) {
  return open_y4m(make_memory_source("a.y4m", std::as_bytes(std::span(bytes))), log);
}

std::string header_error(const std::string& line) {
  return error_of(ErrorCode::bad_input, [&] { (void)parse_y4m_header(line); });
}

struct Space {
  std::string name;
  ChromaFormat chroma;
  int depth;
};

std::vector<Space> stored_spaces() {
  std::vector<Space> spaces = {
      {"420", ChromaFormat::yuv420, 8},      {"420jpeg", ChromaFormat::yuv420, 8},
      {"420mpeg2", ChromaFormat::yuv420, 8}, {"420paldv", ChromaFormat::yuv420, 8},
      {"422", ChromaFormat::yuv422, 8},      {"444", ChromaFormat::yuv444, 8},
      {"mono", ChromaFormat::yuv400, 8},
  };
  for (int depth = 9; depth <= 16; ++depth) {
    const std::string digits = std::to_string(depth);
    spaces.push_back({"420p" + digits, ChromaFormat::yuv420, depth});
    spaces.push_back({"422p" + digits, ChromaFormat::yuv422, depth});
    spaces.push_back({"444p" + digits, ChromaFormat::yuv444, depth});
    spaces.push_back({"mono" + digits, ChromaFormat::yuv400, depth});
  }
  return spaces;
}

TEST(Y4m, ReadsEveryColourSpaceAsStored) {
  constexpr std::array<std::pair<int, int>, 7> kSizes = {
      {{1, 1}, {2, 1}, {1, 3}, {5, 7}, {16, 16}, {64, 3}, {353, 9}}};
  for (const Space& space : stored_spaces()) {
    for (const auto& [width, height] : kSizes) {
      SCOPED_TRACE(space.name + " " + std::to_string(width) + "x" + std::to_string(height));
      const PictureFormat format{width, height, space.chroma, space.depth};
      const std::string bytes = test::y4m_bytes(format, space.name, 3);
      const auto video = open_bytes(bytes);
      ASSERT_EQ(video->format(), format);
      for (int f = 0; f < 3; ++f) {
        const auto picture = video->read();
        ASSERT_TRUE(picture);
        ASSERT_EQ(test::samples_of(*picture), test::expected_samples(format, f)) << "frame " << f;
      }
      EXPECT_FALSE(video->read());
    }
  }
}

TEST(Y4m, SkipsFramesOfEveryLayout) {
  for (const auto& [name, chroma_width] :
       {std::pair{"420jpeg", 3}, std::pair{"411", 2}, std::pair{"444alpha", 5}}) {
    std::string bytes = test::y4m_header(5, 4, name);
    for (int f = 0; f < 3; ++f) {
      const int chroma_height = std::string_view(name) == "420jpeg" ? 2 : 4;
      bytes += "FRAME Xparameter\n" + test::plane_bytes(8, f, 0, 5, 4);
      bytes += test::plane_bytes(8, f, 1, chroma_width, chroma_height);
      bytes += test::plane_bytes(8, f, 2, chroma_width, chroma_height);
      if (std::string_view(name) == "444alpha") bytes += test::plane_bytes(8, f, 3, 5, 4);
    }
    const auto video = open_bytes(bytes);
    EXPECT_TRUE(video->skip()) << name;
    EXPECT_TRUE(video->skip()) << name;
    const auto picture = video->read();
    ASSERT_TRUE(picture) << name;
    EXPECT_EQ(test::sample_of(*picture, 0, 4, 3), test::sample_at(8, 2, 0, 4, 3)) << name;
    EXPECT_FALSE(video->skip()) << name;
  }
}

TEST(Y4m, DropsAlpha) {
  const PictureFormat format{7, 3, ChromaFormat::yuv444, 8};
  std::string bytes = test::y4m_header(7, 3, "444alpha");
  for (int f = 0; f < 2; ++f) {
    bytes += "FRAME\n" + test::frame_bytes(format, f) + test::plane_bytes(8, f, 3, 7, 3);
  }
  const auto video = open_bytes(bytes);
  EXPECT_EQ(video->format(), format);
  for (int f = 0; f < 2; ++f) {
    EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(format, f));
  }
  EXPECT_FALSE(video->read());
  EXPECT_THAT(error_of(ErrorCode::bad_input,
                       [&] {
                         const std::string cut = bytes.substr(0, bytes.size() - 1);
                         test::count_frames(*open_bytes(cut));
                       }),
              HasSubstr("frame 1 is cut off"));
}

// The filters written out: every tap with its clamped index.
unsigned upsampled_411(const std::vector<int>& row, int x) {
  const int last = static_cast<int>(row.size()) - 1;
  const auto at = [&](int i) { return row[static_cast<std::size_t>(std::clamp(i, 0, last))]; };
  const int i = x / 2;
  const int sum = x % 2 == 0 ? at(i - 1) + 110 * at(i) + 18 * at(i + 1) - at(i + 2)
                             : -3 * at(i - 1) + 50 * at(i) + 86 * at(i + 1) - 5 * at(i + 2);
  return static_cast<unsigned>(std::clamp((sum + 64) >> 7, 0, 255));
}

TEST(Y4m, Upsamples411To422) {
  for (int width = 1; width <= 33; ++width) {
    const int quarter = (width + 3) / 4;
    std::string bytes = test::y4m_header(width, 3, "411") + "FRAME\n";
    bytes += test::plane_bytes(8, 0, 0, width, 3);
    bytes += test::plane_bytes(8, 0, 1, quarter, 3) + test::plane_bytes(8, 0, 2, quarter, 3);
    const auto video = open_bytes(bytes);
    ASSERT_EQ(video->format(), (PictureFormat{width, 3, ChromaFormat::yuv422, 8}));
    const Picture picture = video->read().value();
    for (int p = 1; p < 3; ++p) {
      for (int y = 0; y < 3; ++y) {
        std::vector<int> row;
        for (int x = 0; x < quarter; ++x) {
          row.push_back(static_cast<int>(test::sample_at(8, 0, p, x, y)));
        }
        for (int x = 0; x < picture.format().plane_width(p); ++x) {
          ASSERT_EQ(test::sample_of(picture, p, x, y), upsampled_411(row, x))
              << "width " << width << " plane " << p << " at " << x << "," << y;
        }
      }
    }
  }
}

TEST(Y4mHeader, TakesTagsInAnyOrder) {
  const Y4mHeader header =
      parse_y4m_header("YUV4MPEG2 C422p10 XYSCSS=422P10 H50  W66 XCOLORRANGE=FULL F30000:1001 Ip");
  EXPECT_EQ(header.format, (PictureFormat{66, 50, ChromaFormat::yuv422, 10}));
  EXPECT_EQ(header.interlacing, Interlacing::progressive);
  EXPECT_EQ(header.range, SampleRange::full);
  EXPECT_TRUE(header.version_2);
}

TEST(Y4mHeader, LetsLaterTagsOverride) {
  const Y4mHeader header =
      parse_y4m_header("YUV4MPEG2 W1 H1 F1:1 C444alpha It W20 H10 C420p16 I? C420mpeg2");
  EXPECT_EQ(header.format, (PictureFormat{20, 10, ChromaFormat::yuv420, 8}));
  EXPECT_EQ(header.layout, Y4mLayout::planar);
  EXPECT_EQ(header.interlacing, Interlacing::unknown);
}

TEST(Y4mHeader, DefaultsTo420At8Bit) {
  EXPECT_EQ(parse_y4m_header("YUV4MPEG2 W6 H4 F25:1").format,
            (PictureFormat{6, 4, ChromaFormat::yuv420, 8}));
}

TEST(Y4mHeader, RefusesWhatMakesNoSense) {
  EXPECT_THAT(header_error("YUV4MPE"), HasSubstr("does not begin with YUV4MPEG2"));
  EXPECT_THAT(header_error("YUV4MPEG"), HasSubstr("width (W) is missing"));
  EXPECT_THAT(header_error("YUV4MPEG2 H4 F25:1"), HasSubstr("width (W) is missing"));
  EXPECT_THAT(header_error("YUV4MPEG2 W4 F25:1"), HasSubstr("height (H) is missing"));
  EXPECT_THAT(header_error("YUV4MPEG2 W4 H4"), HasSubstr("frame rate (F) is missing"));
  for (const char* width :
       {"W-5", "W0", "W64abc", "W", "W32769", "W99999999999999999999", "W0x10"}) {
    EXPECT_THAT(header_error(std::string("YUV4MPEG2 ") + width + " H4 F25:1"),
                HasSubstr(std::string("\"") + width + "\" is no width from 1 to 32768"));
  }
  EXPECT_THAT(header_error("YUV4MPEG2 W4 H-1 F25:1"), HasSubstr("\"H-1\" is no height"));
  for (const char* ratio : {"F25", "F25:", "F:1", "Fx:1", "A1", "A"}) {
    EXPECT_THAT(header_error(std::string("YUV4MPEG2 W4 H4 F25:1 ") + ratio),
                HasSubstr("is no ratio of two integers"));
  }
  for (const char* space : {"C420p8", "C420p17", "C420p010", "C420P10", "C410", "C440", "C",
                            "C422jpeg", "Cmono8", "C444alpha10", "C420p10 C42"}) {
    EXPECT_THAT(header_error(std::string("YUV4MPEG2 W4 H4 F25:1 ") + space),
                HasSubstr("unknown chroma sampling type"));
  }
  EXPECT_THAT(header_error(std::string("YUV4MPEG2 W4 H4 F25:1 C\x01\x80\r") + std::string(99, 'x')),
              HasSubstr("type \"???xxxx"));
}

TEST(Y4m, ReadsHeadersOfUpTo4096Bytes) {
  const PictureFormat format{4, 2, ChromaFormat::yuv420, 8};
  const std::string start = "YUV4MPEG2 W4 H2 F25:1 Ip X";
  for (const std::size_t length : {std::size_t{256}, std::size_t{4095}}) {
    const std::string header = start + std::string(length - start.size(), 'c');
    const std::string bytes = header + "\nFRAME\n" + test::frame_bytes(format, 0);
    EXPECT_EQ(test::samples_of(open_bytes(bytes)->read().value()),
              test::expected_samples(format, 0));
  }
  const std::string bytes = start + std::string(4096 - start.size(), 'c') + "\nFRAME\n";
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)open_bytes(bytes); }),
              HasSubstr("a.y4m: the Y4M header is longer than 4096 bytes"));
}

TEST(Y4m, NamesTheFileInHeaderErrors) {
  EXPECT_THAT(
      error_of(ErrorCode::bad_input, [] { (void)open_bytes("YUV4MPEG2 W4 H4 F25:1 C9\n"); }),
      HasSubstr("a.y4m: Y4M header: unknown chroma sampling type \"9\""));
  EXPECT_THAT(error_of(ErrorCode::bad_input, [] { (void)open_bytes("YUV4MPEG2 W4 H4"); }),
              HasSubstr("a.y4m: the file ends within the Y4M header, at byte 15"));
}

TEST(Y4m, WarnsOnceOfInterlacingAndReadsFrames) {
  const PictureFormat format{4, 2, ChromaFormat::yuv420, 8};
  const std::string frames =
      "FRAME\n" + test::frame_bytes(format, 0) + "FRAME\n" + test::frame_bytes(format, 1);
  for (const char* tag : {"It", "Ib", "Im"}) {
    test::Log log;
    const std::string bytes = std::string("YUV4MPEG2 W4 H2 F25:1 ") + tag + "\n" + frames;
    EXPECT_EQ(test::count_frames(*open_bytes(bytes, log.callback())), 2);
    EXPECT_THAT(log.warnings(), testing::ElementsAre(HasSubstr("a.y4m: the video is interlaced")));
  }
  for (const char* tag : {"Ip", "I?", ""}) {
    test::Log log;
    const std::string bytes = std::string("YUV4MPEG2 W4 H2 F25:1 ") + tag + "\n" + frames;
    EXPECT_EQ(test::count_frames(*open_bytes(bytes, log.callback())), 2);
    EXPECT_THAT(log.warnings(), testing::IsEmpty());
  }
}

TEST(Y4m, AcceptsAnotherVersionWithAWarning) {
  test::Log log;
  const PictureFormat format{4, 2, ChromaFormat::yuv420, 8};
  const std::string bytes = "YUV4MPEG3 W4 H2 F25:1 Ip\nFRAME\n" + test::frame_bytes(format, 0);
  EXPECT_EQ(test::count_frames(*open_bytes(bytes, log.callback())), 1);
  EXPECT_THAT(log.warnings(), testing::ElementsAre(HasSubstr("YUV4MPEG2")));
}

TEST(Y4m, LimitsFrameParameters) {
  const PictureFormat format{4, 2, ChromaFormat::yuv420, 8};
  const std::string header = test::y4m_header(4, 2, "420");
  const std::string samples = test::frame_bytes(format, 0);
  const std::string longest = header + "FRAME " + std::string(78, 'p') + "\n" + samples;
  EXPECT_EQ(test::samples_of(open_bytes(longest)->read().value()),
            test::expected_samples(format, 0));
  const std::string longer = header + "FRAME " + std::string(79, 'p') + "\n" + samples;
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)open_bytes(longer)->read(); }),
              HasSubstr("a.y4m: the header of frame 0 at byte"));
}

TEST(Y4m, FindsLossOfFraming) {
  const PictureFormat format{4, 2, ChromaFormat::yuv420, 8};
  const std::string bytes = test::y4m_bytes(format, "420", 1) + "x" + "FRAME\n";
  const auto video = open_bytes(bytes);
  EXPECT_TRUE(video->read());
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)video->read(); }),
              HasSubstr("loss of framing: frame 1 does not begin with FRAME at byte " +
                        std::to_string(bytes.size() - 7)));
}

// Cut at every offset of a file of two frames: whole frames are read, and a cut inside a frame is
// an error that names frame and offset.
TEST(Y4m, CutAtEveryOffset) {
  const PictureFormat format{5, 3, ChromaFormat::yuv420, 10};
  const std::string bytes = test::y4m_bytes(format, "420p10", 2);
  const std::size_t header = test::y4m_header(5, 3, "420p10").size();
  const std::size_t frame = 6 + format.packed_bytes();
  for (std::size_t length = header; length <= bytes.size(); ++length) {
    SCOPED_TRACE(length);
    const std::string cut = bytes.substr(0, length);
    test::Log log;
    const auto reader = open_bytes(cut, log.callback());
    const auto skipper = open_bytes(cut, log.callback());
    const std::size_t whole = (length - header) / frame;
    const std::size_t rest = (length - header) % frame;
    for (std::size_t f = 0; f < whole; ++f) {
      EXPECT_TRUE(reader->read());
      EXPECT_TRUE(skipper->skip());
    }
    if (rest < 6) {
      EXPECT_FALSE(reader->read());
      EXPECT_FALSE(skipper->skip());
      EXPECT_EQ(log.warnings().size(), rest > 0 ? 2U : 0U);
      continue;
    }
    const std::string expected = "a.y4m: frame " + std::to_string(whole) +
                                 " is cut off: the data ends at byte " + std::to_string(length);
    EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)reader->read(); }), expected);
    EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)skipper->skip(); }), expected);
  }
  for (std::size_t length = 0; length < header; ++length) {
    const std::string cut = bytes.substr(0, length);
    error_of(ErrorCode::bad_input, [&] { (void)open_bytes(cut); });
  }
}

TEST(Y4m, RefusesSamplesBeyondTheDepth) {
  PictureFormat format{70, 5, ChromaFormat::yuv420, 10};
  std::string bytes = test::y4m_bytes(format, "420p10", 2);
  // Sample (2, 1) of Cr in frame 1 becomes 1100, which takes 11 bits.
  const std::size_t at = bytes.size() - format.packed_bytes() + 2 * (70 * 5 + 35 * 3 + 35 * 1 + 2);
  bytes[at] = static_cast<char>(1100 & 0xFF);
  bytes[at + 1] = static_cast<char>(1100 >> 8);
  const auto video = open_bytes(bytes);
  EXPECT_TRUE(video->read());
  const std::string message = error_of(ErrorCode::bad_input, [&] { (void)video->read(); });
  EXPECT_THAT(message, HasSubstr("a.y4m: frame 1: the Cr plane has a sample of 1100"));
  EXPECT_THAT(message, HasSubstr("10 bit samples end at 1023"));
  EXPECT_THAT(message, HasSubstr("MSB-aligned"));
}

}  // namespace
}  // namespace hipvmaf
