// The banding detector as a whole: raw scores, strides, depths, large pictures, heatmap files.
#include "features/cambi/cambi.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "stage_support.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

using Entries = std::vector<OptionTexts::Entry>;

OptionValues options_of(const Entries& entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, text);
  return {"cambi", cambi_descriptor.options, texts};
}

CambiRaw measure(const Picture& reference, const Picture& distorted, const Entries& entries = {}) {
  const auto stage = cambi_descriptor.make_cpu_stage(options_of(entries), distorted.format());
  auto frame = std::make_shared<Frame>();
  frame->index = 3;
  frame->reference = reference;
  frame->distorted = distorted;
  CambiRaw raw;
  stage->measure_into(FrameWindow(frame, {}), &raw);
  return raw;
}

test::ClipSpec dark(int width, int height, int bit_depth) {
  return {.name = "dark",
          .content = "dark",
          .distortion = "bands",
          .format = {width, height, ChromaFormat::yuv420, bit_depth},
          .frames = 4};
}

// Luma only, in rows of `stride` samples, the padding filled with `filler`.
template <class Sample>
Picture padded_copy(const Picture& picture, std::ptrdiff_t stride, Sample filler) {
  PictureFormat format = picture.format();
  format.chroma = ChromaFormat::yuv400;
  auto samples = std::make_shared<std::vector<Sample>>(
      static_cast<std::size_t>(stride * format.height), filler);
  const auto luma = picture.plane<Sample>(0);
  for (int y = 0; y < format.height; ++y)
    std::copy_n(luma.row(y), format.width, samples->begin() + y * stride);
  const Picture::Plane plane{samples->data(), stride * static_cast<std::ptrdiff_t>(sizeof(Sample))};
  return Picture::wrap(format, {&plane, 1}, [samples] {});
}

// ---- Raw scores ----

TEST(CambiRawScores, AreThePublishedOnes) {
  const auto pair = test::make_frame(dark(352, 288, 8), 0);
  const CambiRaw raw = measure(pair.reference, pair.distorted);
  const std::array<double, cambi::kScales> means{37.26508729861785, 36.546242156876055,
                                                 21.097634098963248, 9.3065131242651695,
                                                 4.1830086124597221};
  const std::array<double, cambi::kScales> pooled{60825, 15206, 3801, 950, 237};
  for (std::size_t s = 0; s < cambi::kScales; ++s) {
    const double sum = static_cast<double>(raw.distorted[s].units) +
                       static_cast<double>(raw.distorted[s].fraction) / (1 << 24);
    EXPECT_EQ(sum / pooled[s], means[s]) << s;
    EXPECT_EQ(raw.reference[s], CambiSum{}) << s;
  }
}

TEST(CambiRawScores, OfTheReferenceAreThoseOfAnyPicture) {
  const auto pair = test::make_frame(dark(352, 288, 10), 0);
  const CambiRaw both = measure(pair.reference, pair.distorted, {{"full_ref", "true"}});
  const CambiRaw swapped = measure(pair.distorted, pair.reference, {{"full_ref", "true"}});
  EXPECT_EQ(both.distorted, swapped.reference);
  EXPECT_EQ(both.reference, swapped.distorted);
  EXPECT_NE(both.distorted, both.reference);
}

TEST(CambiRawScores, DoNotDependOnTheStride) {
  const auto shallow = test::make_frame(dark(353, 289, 8), 1).distorted;
  const Picture copy8 = padded_copy<std::uint8_t>(shallow, 391, 77);
  EXPECT_EQ(measure(shallow, shallow), measure(copy8, copy8));
  const auto deep = test::make_frame(dark(353, 289, 12), 1).distorted;
  const Picture copy16 = padded_copy<std::uint16_t>(deep, 391, 0xFFFF);
  EXPECT_EQ(measure(deep, deep), measure(copy16, copy16));
}

TEST(CambiRawScores, AreZeroWhereNothingCounts) {
  const auto pair = test::make_frame(dark(352, 288, 8), 0);
  EXPECT_EQ(measure(pair.reference, pair.distorted, {{"cambi_vis_lum_threshold", "100"}}),
            CambiRaw{});
}

