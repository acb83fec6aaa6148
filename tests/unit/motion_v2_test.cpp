#include "features/motion/motion_v2.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "support/clip_generator.hpp"

namespace hipvmaf {
namespace {

using ::testing::ElementsAre;

std::vector<double> column(const ScoreTable& scores, const std::string& name) {
  std::vector<double> values;
  const auto at = scores.find(name);
  EXPECT_TRUE(at) << name;
  for (std::int64_t frame = 0; at && frame < scores.frame_end(); ++frame)
    values.push_back(scores.get(*at, frame).value_or(-1));
  return values;
}

void submit(Session& session, std::string_view clip_name, int frames) {
  const test::ClipSpec& clip = test::standard_clip(clip_name);
  for (int i = 0; i < frames; ++i) {
    const test::PicturePair pair = test::make_frame(clip, i);
    session.submit(pair.reference, pair.distorted);
  }
  session.finish();
}

class MotionV2 : public ::testing::TestWithParam<std::pair<Session::Options, std::string>> {};

TEST_P(MotionV2, EqualsMotion) {
  const Session::Options& options = GetParam().first;
  const std::string& suffix = GetParam().second;
  for (const int frames : {1, 2, 3, 8}) {
    Session session({.threads = 2});
    session.add_feature("motion", options);
    session.add_feature("motion_v2", options);
    submit(session, "cut8", frames);
    const ScoreTable& scores = session.scores();
    const auto stem = [&](const std::string& name) {
      return suffix.empty() ? "VMAF_integer_feature_" + name + "_score"
                            : "integer_" + name + suffix;
    };
    EXPECT_EQ(column(scores, "VMAF_integer_feature_motion_v2_sad_score" + suffix),
              column(scores, "VMAF_integer_feature_motion_sad_score" + suffix));
    EXPECT_EQ(column(scores, "VMAF_integer_feature_motion2_v2_score" + suffix),
              column(scores, stem("motion2")));
    EXPECT_EQ(column(scores, "VMAF_integer_feature_motion3_v2_score" + suffix),
              column(scores, stem("motion3")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Options, MotionV2,
    ::testing::Values(
        std::pair{Session::Options{}, std::string()},
        std::pair{Session::Options{{"motion_force_zero", "true"}}, std::string("_force_0")},
        std::pair{Session::Options{{"motion_blend_factor", "0.3"}, {"motion_blend_offset", "7.5"}},
                  std::string("_mbf_0.3_mbo_7.5")},
        std::pair{Session::Options{{"motion_fps_weight", "1.5"}, {"motion_max_val", "9"}},
                  std::string("_mfw_1.5_mmxv_9")},
        std::pair{Session::Options{{"motion_moving_average", "true"}}, std::string("_mma")}));

TEST(MotionV2Scores, AllAreZeroForOneFrame) {
  Session session({});
  session.add_feature("motion_v2");
  submit(session, "cif8", 1);
  const ScoreTable& scores = session.scores();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scores.column_count(); ++i) {
    names.push_back(scores.printed_name(i));
    EXPECT_THAT(column(scores, names.back()), ElementsAre(0)) << names.back();
  }
  EXPECT_THAT(names, ElementsAre("VMAF_integer_feature_motion_v2_sad_score",
                                 "VMAF_integer_feature_motion2_v2_score",
                                 "VMAF_integer_feature_motion3_v2_score"));
}

TEST(MotionV2Scores, AreThoseOfAFullRunWithSubsampling) {
  Session full({});
  full.add_feature("motion_v2");
  submit(full, "cut8", 8);
  Session thinned({.subsample = 3});
  thinned.add_feature("motion_v2");
  submit(thinned, "cut8", 8);
  for (std::size_t i = 0; i < full.scores().column_count(); ++i) {
    for (const std::int64_t frame : {0, 3, 6})
      EXPECT_EQ(thinned.scores().get(i, frame), full.scores().get(i, frame));
    EXPECT_EQ(thinned.scores().get(i, 1), std::nullopt);
  }
}

TEST(MotionV2Options, HaveNoFiveFrameWindow) {
  Session session({});
  EXPECT_NO_THROW(session.add_feature("motion_v2", {{"motion_five_frame_window", "false"}}));
  try {
    session.add_feature("motion_v2", {{"motion_five_frame_window", "true"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("motion_v2"));
  }
  EXPECT_THROW(session.add_feature("motion_v2", {{"debug", "true"}}), Error);
}

}  // namespace
}  // namespace hipvmaf
