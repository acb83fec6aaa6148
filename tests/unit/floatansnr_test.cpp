#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hipvmaf/error.hpp>

#include "features/border_math.hpp"
#include "features/float_ansnr/float_ansnr.hpp"
#include "features/float_luma_math.hpp"
#include "stage_support.hpp"

namespace hipvmaf::float_ansnr {
namespace {

using test::luma_clip;
using test::PicturePair;

FloatAnsnrRaw measure(const PicturePair& pair) {
  return test::measure<FloatAnsnrRaw>(float_ansnr_descriptor, pair);
}

test::Scores scores_of(const PicturePair& pair) {
  return test::scores_of<FloatAnsnrRaw>(float_ansnr_descriptor, pair);
}

// The filters as they are defined: every weight of every row on its own.
template <std::size_t size>
float filtered(const Picture& picture, const std::array<std::array<int, size>, size>& parts,
               double whole, int x, int y) {
  const PictureFormat& format = picture.format();
  const int radius = static_cast<int>(size / 2);
  float sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    float row = 0;
    for (std::size_t j = 0; j < size; ++j) {
      const int column = mirrored(x + static_cast<int>(j) - radius, format.width);
      const int line = mirrored(y + static_cast<int>(i) - radius, format.height);
      const float luma =
          static_cast<float>(test::sample_at(picture, column, line)) * luma_unit(format.bit_depth) -
          128.0F;
      row += static_cast<float>(parts[i][j] / whole) * luma;
    }
    sum += row;
  }
  return sum;
}

FloatAnsnrRaw defined_sums(const PicturePair& pair) {
  constexpr std::array<std::array<int, 3>, 3> kReferenceFilter{{{1, 2, 1}, {2, 4, 2}, {1, 2, 1}}};
  constexpr std::array<std::array<int, 5>, 5> kDistortedFilter{{{2, 7, 12, 7, 2},
                                                                {7, 31, 52, 31, 7},
                                                                {12, 52, 127, 52, 12},
                                                                {7, 31, 52, 31, 7},
                                                                {2, 7, 12, 7, 2}}};
  const PictureFormat& format = pair.reference.format();
  FloatAnsnrRaw sums{};
  for (int y = 0; y < format.height; ++y) {
    FloatAnsnrRaw row{};
    for (int x = 0; x < format.width; ++x) {
      const float signal = filtered(pair.reference, kReferenceFilter, 16, x, y);
      const float noise = signal - filtered(pair.distorted, kDistortedFilter, 571, x, y);
      row.signal += signal * signal;
      row.noise += noise * noise;
    }
    sums.signal += row.signal;
    sums.noise += row.noise;
  }
  return sums;
}

TEST(FloatAnsnrSums, AreTheDefinitionsAtEveryDepth) {
  for (int bits = 8; bits <= 16; ++bits) {
    const auto pair = test::make_frame(luma_clip("noise", "noise", 45, 21, bits), 2);
    EXPECT_EQ(measure(pair), defined_sums(pair)) << bits;
  }
}

TEST(FloatAnsnrSums, OfTheSmallestPictures) {
  for (const auto& [width, height] : {std::pair{3, 3}, {3, 4}, {4, 3}, {5, 40}, {40, 5}}) {
    const auto pair = test::make_frame(luma_clip("noise", "sharpen", width, height, 10), 3);
    EXPECT_EQ(measure(pair), defined_sums(pair)) << width << 'x' << height;
  }
}

TEST(FloatAnsnrSums, DoNotDependOnTheLayoutOfWrappedMemory) {
  for (const int bits : {8, 12}) {
    const auto pair = test::make_frame(luma_clip("texture", "block", 67, 53, bits), 0);
    EXPECT_EQ(measure(test::spread(pair)), measure(pair)) << bits;
  }
}

TEST(FloatAnsnrSums, AStageKeepsNothingBetweenFrames) {
  const auto first = test::make_frame(luma_clip("noise", "noise", 30, 20, 8), 0);
  const auto second = test::make_frame(luma_clip("noise", "noise", 30, 20, 8), 3);
  const auto stage =
      make_cpu_stage(test::options_of(float_ansnr_descriptor, {}), first.reference.format());
  FloatAnsnrRaw raw;
  for (const auto* pair : {&first, &second, &first}) {
    const auto frame = std::make_shared<Frame>(Frame{0, pair->reference, pair->distorted});
    stage->measure_into(FrameWindow(frame, {}), &raw);
    EXPECT_EQ(raw, measure(*pair));
  }
}

TEST(FloatAnsnrScores, FlatPicturesHaveNoNoiseButThatOfTheRoundedWeights) {
  int noisy = 0;
  for (int level = 0; level < 256; ++level) {
    const Picture flat = test::flat_picture(8, 8, 8, level);
    const FloatAnsnrRaw raw = measure({flat, flat});
    const test::Scores scores = scores_of({flat, flat});
    if (raw.noise == 0.0F) {
      EXPECT_EQ(scores[kAnsnr], 60.0) << level;
    } else {
      ++noisy;
      EXPECT_GT(scores[kAnsnr], 100.0) << level;  // the cap is not for ratios
    }
    EXPECT_EQ(scores[kAnpsnr], 60.0) << level;
  }
  EXPECT_EQ(noisy, 74);
}

TEST(FloatAnsnrScores, NoiseWithoutSignalIsMinusInfinity) {
  const test::Scores scores =
      scores_of({test::flat_picture(8, 8, 10, 512), test::flat_picture(8, 8, 10, 600)});
  EXPECT_EQ(scores[kAnsnr], -std::numeric_limits<double>::infinity());
  EXPECT_GT(scores[kAnpsnr], 0.0);
}

TEST(FloatAnsnrFormat, RefusesPicturesBelow3x3) {
  for (const auto& [width, height] : {std::pair{2, 100}, {100, 2}}) {
    try {
      require_format(float_ansnr_descriptor, test::options_of(float_ansnr_descriptor, {}),
                     {width, height});
      ADD_FAILURE() << width << 'x' << height;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
      EXPECT_THAT(error.what(),
                  testing::HasSubstr("extractor float_ansnr needs pictures of at least 3x3"));
    }
  }
}

}  // namespace
}  // namespace hipvmaf::float_ansnr
