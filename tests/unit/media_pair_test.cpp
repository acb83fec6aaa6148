#include <fmt/format.h>
#include <gmock/gmock.h>
#include <string>

#include "media/pair_reader.hpp"
#include "media_support.hpp"

namespace hipvmaf {
namespace {

using test::error_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr PictureFormat kSmall{6, 4, ChromaFormat::yuv420, 8};

class Pairing : public testing::Test {
 protected:
  std::string y4m(const std::string& name, const PictureFormat& format,
                  const std::string& colour_space, int frames) {
    return dir_.write(name, test::y4m_bytes(format, colour_space, frames));
  }

  PairOptions options(const std::string& reference, const std::string& distorted) {
    PairOptions made;
    made.reference = reference;
    made.distorted = distorted;
    made.open.log = log_.callback();
    return made;
  }

  /// Options for two 8-bit videos of so many frames.
  PairOptions of_lengths(int reference, int distorted) {
    return options(y4m("ref.y4m", kSmall, "420", reference),
                   y4m("dis.y4m", kSmall, "420", distorted));
  }

  static int count_pairs(PairReader& reader) {
    int pairs = 0;
    while (reader.next()) ++pairs;
    return pairs;
  }

  test::TempDir dir_;
  test::Log log_;
};

TEST_F(Pairing, ReadsPairsInOrder) {
  const auto reader = open_pair(of_lengths(3, 3));
  EXPECT_EQ(reader->format(), kSmall);
  for (int f = 0; f < 3; ++f) {
    const auto pair = reader->next();
    ASSERT_TRUE(pair);
    EXPECT_EQ(test::samples_of(pair->reference), test::expected_samples(kSmall, f));
    EXPECT_EQ(test::samples_of(pair->distorted), test::expected_samples(kSmall, f));
  }
  EXPECT_FALSE(reader->next());
  EXPECT_FALSE(reader->next());
  EXPECT_EQ(reader->count(), 3);
  EXPECT_THAT(log_.warnings(), IsEmpty());
}

TEST_F(Pairing, WarnsOnceOfUnequalLengths) {
  const auto longer_reference = open_pair(of_lengths(5, 3));
  EXPECT_EQ(count_pairs(*longer_reference), 3);
  EXPECT_FALSE(longer_reference->next());
  EXPECT_THAT(log_.warnings(),
              ElementsAre(fmt::format("\"{}\" ended before \"{}\": 3 frames against 5 frames",
                                      dir_.path("dis.y4m"), dir_.path("ref.y4m"))));
  log_.entries.clear();
  EXPECT_EQ(count_pairs(*open_pair(of_lengths(1, 3))), 1);
  EXPECT_THAT(log_.warnings(),
              ElementsAre(fmt::format("\"{}\" ended before \"{}\": 1 frame against 3 frames",
                                      dir_.path("ref.y4m"), dir_.path("dis.y4m"))));
}

TEST_F(Pairing, CountsNoBrokenRest) {
  PairOptions made = of_lengths(3, 5);
  dir_.write("dis.y4m", test::y4m_bytes(kSmall, "420", 5) + "not a frame");
  EXPECT_EQ(count_pairs(*open_pair(made)), 3);
  EXPECT_THAT(log_.warnings(), ElementsAre(HasSubstr("3 frames against at least 5 frames")));
}

TEST_F(Pairing, StrictRefusesUnequalLengths) {
  PairOptions made = of_lengths(5, 3);
  made.strict = true;
  const auto reader = open_pair(made);
  for (int f = 0; f < 3; ++f) EXPECT_TRUE(reader->next());
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)reader->next(); }),
              HasSubstr("3 frames against 5 frames"));
  made.frame_count = 3;
  EXPECT_EQ(count_pairs(*open_pair(made)), 3);
}

TEST_F(Pairing, SkipsAndCounts) {
  PairOptions made = of_lengths(6, 5);
  made.skip_reference = 2;
  made.skip_distorted = 1;
  made.frame_count = 3;
  const auto reader = open_pair(made);
  for (int f = 0; f < 3; ++f) {
    const auto pair = reader->next();
    ASSERT_TRUE(pair);
    EXPECT_EQ(test::samples_of(pair->reference), test::expected_samples(kSmall, f + 2));
    EXPECT_EQ(test::samples_of(pair->distorted), test::expected_samples(kSmall, f + 1));
  }
  EXPECT_FALSE(reader->next());
  EXPECT_THAT(log_.warnings(), IsEmpty());
}