TEST(CambiRawScores, TakeThinPictures) {
  for (const auto& [width, height] : {std::pair{216, 1}, {1, 216}, {2, 300}, {3840, 216}}) {
    const auto pair = test::make_frame(dark(width, height, 8), 0);
    EXPECT_EQ(measure(pair.reference, pair.distorted), measure(pair.reference, pair.distorted));
  }
}

// The pixel stages say where such samples are, the scalar stage refuses them.
void score(const CambiRaw& raw, const PictureFormat& format, const Entries& entries = {}) {
  test::Scores scores;
  cambi_descriptor.make_scalar_stage(options_of(entries), format)->push_raw(3, &raw, scores);
}

TEST(CambiRawScores, RefuseSamplesAboveTheDepth) {
  for (const int bit_depth : {9, 10, 15}) {
    PictureBuffer buffer({352, 288, ChromaFormat::yuv400, bit_depth});
    for (int y = 0; y < 288; ++y) {
      std::fill_n(buffer.plane<std::uint16_t>(0).row(y), 352,
                  static_cast<std::uint16_t>((1 << bit_depth) - 1));
    }
    buffer.plane<std::uint16_t>(0).row(200)[351] = static_cast<std::uint16_t>(1 << bit_depth);
    const Picture wild = std::move(buffer).finish();
    const auto good = test::make_frame(dark(352, 288, bit_depth), 0).distorted;
    EXPECT_NO_THROW(score(measure(wild, good), good.format())) << "the reference is not read";
    const std::vector<std::pair<Picture, const char*>> cases{{wild, "distorted"},
                                                             {good, "reference"}};
    for (const auto& [distorted, which] : cases) {
      try {
        const Entries both{{"full_ref", "true"}};
        score(measure(wild, distorted, both), distorted.format(), both);
        FAIL() << which;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_input);
        EXPECT_THAT(error.what(), HasSubstr("frame 3: row 200 of the " + std::string(which)));
      }
    }
  }
}

// ---- Large pictures ----

// The window of such a picture is larger than libvmaf allows. With two levels in the picture, half
// and half, contrasts at the border are known.
TEST(CambiLargePictures, AreMeasured) {
  constexpr int kWidth = 8192;
  constexpr int kHeight = 4320;
  PictureBuffer buffer({kWidth, kHeight, ChromaFormat::yuv400, 10});
  for (int y = 0; y < kHeight; ++y) {
    std::fill_n(buffer.plane<std::uint16_t>(0).row(y), kWidth,
                static_cast<std::uint16_t>(y < kHeight / 2 ? 100 : 101));
  }
  const Picture picture = std::move(buffer).finish();
  for (const auto& [speedup, side] : {std::pair{"2160", 69}, {"0", 135}}) {
    const Entries entries{{"cambi_high_res_speedup", speedup}, {"topk", "0.0001"}};
    const CambiRaw raw = measure(picture, picture, entries);
    // The largest contrasts lie on either side of the border, where the window is split best.
    const double own = side * (side + 1) / 2.0;
    const double other = side * (side - 1) / 2.0;
    const double largest = own * other / (own + other);
    const int halvings = side == 69 ? 1 : 0;
    const auto pooled = static_cast<double>(
        static_cast<int>(0.0001 * static_cast<double>(kWidth >> halvings) * (kHeight >> halvings)));
    const double mean = static_cast<double>(raw.distorted[0].units) / pooled;
    EXPECT_NEAR(mean, largest, largest * 1e-4) << speedup;
  }
}

// ---- Heatmaps and sessions ----

