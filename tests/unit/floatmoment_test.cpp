#include <cmath>
#include <gtest/gtest.h>

#include "features/float_luma_math.hpp"
#include "features/float_moment/float_moment.hpp"
#include "features/registry.hpp"
#include "stage_support.hpp"

namespace hipvmaf::float_moment {
namespace {

using test::luma_clip;
using test::PicturePair;

FloatMomentRaw measure(const PicturePair& pair) {
  return test::measure<FloatMomentRaw>(float_moment_descriptor, pair);
}

test::Scores scores_of(const PicturePair& pair) {
  return test::scores_of<FloatMomentRaw>(float_moment_descriptor, pair);
}

// The definition: samples and squares in binary32, their sums in binary64.
std::pair<double, double> moments(const Picture& picture) {
  const PictureFormat& format = picture.format();
  double first = 0;
  double second = 0;
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      const float luma =
          static_cast<float>(test::sample_at(picture, x, y)) * luma_unit(format.bit_depth);
      first += static_cast<double>(luma);
      second += static_cast<double>(luma * luma);
    }
  }
  const double samples = format.width * format.height;
  return {first / samples, second / samples};
}

TEST(FloatMoment, IsTheDefinitionAtEveryDepth) {
  for (int bits = 8; bits <= 16; ++bits) {
    const auto pair = test::make_frame(luma_clip("noise", "sharpen", 301, 7, bits), 1);
    const test::Scores scores = scores_of(pair);
    const auto [ref1st, ref2nd] = moments(pair.reference);
    const auto [dis1st, dis2nd] = moments(pair.distorted);
    EXPECT_EQ(scores[kReference1st], ref1st) << bits;
    EXPECT_EQ(scores[kReference2nd], ref2nd) << bits;
    EXPECT_EQ(scores[kDistorted1st], dis1st) << bits;
    EXPECT_EQ(scores[kDistorted2nd], dis2nd) << bits;
  }
}

TEST(FloatMoment, OfBlackAndWhite) {
  for (const int bits : {8, 10, 12}) {
    const int peak = (1 << bits) - 1;
    const test::Scores scores = scores_of(
        {test::flat_picture(20001, 1, bits, 0), test::flat_picture(20001, 1, bits, peak)});
    EXPECT_EQ(scores[kReference1st], 0.0) << bits;
    EXPECT_EQ(scores[kReference2nd], 0.0) << bits;
    EXPECT_EQ(scores[kDistorted1st], luma_peak(bits)) << bits;
    EXPECT_EQ(scores[kDistorted2nd], luma_peak(bits) * luma_peak(bits)) << bits;
  }
}

TEST(FloatMoment, SumsOfTheBrightest16BitRow) {
  const Picture white = test::flat_picture(32768, 1, 16, 65535);
  const FloatMomentRaw raw = measure({white, white});
  EXPECT_EQ(raw.reference.samples, 65535ULL * 32768);
  EXPECT_EQ(raw.reference.squares, 0xFFFE0000ULL * 32768);
  EXPECT_EQ(raw.distorted, raw.reference);
}

TEST(FloatMoment, SumsOfSamplesAboveThePeak) {
  const Picture bright = test::flat_picture(20001, 1, 10, 65535);
  const FloatMomentRaw raw = measure({bright, bright});
  EXPECT_EQ(raw.reference.samples, 65535ULL * 20001);
  EXPECT_EQ(raw.reference.squares, 0xFFFE0000ULL * 20001);
}

TEST(FloatMoment, IsInUnitsThatDoNotDependOnTheDepth) {
  const auto pattern = [](int shift) {
    return [shift](int x, int y) { return ((37 * x + 11 * y) % 256) << shift; };
  };
  const Picture shallow = test::luma_picture(64, 9, 8, pattern(0));
  const Picture deep = test::luma_picture(64, 9, 16, pattern(8));
  const test::Scores expected = scores_of({shallow, shallow});
  const test::Scores actual = scores_of({deep, deep});
  for (const int feature : {kReference1st, kReference2nd, kDistorted1st, kDistorted2nd}) {
    EXPECT_EQ(actual[feature], expected[feature]) << feature;
  }
}

TEST(FloatMoment, DoesNotDependOnTheLayoutOfWrappedMemory) {
  for (const int bits : {8, 16}) {
    const auto pair = test::make_frame(luma_clip("texture", "noise", 67, 53, bits), 0);
    EXPECT_EQ(measure(test::spread(pair)), measure(pair)) << bits;
  }
}

TEST(FloatMoment, CannotBeAskedForByAModel) {
  EXPECT_EQ(find_provider("float_moment_ref1st"), nullptr);
}

}  // namespace
}  // namespace hipvmaf::float_moment
