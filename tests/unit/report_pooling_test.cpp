#include <cmath>
#include <gtest/gtest.h>
#include <initializer_list>
#include <limits>

#include <hipvmaf/report.hpp>

namespace hipvmaf {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ScoreTable column_of(std::initializer_list<double> values) {
  ScoreTable scores;
  scores.add_column("x", "x");
  std::int64_t frame = 0;
  for (const double value : values) scores.set(0, frame++, value);
  return scores;
}

TEST(Pool, TakesTheFramesOfTheRange) {
  const ScoreTable scores = column_of({9, 1, 3, -5});
  const auto pooled = pool(scores, 0, 1, 3, 1);
  ASSERT_TRUE(pooled);
  EXPECT_EQ(pooled->min, 1);
  EXPECT_EQ(pooled->max, 3);
  EXPECT_EQ(pooled->mean, 2);
  EXPECT_EQ(pooled->harmonic_mean, 2 / (0.5 + 0.25) - 1);
}

TEST(Pool, SkipsWhatSubsamplingSkips) {
  const ScoreTable scores = column_of({100, 1, 2, 3, 4, 5, 7});
  const auto pooled = pool(scores, 0, 1, 7, 3);  // frames 3 and 6
  ASSERT_TRUE(pooled);
  EXPECT_EQ(pooled->min, 3);  // also where the range begins with a skipped frame
  EXPECT_EQ(pooled->max, 7);
  EXPECT_EQ(pooled->mean, 5);
  EXPECT_EQ(pool(scores, 0, 0, 7, 0)->mean, 122.0 / 7);
}

TEST(Pool, HasNothingIfAFrameHasNoValue) {
  ScoreTable scores = column_of({1, kNan});
  scores.set(0, 3, 1);
  EXPECT_FALSE(pool(scores, 0, 0, 4, 1));
  EXPECT_TRUE(pool(scores, 0, 0, 4, 3));
  EXPECT_FALSE(pool(scores, 0, 3, 5, 1));
  EXPECT_FALSE(pool(scores, 0, 0, std::numeric_limits<std::int64_t>::max(), 1));
}

TEST(Pool, HasNothingIfThereIsNoFrame) {
  const ScoreTable scores = column_of({1, 2, 3});
  EXPECT_FALSE(pool(scores, 0, 0, 0, 1));
  EXPECT_FALSE(pool(scores, 0, 2, 1, 1));
  EXPECT_FALSE(pool(scores, 0, 1, 3, 3));
  EXPECT_FALSE(pool(scores, 0, -1, 3, 1));
}

TEST(Pool, IsNanIfAnyValueIs) {
  for (const auto& scores :
       {column_of({kNan, 1, 2}), column_of({1, kNan, 2}), column_of({1, 2, kNan})}) {
    const auto pooled = pool(scores, 0, 0, 3, 1);
    ASSERT_TRUE(pooled);
    EXPECT_TRUE(std::isnan(pooled->min));
    EXPECT_TRUE(std::isnan(pooled->max));
    EXPECT_TRUE(std::isnan(pooled->mean));
    EXPECT_TRUE(std::isnan(pooled->harmonic_mean));
  }
}

TEST(Pool, TakesInfinities) {
  const auto all = pool(column_of({kInf, kInf}), 0, 0, 2, 1);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->min, kInf);
  EXPECT_EQ(all->mean, kInf);
  EXPECT_EQ(all->harmonic_mean, kInf);
  const auto one = pool(column_of({1, kInf}), 0, 0, 2, 1);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->min, 1);
  EXPECT_EQ(one->max, kInf);
  EXPECT_EQ(one->mean, kInf);
  EXPECT_EQ(one->harmonic_mean, 3);
}

TEST(Pool, HarmonicMeanOfMinusOneIsMinusOne) {
  EXPECT_EQ(pool(column_of({5, -1}), 0, 0, 2, 1)->harmonic_mean, -1);
}

}  // namespace
}  // namespace hipvmaf