class CambiHeatmapFiles : public ::testing::Test {
 protected:
  CambiHeatmapFiles()
      : folder_(fs::path(::testing::TempDir()) / ("cambi_" + std::to_string(::getpid()))) {}
  ~CambiHeatmapFiles() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  static std::string content(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  static void run(const SessionConfig& config, const Session::Options& options) {
    Session session(config);
    session.add_feature("cambi", options);
    const auto clip = dark(352, 288, 8);
    for (int i = 0; i < clip.frames; ++i) {
      const auto pair = test::make_frame(clip, i);
      session.submit(pair.reference, pair.distorted);
    }
    session.finish();
  }

  static constexpr const char* kFirst = "cambi_heatmap_scale_0_352x288_16b.gray";
  static constexpr std::size_t kFrameBytes = std::size_t{352} * 288 * 2;
  fs::path folder_;
};

TEST_F(CambiHeatmapFiles, DoNotDependOnTheThreads) {
  run({.threads = 1}, {{"heatmaps_path", (folder_ / "one" / "deep").string()}});
  run({.threads = 8}, {{"heatmaps_path", (folder_ / "eight").string()}});
  const std::string one = content(folder_ / "one" / "deep" / kFirst);
  EXPECT_EQ(one.size(), 4 * kFrameBytes);
  EXPECT_EQ(one, content(folder_ / "eight" / kFirst));
}

TEST_F(CambiHeatmapFiles, HaveHolesForSkippedFrames) {
  run({.threads = 2}, {{"heatmaps_path", (folder_ / "all").string()}});
  run({.threads = 2, .subsample = 2}, {{"heatmaps_path", (folder_ / "some").string()}});
  const std::string all = content(folder_ / "all" / kFirst);
  const std::string some = content(folder_ / "some" / kFirst);
  ASSERT_EQ(some.size(), 3 * kFrameBytes);
  EXPECT_EQ(some.substr(0, kFrameBytes), all.substr(0, kFrameBytes));
  EXPECT_EQ(some.substr(kFrameBytes, kFrameBytes), std::string(kFrameBytes, '\0'));
  EXPECT_EQ(some.substr(2 * kFrameBytes), all.substr(2 * kFrameBytes, kFrameBytes));
}

TEST_F(CambiHeatmapFiles, AreEmptiedByTheNextRun) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / kFirst) << std::string(5 * kFrameBytes, 'x');
  run({}, {{"heatmaps_path", folder_.string()}});
  EXPECT_EQ(fs::file_size(folder_ / kFirst), 4 * kFrameBytes);
}

std::string error_of_prepare(const std::vector<Session::Options>& instances, ErrorCode code) {
  Session session({.threads = 1});
  for (const Session::Options& options : instances) session.add_feature("cambi", options);
  try {
    session.prepare({352, 288, ChromaFormat::yuv420, 8});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return {};
}

TEST_F(CambiHeatmapFiles, AreRefusedBeforeTheFirstFrameIfTheyCannotBeWritten) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "not a folder";
  EXPECT_THAT(
      error_of_prepare({{{"heatmaps_path", (folder_ / "file" / "maps").string()}}}, ErrorCode::io),
      HasSubstr("cannot create the heatmaps folder " + (folder_ / "file" / "maps").string()));
  fs::create_directories(folder_ / kFirst);
  EXPECT_THAT(error_of_prepare({{{"heatmaps_path", folder_.string()}}}, ErrorCode::io),
              HasSubstr("cannot write the heatmap " + (folder_ / kFirst).string()));
}

TEST_F(CambiHeatmapFiles, BelongToOneInstance) {
  const std::pair<std::string, std::string> path{"heatmaps_path", folder_.string()};
  EXPECT_THAT(error_of_prepare({{path}, {path, {"window_size", "33"}}}, ErrorCode::invalid_option),
              HasSubstr("is being written already"));
  EXPECT_EQ(error_of_prepare({{path}}, ErrorCode::internal), "") << "free again";
}

TEST(CambiSessions, RefuseTwoSourceScores) {
  Session session({.threads = 1});
  session.add_feature("cambi", {{"full_ref", "true"}});
  EXPECT_NO_THROW(session.add_feature("cambi", {{"window_size", "33"}}));
  try {
    session.add_feature("cambi", {{"full_ref", "true"}, {"window_size", "15"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cambi_source"));
    EXPECT_THAT(error.what(), HasSubstr("_ws_15"));
  }
}

TEST(CambiSessions, UniteRequestsThatDifferInTheReferenceOnly) {
  Session session({.threads = 2});
  session.add_feature("cambi", {});
  session.add_feature("cambi", {{"full_ref", "true"}});
  const auto pair = test::make_frame(dark(352, 288, 8), 0);
  session.submit(pair.reference, pair.distorted);
  session.finish();
  EXPECT_EQ(session.scores().column_count(), 3U);
  EXPECT_TRUE(session.score("cambi_full_reference", 0));
}

}  // namespace
}  // namespace hipvmaf
