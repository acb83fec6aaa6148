extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <thread>

#include "media/ffmpeg_formats.hpp"
#include "media/ffmpeg_frames.hpp"
#include "media/pair_reader.hpp"
#include "media_encode.hpp"
#include "media_ffmpeg_support.hpp"
#include "media_support.hpp"

namespace hipvmaf {
namespace {

using test::EncodeSpec;
using test::error_of;
using test::FfmpegVideo;
using test::fill_components;
using test::spec_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(FfmpegVideo, ReadsPlanarVideoAsItIs) {
  for (const ChromaFormat chroma :
       {ChromaFormat::yuv400, ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444}) {
    for (const int depth : {8, 10, 12, 16}) {
      const PictureFormat format{37, 21, chroma, depth};
      SCOPED_TRACE(format.describe());
      expect_samples(*open(lossless("a.mkv", format, 4)), format, 4);
    }
  }
  EXPECT_THAT(log_.warnings(), IsEmpty());
}

TEST_F(FfmpegVideo, PicturesOutliveTheReader) {
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  auto video = open(lossless("a.mkv", format, 3));
  std::vector<Picture> pictures;
  while (auto picture = video->read()) pictures.push_back(std::move(*picture));
  video.reset();
  ASSERT_EQ(pictures.size(), 3U);
  for (int f = 0; f < 3; ++f) {
    EXPECT_EQ(test::samples_of(pictures[static_cast<std::size_t>(f)]),
              test::expected_samples(format, f));
  }
}

TEST_F(FfmpegVideo, ExpectsWhatTheContainerTells) {
  const PictureFormat format{32, 16, ChromaFormat::yuv420, 8};
  for (const char* name : {"a.mkv", "a.mp4", "a.avi"}) {
    const auto video = open(encoded(name, format, AV_CODEC_ID_MPEG4, AV_PIX_FMT_YUV420P, 25));
    EXPECT_EQ(video->expected_frames(), 25) << name;
  }
}

TEST_F(FfmpegVideo, SkipsFrames) {
  const PictureFormat format{20, 10, ChromaFormat::yuv422, 10};
  const auto video = open(lossless("a.mkv", format, 3));
  EXPECT_TRUE(video->skip());
  EXPECT_TRUE(video->skip());
  EXPECT_EQ(test::samples_of(video->read().value()), test::expected_samples(format, 2));
  EXPECT_FALSE(video->skip());
}

struct Layout {
  AVPixelFormat pixel_format;
  ChromaFormat chroma;
  int depth;
  bool full_range = false;
};

TEST(FramePictures, UnpackOtherLayoutsWithoutChangingValues) {
  constexpr std::array kLayouts = {
      Layout{AV_PIX_FMT_NV12, ChromaFormat::yuv420, 8},
      Layout{AV_PIX_FMT_NV21, ChromaFormat::yuv420, 8},
      Layout{AV_PIX_FMT_NV16, ChromaFormat::yuv422, 8},
      Layout{AV_PIX_FMT_NV24, ChromaFormat::yuv444, 8},
      Layout{AV_PIX_FMT_P010LE, ChromaFormat::yuv420, 10},
      Layout{AV_PIX_FMT_P016LE, ChromaFormat::yuv420, 16},
      Layout{AV_PIX_FMT_P210LE, ChromaFormat::yuv422, 10},
      Layout{AV_PIX_FMT_P416LE, ChromaFormat::yuv444, 16},
      Layout{AV_PIX_FMT_YUYV422, ChromaFormat::yuv422, 8},
      Layout{AV_PIX_FMT_UYVY422, ChromaFormat::yuv422, 8},
      Layout{AV_PIX_FMT_YUV420P10BE, ChromaFormat::yuv420, 10},
      Layout{AV_PIX_FMT_YUV444P16BE, ChromaFormat::yuv444, 16},
      Layout{AV_PIX_FMT_GRAY12BE, ChromaFormat::yuv400, 12},
      Layout{AV_PIX_FMT_YA8, ChromaFormat::yuv400, 8},
      Layout{AV_PIX_FMT_YUVA420P, ChromaFormat::yuv420, 8},
      Layout{AV_PIX_FMT_YUVJ422P, ChromaFormat::yuv422, 8, true},
      Layout{AV_PIX_FMT_NV12, ChromaFormat::yuv420, 8, true},
      Layout{AV_PIX_FMT_P010LE, ChromaFormat::yuv420, 10, true},
      Layout{AV_PIX_FMT_YUYV422, ChromaFormat::yuv422, 8, true},
  };
  for (const Layout& layout : kLayouts) {
    for (const auto& [width, height] : {std::pair{46, 18}, std::pair{33, 17}, std::pair{200, 64}}) {
      const PictureFormat format{width, height, layout.chroma, layout.depth};
      SCOPED_TRACE(std::string(pixel_format_name(layout.pixel_format)) + " " + format.describe());
      const auto frame = test::make_frame(layout.pixel_format, width, height);
      if (layout.full_range) frame->color_range = AVCOL_RANGE_JPEG;
      fill_components(*frame, 0, format);
      FramePictures pictures(*frame);
      EXPECT_EQ(pictures.format(), format);
      EXPECT_EQ(pictures.range(), layout.full_range ? SampleRange::full : SampleRange::unknown);
      EXPECT_EQ(test::samples_of(pictures.take(*frame)), test::expected_samples(format, 0));
    }
  }
}

TEST(FramePictures, ReadFramesFromTheBottomUp) {
  const PictureFormat format{20, 9, ChromaFormat::yuv420, 8};
  const auto frame = test::make_frame(AV_PIX_FMT_YUV420P, 20, 9);
  for (int p = 0; p < 3; ++p) {
    frame->data[p] += std::ptrdiff_t{format.plane_height(p) - 1} * frame->linesize[p];
    frame->linesize[p] = -frame->linesize[p];
  }
  fill_components(*frame, 0, format);
  EXPECT_EQ(test::samples_of(FramePictures(*frame).take(*frame)),
            test::expected_samples(format, 0));
}

TEST(FramePictures, RefuseHardwareSurfaces) {
  const auto frame = test::make_frame(AV_PIX_FMT_YUV420P, 16, 16);
  frame->format = AV_PIX_FMT_VAAPI;
  EXPECT_THAT(error_of(ErrorCode::unsupported_format, [&] { FramePictures pictures(*frame); }),
              HasSubstr("vaapi"));
}

TEST_F(FfmpegVideo, KeepsFullRangeValuesAndTellsTheRange) {
  const PictureFormat format{32, 18, ChromaFormat::yuv420, 8};
  const auto jpeg = open(
      encoded("jpeg.mkv", format, AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, 1, AVCOL_RANGE_JPEG));
  EXPECT_EQ(jpeg->range(), SampleRange::full);
  EXPECT_THAT(log_.at(LogLevel::info), testing::Contains(HasSubstr("full range")));
  const auto full =
      open(encoded("full.mkv", format, AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, 1, AVCOL_RANGE_JPEG));
  EXPECT_EQ(full->range(), SampleRange::full);
  expect_samples(*full, format, 1);
  const auto limited = open(
      encoded("limited.mkv", format, AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, 1, AVCOL_RANGE_MPEG));
  EXPECT_EQ(limited->range(), SampleRange::limited);
  EXPECT_EQ(open(lossless("unknown.mkv", format, 1))->range(), SampleRange::unknown);
}

TEST_F(FfmpegVideo, UnpacksNv12) {
  const PictureFormat format{46, 18, ChromaFormat::yuv420, 8};
  expect_samples(*open(encoded("a.nut", format, AV_CODEC_ID_RAWVIDEO, AV_PIX_FMT_NV12, 3)), format,
                 3);
}

TEST_F(FfmpegVideo, ReadsAnImageSequenceOfRgb) {
  EncodeSpec spec =
      spec_of({24, 16, ChromaFormat::yuv444, 8}, AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24, 3);
  test::encode(dir_.path("img%03d.png"), spec, [](AVFrame& frame, int f) {
    for (int y = 0; y < 16; ++y) {
      std::fill_n(frame.data[0] + std::ptrdiff_t{y} * frame.linesize[0], 24 * 3,
                  static_cast<std::uint8_t>(f == 1 ? 255 : 0));
    }
  });
  const auto video = open(dir_.path("img%03d.png"));
  ASSERT_EQ(video->format(), (PictureFormat{24, 16, ChromaFormat::yuv444, 8}));
  EXPECT_EQ(video->range(), SampleRange::limited);
  for (const unsigned luma : {16U, 235U, 16U}) {
    const Picture picture = video->read().value();
    EXPECT_EQ(test::sample_of(picture, 0, 23, 15), luma);
    EXPECT_EQ(test::sample_of(picture, 1, 0, 0), 128U);
    EXPECT_EQ(test::sample_of(picture, 2, 12, 7), 128U);
  }
  EXPECT_FALSE(video->read());
  // One image is a video of one frame.
  EXPECT_EQ(test::count_frames(*open(dir_.path("img002.png"))), 1);
}

TEST_F(FfmpegVideo, TakesAColonInAFileName) {
  const PictureFormat format{16, 16, ChromaFormat::yuv420, 8};
  const std::string path = lossless("plain.mkv", format, 2);
  std::filesystem::rename(path, dir_.path("a:b %d.mkv"));
  EXPECT_EQ(test::count_frames(*open(dir_.path("a:b %d.mkv"))), 2);
}

TEST_F(FfmpegVideo, ReadsAPipe) {
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  const std::string path = lossless("a.mkv", format, 5);
  const std::string fifo = dir_.path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ifstream from(path, std::ios::binary);
    std::ofstream to(fifo, std::ios::binary);
    to << from.rdbuf();
  });
  const auto video = open(fifo);
  expect_samples(*video, format, 5);
  writer.join();
}