TEST_F(Pairing, ExpectsTheShorterOfWhatTheVideosTell) {
  PairOptions made = of_lengths(6, 5);
  EXPECT_EQ(open_pair(made)->expected_count(), 5);
  made.skip_reference = 2;
  EXPECT_EQ(open_pair(made)->expected_count(), 4);
  made.frame_count = 3;
  EXPECT_EQ(open_pair(made)->expected_count(), 3);
  made.skip_distorted = 7;
  EXPECT_EQ(open_pair(made)->expected_count(), 0);
  made = of_lengths(0, 0);
  made.open.raw_format = kSmall;
  made.reference = dir_.write("ref.yuv", std::string(36 * 4 + 5, 'x'));
  made.distorted = "/dev/zero";
  EXPECT_EQ(open_pair(made)->expected_count(), 4);
}

TEST_F(Pairing, SkipToTheEndAndBeyondLeavesNoFrames) {
  PairOptions made = of_lengths(3, 3);
  made.skip_distorted = 3;
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)open_pair(made)->next(); }),
            dir_.path("dis.y4m") +
                " has no frames left to measure: it has 3 frames, and 3 were to be skipped");
  made.skip_distorted = 0;
  made.skip_reference = 4;
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)open_pair(made)->next(); }),
            dir_.path("ref.y4m") +
                " has no frames left to measure: it has 3 frames, and 4 were to be skipped");
}

TEST_F(Pairing, NamesTheInputWithoutFrames) {
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)open_pair(of_lengths(0, 2))->next(); }),
            dir_.path("ref.y4m") + " has no frames");
  EXPECT_EQ(error_of(ErrorCode::bad_input, [&] { (void)open_pair(of_lengths(2, 0))->next(); }),
            dir_.path("dis.y4m") + " has no frames");
}

TEST_F(Pairing, FramesBeforeABrokenOneAreRead) {
  PairOptions made = of_lengths(3, 3);
  const std::string whole = test::y4m_bytes(kSmall, "420", 3);
  dir_.write("dis.y4m", whole.substr(0, whole.size() - 7));
  const auto reader = open_pair(made);
  EXPECT_TRUE(reader->next());
  EXPECT_TRUE(reader->next());
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { (void)reader->next(); }),
              HasSubstr(dir_.path("dis.y4m") + ": frame 2 is cut off"));
  EXPECT_EQ(reader->count(), 2);
}

TEST_F(Pairing, RefusesTwoStandardInputs) {
  EXPECT_THAT(error_of(ErrorCode::invalid_argument, [&] { (void)open_pair(options("-", "-")); }),
              HasSubstr("cannot both be standard input"));
}

TEST_F(Pairing, RefusesNegativeCounts) {
  PairOptions made = of_lengths(3, 3);
  made.skip_reference = -1;
  error_of(ErrorCode::invalid_argument, [&] { (void)open_pair(made); });
}

TEST_F(Pairing, NamesEveryDifference) {
  const PictureFormat other{8, 4, ChromaFormat::yuv422, 10};
  const auto made = options(y4m("ref.y4m", kSmall, "420", 1), y4m("dis.y4m", other, "422p10", 1));
  const char* expected =
      "{} is 6x4 4:2:0 8 bit, {} is 8x4 4:2:2 10 bit: dimensions do not match: 6x4, 8x4 (--scale "
      "bicubic|lanczos|bilinear scales the distorted video); pixel formats do not match: 4:2:0, "
      "4:2:2 (--convert reference or --convert distorted converts one to the other's); bitdepths "
      "do "
      "not match: 8, 10 (--convert reference or --convert distorted converts one to the other's); "
      "videos are incompatible, 3 problem(s).";
  EXPECT_EQ(error_of(ErrorCode::mismatch, [&] { (void)open_pair(made); }),
            fmt::format(fmt::runtime(expected), dir_.path("ref.y4m"), dir_.path("dis.y4m")));
}

TEST_F(Pairing, ComparesSizesExactly) {
  const auto made = options(y4m("ref.y4m", {66, 50, ChromaFormat::yuv420, 8}, "420", 1),
                            y4m("dis.y4m", {68, 52, ChromaFormat::yuv420, 8}, "420", 1));
  EXPECT_THAT(error_of(ErrorCode::mismatch, [&] { (void)open_pair(made); }),
              AllOf(HasSubstr("dimensions do not match: 66x50, 68x52"), HasSubstr("1 problem(s)")));
}

