// The engine as its users see it: one answer for any number of threads, bounded memory, scores in
// frame order as soon as they are final, and the first error reported.
#include <atomic>
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "support/clip_generator.hpp"

namespace hipvmaf::test {
namespace {

using testing::HasSubstr;

std::vector<PicturePair> frames_of(std::string_view clip, int count) {
  std::vector<PicturePair> frames;
  for (int i = 0; i < count; ++i) frames.push_back(make_frame(standard_clip(clip), i));
  return frames;
}

void add_default_model(Session& session) {
  session.add_model(load_builtin_model("vmaf_v0.6.1", {}));
  session.add_feature("psnr", {{"enable_apsnr", "true"}});
}

void submit_all(Session& session, const std::vector<PicturePair>& frames) {
  for (const PicturePair& pair : frames) session.submit(pair.reference, pair.distorted);
  session.finish();
}

// Every value of the table as bits, so that NaN equals itself and 0 differs from -0.
std::vector<std::uint64_t> bits_of(const ScoreTable& scores) {
  std::vector<std::uint64_t> bits;
  for (std::size_t c = 0; c < scores.column_count(); ++c) {
    for (std::int64_t f = 0; f < scores.frame_end(); ++f) {
      const auto value = scores.get(c, f);
      bits.push_back(value ? std::bit_cast<std::uint64_t>(*value) : 1);
    }
  }
  for (const auto& [name, value] : scores.aggregates())
    bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

TEST(Session, ScoresDoNotDependOnTheNumberOfThreads) {
  for (const char* clip : {"cif8", "sd10", "oddsize", "noise16"}) {
    const auto frames = frames_of(clip, 4);
    std::vector<std::uint64_t> expected;
    for (const int threads : {1, 2, 7, 64}) {
      Session session({.threads = threads});
      add_default_model(session);
      submit_all(session, frames);
      const auto actual = bits_of(session.scores());
      if (threads == 1) expected = actual;
      EXPECT_EQ(actual, expected) << clip << " with " << threads << " threads";
    }
  }
}

TEST(Session, MeasuresClipsOfOneAndTwoFrames) {
  for (const int count : {1, 2}) {
    Session session({.threads = 3});
    add_default_model(session);
    submit_all(session, frames_of("cif8", count));
    EXPECT_EQ(session.picture_count(), count);
    EXPECT_EQ(session.scores().frame_end(), count);
    EXPECT_TRUE(session.score("vmaf", count - 1));
    EXPECT_FALSE(session.score("vmaf", count));
    EXPECT_EQ(session.score("integer_motion2", 0), 0.0);
    EXPECT_TRUE(session.pooled("vmaf"));
  }
}

TEST(Session, WithoutFramesHasNoScores) {
  Session session({});
  add_default_model(session);
  session.finish();
  EXPECT_EQ(session.picture_count(), 0);
  EXPECT_FALSE(session.pooled("vmaf"));
}

// Counts how many wrapped pictures are alive while a long clip runs.
TEST(Session, HoldsAFixedNumberOfPicturesWhateverTheLength) {
  constexpr int kThreads = 2;
  constexpr int kFrames = 10000;
  const PictureFormat format{64, 64, ChromaFormat::yuv420, 8};
  const std::vector<std::uint8_t> samples(format.packed_bytes(), 90);
  const std::array<Picture::Plane, 3> planes{
      {{samples.data(), 64}, {samples.data() + 4096, 32}, {samples.data() + 5120, 32}}};
  std::atomic<int> alive = 0;
  int most_alive = 0;
  Session session({.threads = kThreads});
  session.add_feature("psnr");
  session.add_feature("motion");
  for (int i = 0; i < kFrames; ++i) {
    alive += 2;
    const auto release = [&alive] { --alive; };
    session.submit(Picture::wrap(format, planes, release), Picture::wrap(format, planes, release));
    most_alive = std::max(most_alive, alive.load());
  }
  session.finish();
  EXPECT_EQ(alive, 0);
  EXPECT_LE(most_alive, 2 * (kThreads + 4));
  EXPECT_EQ(session.scores().frame_end(), kFrames);
  EXPECT_EQ(session.pooled("psnr_y")->min, 60.0);
}

TEST(Session, ReportsFramesInOrderWhenTheirScoresAreFinal) {
  const auto frames = frames_of("cut8", 8);
  std::vector<std::int64_t> order;
  std::vector<double> at_call;
  Session session({.threads = 4});
  add_default_model(session);
  session.on_frame([&](std::int64_t frame) {
    order.push_back(frame);
    at_call.push_back(session.score("vmaf", frame).value());
    EXPECT_TRUE(session.score("integer_motion2", frame));
  });
  for (std::size_t i = 0; i < frames.size(); ++i) {
    session.submit(frames[i].reference, frames[i].distorted);
  }
  session.finish();
  EXPECT_EQ(order, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  for (std::size_t i = 0; i < at_call.size(); ++i) {
    EXPECT_EQ(at_call[i], session.score("vmaf", static_cast<std::int64_t>(i)));
  }
}

TEST(Session, TellsEveryScoreOnceAndWaitsWhenAsked) {
  const auto frames = frames_of("cif8", 5);
  Session session({.threads = 4});
  add_default_model(session);
  std::map<std::string, std::vector<double>, std::less<>> told;
  session.on_score([&](std::string_view name, std::int64_t frame, double value) {
    std::vector<double>& values = told[std::string(name)];
    EXPECT_EQ(static_cast<std::int64_t>(values.size()), frame) << name;
    EXPECT_EQ(session.score(name, frame), value);
    values.push_back(value);
  });
  EXPECT_EQ(session.reach(), 1);  // of motion
  session.wait();                 // for nothing
  for (std::size_t i = 0; i < frames.size(); ++i) {
    session.submit(frames[i].reference, frames[i].distorted);
    session.wait();
    EXPECT_EQ(told["psnr_y"].size(), i + 1);
    EXPECT_EQ(session.scores().find("vmaf").has_value(), true);
  }
  session.finish();
  const ScoreTable& scores = session.scores();
  EXPECT_EQ(told.size() + 1, scores.column_count());  // the model's comes with on_frame()
  for (const auto& [name, values] : told) EXPECT_EQ(values.size(), frames.size()) << name;
}

TEST(Session, SubsamplingKeepsTheValuesOfAFullRun) {
  const auto frames = frames_of("cut8", 8);
  Session full({.threads = 2});
  add_default_model(full);
  submit_all(full, frames);
  Session sampled({.threads = 2, .subsample = 3});
  add_default_model(sampled);
  std::vector<std::int64_t> called;
  sampled.on_frame([&](std::int64_t frame) { called.push_back(frame); });
  submit_all(sampled, frames);
  EXPECT_EQ(called, (std::vector<std::int64_t>{0, 3, 6}));
  for (std::size_t c = 0; c < full.scores().column_count(); ++c) {
    const std::string& name = full.scores().stored_name(c);
    for (std::int64_t f = 0; f < 8; ++f) {
      if (f % 3 == 0) {
        EXPECT_EQ(sampled.score(name, f), full.score(name, f)) << name << " of frame " << f;
      } else {
        EXPECT_FALSE(sampled.score(name, f)) << name << " of frame " << f;
      }
    }
  }
  EXPECT_EQ(sampled.scores().aggregates(), full.scores().aggregates());
}

TEST(Session, SharesOneRunBetweenModelsAndFeatures) {
  Session session({.threads = 2});
  session.add_model(load_builtin_model("vmaf_v0.6.1", {}));
  session.add_model(load_builtin_model("vmaf_v0.6.1neg", {.name = "neg"}));
  session.add_feature("vif", {{"debug", "true"}});
  submit_all(session, frames_of("same8", 2));
  const ScoreTable& scores = session.scores();
  EXPECT_TRUE(scores.find("integer_vif_num"));  // the model's own vif, asked for more figures
  EXPECT_TRUE(scores.find("integer_vif_scale0_egl_1"));
  EXPECT_EQ(scores.printed_name(scores.column_count() - 2), "vmaf");
  EXPECT_EQ(scores.printed_name(scores.column_count() - 1), "neg");
  EXPECT_NE(session.score("vmaf", 0), session.score("neg", 0));
}

template <class Call>
std::string message_of(ErrorCode code, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(Session, RefusesRequestsThatMakeNoSense) {
  Session session({});
  EXPECT_THAT(message_of(ErrorCode::unknown_name, [&] { session.add_feature("psnrr"); }),
              HasSubstr("no extractor is named psnrr; there are: "));
  EXPECT_THAT(
      message_of(ErrorCode::unknown_name,
                 [&] {
                   session.add_feature("psnr", {{"enable_mes", "true"}});
                 }),
      HasSubstr("extractor psnr has no option enable_mes; its options are: enable_chroma, "));
  EXPECT_THAT(
      message_of(ErrorCode::invalid_option,
                 [&] {
                   session.add_feature("vif", {{"vif_enhn_gain_limit", "0.5"}});
                 }),
      HasSubstr(
          "option vif_enhn_gain_limit of extractor vif: \"0.5\" is not a number from 1 to 100"));
  session.add_feature("psnr", {{"min_sse", "0.5"}});
  EXPECT_THAT(message_of(ErrorCode::invalid_option,
                         [&] {
                           session.add_feature("psnr", {{"min_sse", "2"}});
                         }),
              HasSubstr("\"0.5\" and as \"2\""));
  session.add_model(load_builtin_model("vmaf_v0.6.1", {}));
  EXPECT_THAT(message_of(ErrorCode::invalid_argument,
                         [&] { session.add_model(load_builtin_model("vmaf_4k_v0.6.1", {})); }),
              HasSubstr("two models are named vmaf"));
}

TEST(Session, UnknownOptionsCanBeAWarning) {
  std::vector<std::string> warnings;
  Session session(
      {.ignore_unknown_options = true, .log = [&](LogLevel level, std::string_view text) {
         if (level == LogLevel::warning) warnings.emplace_back(text);
       }});
  session.add_feature("psnr", {{"enable_mes", "true"}});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("enable_mes"));
}

TEST(Session, RefusesPicturesBeforeReadingThem) {
  Session session({});
  session.add_model(load_builtin_model("vmaf_v0.6.1", {}));
  EXPECT_THAT(
      message_of(ErrorCode::unsupported_format,
                 [&] {
                   session.prepare({16, 16, ChromaFormat::yuv420, 8});
                 }),
      HasSubstr(
          "extractor adm needs pictures of at least 17x17, the videos are 16x16 4:2:0 8 bit"));
  session.prepare({17, 17, ChromaFormat::yuv420, 8});
}

TEST(Session, RefusesPicturesOfAnotherFormatInTheMiddle) {
  const auto small = make_frame(standard_clip("cif8"), 0);
  const auto large = make_frame(standard_clip("sd8"), 0);
  Session session({.threads = 2});
  session.add_feature("psnr");
  session.submit(small.reference, small.distorted);
  EXPECT_THAT(
      message_of(ErrorCode::mismatch, [&] { session.submit(small.reference, large.distorted); }),
      HasSubstr(
          "frame 1: the distorted picture is 576x324 4:2:0 8 bit, the session measures 352x288"));
  session.finish();
  EXPECT_EQ(session.scores().frame_end(), 1);
}

TEST(Session, AnErrorOfTheCallbackStopsItAndEarlierScoresStay) {
  const auto frames = frames_of("cif8", 10);
  Session session({.threads = 2});
  session.add_feature("psnr");
  session.on_frame([](std::int64_t frame) {
    if (frame == 2) throw Error(ErrorCode::io, "the callback gave up");
  });
  const auto run = [&] { submit_all(session, frames); };
  EXPECT_EQ(message_of(ErrorCode::io, run), "the callback gave up");
  EXPECT_EQ(message_of(ErrorCode::io, [&] { session.finish(); }), "the callback gave up");
  EXPECT_TRUE(session.score("psnr_y", 1));
  EXPECT_EQ(session.report_info().picture_count, 2);
  EXPECT_TRUE(session.report_info().incomplete);
}

}  // namespace
}  // namespace hipvmaf::test