TEST_F(FfmpegVideo, RefusesWhatIsNoVideo) {
  const std::string text = dir_.write("notes.txt", "This is no video at all.\n");
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)open(text); }), HasSubstr(text));
  const std::string noise = dir_.write("noise.mp4", std::string(5000, '\x5A'));
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)open(noise); }),
              HasSubstr(noise + ": neither Y4M nor whole video that FFmpeg can open"));
}

TEST_F(FfmpegVideo, NamesTheFrameWhereTheFormatChanges) {
  const PictureFormat narrow{32, 16, ChromaFormat::yuv400, 8};
  const PictureFormat wide{48, 16, ChromaFormat::yuv400, 8};
  encoded("img%d.png", narrow, AV_CODEC_ID_PNG, AV_PIX_FMT_GRAY8, 2);
  encoded("other%d.png", wide, AV_CODEC_ID_PNG, AV_PIX_FMT_GRAY8, 1);
  std::filesystem::rename(dir_.path("other1.png"), dir_.path("img3.png"));
  const auto video = open(dir_.path("img%d.png"));
  EXPECT_TRUE(video->read());
  EXPECT_TRUE(video->read());
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)video->read(); }),
              HasSubstr("img%d.png: frame 2 is 48x16 gray"));
}

/// Overwrites some bytes in the middle of a file.
void damage(const std::string& path, double where) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(
      static_cast<std::streamoff>(where * static_cast<double>(std::filesystem::file_size(path))));
  file << std::string(40, '\x5A');
}