TEST_F(Pairing, RaisesTheDepthOnlyWhenAllowed) {
  PictureFormat deep = kSmall;
  deep.bit_depth = 10;
  for (const bool reference_is_deep : {false, true}) {
    const std::string shallow_path = y4m("shallow.y4m", kSmall, "420", 1);
    const std::string deep_path = y4m("deep.y4m", deep, "420p10", 1);
    PairOptions made =
        reference_is_deep ? options(deep_path, shallow_path) : options(shallow_path, deep_path);
    EXPECT_THAT(error_of(ErrorCode::mismatch, [&] { (void)open_pair(made); }),
                HasSubstr(reference_is_deep ? "bitdepths do not match: 10, 8"
                                            : "bitdepths do not match: 8, 10"));
    made.allow_depth_difference = true;
    const auto reader = open_pair(made);
    EXPECT_EQ(reader->format(), deep);
    const auto pair = reader->next().value();
    const Picture& raised = reference_is_deep ? pair.distorted : pair.reference;
    const Picture& kept = reference_is_deep ? pair.reference : pair.distorted;
    auto expected = test::expected_samples(kSmall, 0);
    for (unsigned& sample : expected) sample <<= 2;
    EXPECT_EQ(test::samples_of(raised), expected);
    EXPECT_EQ(test::samples_of(kept), test::expected_samples(deep, 0));
  }
}

TEST_F(Pairing, ConvertsTheSideAskedFor) {
  PictureFormat deep = kSmall;
  deep.bit_depth = 12;
  PairOptions made = options(y4m("ref.y4m", kSmall, "420", 1), y4m("dis.y4m", deep, "420p12", 1));
  made.convert = ConvertSide::reference;
  auto reader = open_pair(made);
  EXPECT_EQ(reader->format(), deep);
  auto expected = test::expected_samples(kSmall, 0);
  for (unsigned& sample : expected) sample <<= 4;
  EXPECT_EQ(test::samples_of(reader->next()->reference), expected);

  made.convert = ConvertSide::distorted;
  reader = open_pair(made);
  EXPECT_EQ(reader->format(), kSmall);
  const auto pair = reader->next().value();
  expected = test::expected_samples(deep, 0);
  for (unsigned& sample : expected) sample = std::min((sample + 8) >> 4, 255U);
  EXPECT_EQ(test::samples_of(pair.distorted), expected);
  EXPECT_EQ(test::samples_of(pair.reference), test::expected_samples(kSmall, 0));
}

TEST_F(Pairing, DropsAndAddsChroma) {
  const PictureFormat mono{6, 4, ChromaFormat::yuv400, 10};
  PairOptions made = options(y4m("ref.y4m", mono, "mono10", 1), y4m("dis.y4m", kSmall, "420", 1));
  made.convert = ConvertSide::distorted;
  auto reader = open_pair(made);
  EXPECT_EQ(reader->format(), mono);
  EXPECT_EQ(test::sample_of(reader->next()->distorted, 0, 5, 3), test::sample_at(8, 0, 0, 5, 3)
                                                                     << 2);

  made.convert = ConvertSide::reference;
  reader = open_pair(made);
  EXPECT_EQ(reader->format(), kSmall);
  const Picture reference = reader->next()->reference;
  EXPECT_EQ(test::sample_of(reference, 0, 5, 3),
            std::min((test::sample_at(10, 0, 0, 5, 3) + 2) >> 2, 255U));
  EXPECT_EQ(test::sample_of(reference, 1, 2, 1), 128U);
  EXPECT_EQ(test::sample_of(reference, 2, 0, 0), 128U);
}

TEST_F(Pairing, WarnsOfDifferentRanges) {
  const std::string samples = "FRAME\n" + test::frame_bytes(kSmall, 0);
  const std::string start = "YUV4MPEG2 W6 H4 F25:1 Ip XCOLORRANGE=";
  const std::string full = dir_.write("full.y4m", start + "FULL\n" + samples);
  const std::string limited = dir_.write("limited.y4m", start + "LIMITED\n" + samples);
  EXPECT_EQ(count_pairs(*open_pair(options(limited, full))), 1);
  EXPECT_THAT(log_.warnings(),
              ElementsAre(HasSubstr(full + " is full range and " + limited + " is limited range")));
  log_.entries.clear();
  EXPECT_EQ(count_pairs(*open_pair(options(full, full))), 1);
  EXPECT_THAT(log_.warnings(), IsEmpty());
  const std::string unknown = y4m("unknown.y4m", kSmall, "420", 1);
  EXPECT_EQ(count_pairs(*open_pair(options(limited, unknown))), 1);
  EXPECT_THAT(log_.warnings(), IsEmpty());
  EXPECT_EQ(count_pairs(*open_pair(options(unknown, full))), 1);
  EXPECT_THAT(
      log_.warnings(),
      ElementsAre(AllOf(HasSubstr(full + " is full range and " + unknown + " does not state"),
                        HasSubstr("unless it is full range too"))));
}

}  // namespace
}  // namespace hipvmaf