TEST_F(FfmpegVideo, RefusesDamagedFrames) {
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  const std::string path = encoded("a.mkv", format, AV_CODEC_ID_MPEG4, AV_PIX_FMT_YUV420P, 10);
  damage(path, 0.55);
  const auto video = open(path);
  int frames = 0;
  const std::string message = error_of(ErrorCode::bad_input, [&] {
    while (video->read()) ++frames;
  });
  EXPECT_GT(frames, 0);
  EXPECT_LT(frames, 10);
  EXPECT_THAT(message, HasSubstr(path + ": frame " + std::to_string(frames)));
}

TEST_F(FfmpegVideo, RefusesAFileThatIsCutOff) {
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  for (const char* name : {"a.nut", "a.mkv", "a.avi"}) {
    SCOPED_TRACE(name);
    const std::string path = encoded(name, format, AV_CODEC_ID_MPEG4, AV_PIX_FMT_YUV420P, 20);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    const auto video = open(path);
    int frames = 0;
    error_of(ErrorCode::bad_input, [&] {
      while (video->read()) ++frames;
    });
    EXPECT_GT(frames, 2);
    EXPECT_LT(frames, 12);
  }
}

// Frames are stored out of order: one shown after a lost one is not delivered in its place.
// A decoder that reorders hands out what it has when packets are missing: a later frame in an
// earlier one's place.
TEST_F(FfmpegVideo, NoFrameComesInAnothersPlaceUnnoticed) {
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  for (const char* name : {"whole.nut", "whole.avi", "whole.ts"}) {
    const std::string whole = encoded(name, format, AV_CODEC_ID_MPEG2VIDEO, AV_PIX_FMT_YUV420P, 9,
                                      AVCOL_RANGE_UNSPECIFIED, 2);
    log_.entries.clear();
    std::vector<std::vector<unsigned>> wanted;
    const auto reader = open(whole);
    while (const auto picture = reader->read()) wanted.push_back(test::samples_of(*picture));
    ASSERT_EQ(wanted.size(), 9U);
    EXPECT_THAT(log_.warnings(), IsEmpty());

    const std::string cut = dir_.path(std::string("cut_") + name);
    int misplaced = 0;
    for (const std::int64_t packet : test::packet_positions(whole)) {
      for (const int beyond : {-1, 0, 1, 8, 1000}) {
        const std::int64_t size = packet + beyond;
        std::filesystem::copy_file(whole, cut, std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(cut, static_cast<std::uintmax_t>(size));
        log_.entries.clear();
        bool is_refused = false;
        bool is_in_place = true;
        try {
          const auto video = open(cut);
          std::ptrdiff_t frame = 0;
          while (const auto picture = video->read()) {
            const auto at = std::ranges::find(wanted, test::samples_of(*picture)) - wanted.begin();
            is_in_place = is_in_place && (at == std::ssize(wanted) || at == frame);
            ++frame;
          }
        } catch (const Error&) {
          is_refused = true;
        }
        EXPECT_TRUE(is_in_place || is_refused || !log_.warnings().empty())
            << name << " cut at " << size;
        if (!is_in_place) ++misplaced;
      }
    }
    EXPECT_GT(misplaced, 0) << "no cut of " << name << " tests anything";
  }
}

TEST_F(FfmpegVideo, DeliversTheFramesBeforeTheCut) {
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  const std::string path = encoded("a.mkv", format, AV_CODEC_ID_MPEG4, AV_PIX_FMT_YUV420P, 12,
                                   AVCOL_RANGE_UNSPECIFIED, 2);
  std::vector<std::vector<unsigned>> frames;
  for (const auto whole = open(path); auto picture = whole->read();) {
    frames.push_back(test::samples_of(*picture));
  }
  ASSERT_EQ(frames.size(), 12U);
  for (auto size = std::filesystem::file_size(path) * 9 / 10; size > 3000; size -= 97) {
    std::filesystem::resize_file(path, size);
    SCOPED_TRACE(size);
    error_of(ErrorCode::bad_input, [&] {
      const auto video = open(path);
      for (const auto& frame : frames) ASSERT_EQ(test::samples_of(video->read().value()), frame);
    });
  }
}

TEST_F(FfmpegVideo, FfmpegPrintsNothing) {
  testing::internal::CaptureStderr();
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  const std::string path = encoded("a.mkv", format, AV_CODEC_ID_MPEG4, AV_PIX_FMT_YUV420P, 10);
  damage(path, 0.5);
  log_.entries.clear();
  error_of(ErrorCode::bad_input, [&] { (void)test::count_frames(*open(path)); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(log_.warnings(), testing::Contains(HasSubstr(path)));
}

// ---- conversions that take libswscale

class Scaling : public FfmpegVideo {
 protected:
  PairOptions pair_of(const PictureFormat& reference, const PictureFormat& distorted) {
    PairOptions options;
    options.reference = lossless("ref.mkv", reference, 1);
    options.distorted = lossless("dis.mkv", distorted, 1);
    options.open.log = log_.callback();
    return options;
  }
};

TEST_F(Scaling, ScalesTheDistortedVideo) {
  const PictureFormat reference{96, 64, ChromaFormat::yuv420, 8};
  PairOptions options = pair_of(reference, {48, 32, ChromaFormat::yuv420, 8});
  EXPECT_THAT(error_of(ErrorCode::mismatch, [&] { (void)open_pair(options); }),
              HasSubstr("dimensions do not match: 96x64, 48x32 (--scale"));
  std::vector<std::vector<unsigned>> results;
  for (const Scaler scaler : {Scaler::bicubic, Scaler::lanczos, Scaler::bilinear}) {
    options.scale = scaler;
    const auto reader = open_pair(options);
    EXPECT_EQ(reader->format(), reference);
    const auto pair = reader->next().value();
    EXPECT_EQ(test::samples_of(pair.reference), test::expected_samples(reference, 0));
    EXPECT_EQ(pair.distorted.format(), reference);
    results.push_back(test::samples_of(pair.distorted));
    EXPECT_EQ(test::samples_of(open_pair(options)->next()->distorted), results.back());
  }
  EXPECT_NE(results[0], results[1]);
  EXPECT_NE(results[0], results[2]);
  EXPECT_NE(results[1], results[2]);
}

TEST_F(Scaling, FlatPicturesStayFlat) {
  for (const int depth : {8, 9, 10, 11, 13, 16}) {
    const PictureFormat small{10, 6, ChromaFormat::yuv444, depth};
    const PictureFormat large{33, 21, ChromaFormat::yuv444, depth};
    SCOPED_TRACE(depth);
    const unsigned value = 77U << (depth - 8);
    std::string samples;
    for (int i = 0; i < 10 * 6 * 3; ++i) test::append_sample(samples, depth, value);
    const std::string space = depth == 8 ? "444" : "444p" + std::to_string(depth);
    PairOptions options;
    options.reference = dir_.write("ref.y4m", test::y4m_bytes(large, space, 1));
    options.distorted = dir_.write("dis.y4m", test::y4m_header(10, 6, space) + "FRAME\n" + samples);
    options.scale = Scaler::lanczos;
    EXPECT_EQ(small.packed_bytes(), samples.size());
    const auto pair = open_pair(options)->next().value();
    EXPECT_THAT(test::samples_of(pair.distorted), testing::Each(value));
  }
}

TEST_F(Scaling, ConvertsChromaAndLeavesLumaAlone) {
  const PictureFormat full{34, 18, ChromaFormat::yuv444, 8};
  const PictureFormat halved{34, 18, ChromaFormat::yuv420, 10};
  PairOptions options = pair_of(full, halved);
  options.convert = ConvertSide::distorted;
  auto reader = open_pair(options);
  EXPECT_EQ(reader->format(), full);
  auto pair = reader->next().value();
  for (int y = 0; y < 18; ++y) {
    for (int x = 0; x < 34; ++x) {
      ASSERT_EQ(test::sample_of(pair.distorted, 0, x, y),
                std::min((test::sample_at(10, 0, 0, x, y) + 2) >> 2, 255U));
    }
  }
  options.convert = ConvertSide::reference;
  reader = open_pair(options);
  EXPECT_EQ(reader->format(), halved);
  pair = reader->next().value();
  for (int y = 0; y < 18; ++y) {
    for (int x = 0; x < 34; ++x) {
      ASSERT_EQ(test::sample_of(pair.reference, 0, x, y), test::sample_at(8, 0, 0, x, y) << 2);
    }
  }
}

TEST_F(Scaling, FillsChromaOfScaledPicturesWithoutChroma) {
  PairOptions options =
      pair_of({40, 30, ChromaFormat::yuv422, 10}, {20, 15, ChromaFormat::yuv400, 8});
  options.convert = ConvertSide::distorted;
  options.scale = Scaler::bicubic;
  const Picture distorted = open_pair(options)->next()->distorted;
  EXPECT_EQ(test::sample_of(distorted, 1, 19, 29), 512U);
  EXPECT_EQ(test::sample_of(distorted, 2, 0, 0), 512U);
}

// ---- published clips

struct Clip {
  const char* name;
  PictureFormat format;
  int frames;
};

TEST(PublishedClips, DecodeFully) {
  const char* folder = std::getenv("HIPVMAF_EXTRA_DATA");
  if (folder == nullptr) GTEST_SKIP() << "HIPVMAF_EXTRA_DATA is not set";
  constexpr std::array kClips = {
      Clip{"Seeking_10_288_375.mp4", {384, 288, ChromaFormat::yuv420, 8}, 150},
      Clip{"Seeking_x264_crf40.mkv", {384, 288, ChromaFormat::yuv420, 8}, 150},
      Clip{"Seeking_x265_10bit_crf36.mp4", {384, 288, ChromaFormat::yuv420, 10}, 150},
      Clip{"Seeking_half_vp9.webm", {192, 144, ChromaFormat::yuv420, 8}, 150},
      Clip{"blue_sky_360p_60f_8b_converted_to_10b.mp4", {640, 360, ChromaFormat::yuv420, 10}, 3},
  };
  for (const Clip& clip : kClips) {
    SCOPED_TRACE(clip.name);
    for (const int threads : {0, 1}) {
      OpenOptions options;
      options.decoder_threads = threads;
      test::Log log;
      options.log = log.callback();
      const auto video = open_video(std::string(folder) + "/clips/" + clip.name, options);
      EXPECT_EQ(video->format(), clip.format);
      EXPECT_EQ(test::count_frames(*video), clip.frames);
      EXPECT_THAT(log.warnings(), IsEmpty());
    }
  }
}

TEST(PublishedClips, PairThroughConversion) {
  const char* folder = std::getenv("HIPVMAF_EXTRA_DATA");
  if (folder == nullptr) GTEST_SKIP() << "HIPVMAF_EXTRA_DATA is not set";
  const std::string clips = std::string(folder) + "/clips/";
  PairOptions options;
  options.reference = clips + "Seeking_10_288_375.mp4";
  options.distorted = clips + "Seeking_x265_10bit_crf36.mp4";
  EXPECT_THAT(error_of(ErrorCode::mismatch, [&] { (void)open_pair(options); }),
              HasSubstr("bitdepths do not match: 8, 10"));
  options.convert = ConvertSide::reference;
  const auto reader = open_pair(options);
  while (reader->next()) {
  }
  EXPECT_EQ(reader->count(), 150);
}

}  // namespace
}  // namespace hipvmaf
