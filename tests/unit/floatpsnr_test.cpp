#include <cmath>
#include <gtest/gtest.h>

#include "features/float_luma_math.hpp"
#include "features/float_psnr/float_psnr.hpp"
#include "features/psnr/psnr.hpp"
#include "features/psnr/psnr_rows.hpp"
#include "stage_support.hpp"

namespace hipvmaf::float_psnr {
namespace {

using test::luma_clip;
using test::PicturePair;

FloatPsnrRaw measure(const PicturePair& pair) {
  return test::measure<FloatPsnrRaw>(float_psnr_descriptor, pair);
}

double score(const PicturePair& pair) {
  return test::scores_of<FloatPsnrRaw>(float_psnr_descriptor, pair)[0];
}

// The definition: differences and squares in binary32, their sum in binary64.
double sum_of_squares(const PicturePair& pair) {
  const PictureFormat& format = pair.reference.format();
  const float unit = luma_unit(format.bit_depth);
  double sum = 0;
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      const float difference = static_cast<float>(test::sample_at(pair.reference, x, y)) * unit -
                               static_cast<float>(test::sample_at(pair.distorted, x, y)) * unit;
      sum += static_cast<double>(difference * difference);
    }
  }
  return sum;
}

TEST(FloatPsnrSums, AreTheDefinitionsAtEveryDepth) {
  for (int bits = 8; bits <= 16; ++bits) {
    for (const char* distortion : {"quant", "noise", "block"}) {
      const auto pair = test::make_frame(luma_clip("noise", distortion, 301, 7, bits), 2);
      const double sse = std::ldexp(static_cast<double>(measure(pair).sse), -2 * (bits - 8));
      EXPECT_EQ(sse, sum_of_squares(pair)) << bits << ' ' << distortion;
    }
  }
}

TEST(FloatPsnrSums, OfFullScaleDifferencesInLongRows) {
  for (int bits = 8; bits <= 16; ++bits) {
    const int peak = (1 << bits) - 1;
    const PicturePair pair{test::flat_picture(20001, 1, bits, peak),
                           test::flat_picture(20001, 1, bits, 0)};
    const std::uint64_t square =
        static_cast<std::uint64_t>(peak) * static_cast<std::uint64_t>(peak);
    // 2^2b - 2^(b+1) + 1 loses its last term above 12 bits, and nothing else.
    EXPECT_EQ(measure(pair).sse, (bits <= 12 ? square : square - 1) * 20001) << bits;
  }
}

TEST(FloatPsnrSums, OfSamplesAboveThePeak) {
  const PicturePair pair{test::flat_picture(20001, 1, 10, 65535),
                         test::flat_picture(20001, 1, 10, 0)};
  EXPECT_EQ(measure(pair).sse, 0xFFFE0000ULL * 20001);
  EXPECT_EQ(test::measure<PsnrRaw>(psnr_descriptor, pair).sse[0], 0xFFFE0001ULL * 20001);
}

TEST(FloatPsnrSums, SquaresHave24SignificantBitsRoundedToEven) {
  EXPECT_EQ(psnr::rounded_square(0), 0U);
  EXPECT_EQ(psnr::rounded_square((1U << 24) - 1), (1U << 24) - 1);
  EXPECT_EQ(psnr::rounded_square((1U << 24) + 1), 1U << 24);
  EXPECT_EQ(psnr::rounded_square((1U << 24) + 3), (1U << 24) + 4);
  EXPECT_EQ(psnr::rounded_square(0x80000080U), 0x80000000U);
  EXPECT_EQ(psnr::rounded_square(0x80000081U), 0x80000100U);
  EXPECT_EQ(psnr::rounded_square(0x80000180U), 0x80000200U);
  EXPECT_EQ(psnr::rounded_square(0xFFFE0001U), 0xFFFE0000U);
}

TEST(FloatPsnrSums, RunsOfAnyLengthAddUp) {
  for (const int run : {1, 3, 64, 1000}) {
    const auto sum = psnr::sum_in_runs(100, run, [](int x) { return static_cast<unsigned>(x); });
    EXPECT_EQ(sum, 4950U) << run;
  }
}

TEST(FloatPsnrSums, DoNotDependOnTheLayoutOfWrappedMemory) {
  for (const int bits : {8, 12, 16}) {
    const auto pair = test::make_frame(luma_clip("texture", "noise", 67, 53, bits), 0);
    EXPECT_EQ(measure(test::spread(pair)), measure(pair)) << bits;
  }
}

TEST(FloatPsnrScores, EqualThoseOfPsnrUpTo12Bits) {
  for (int bits = 8; bits <= 12; ++bits) {
    const auto pair = test::make_frame(luma_clip("texture", "noise", 161, 77, bits), 1);
    EXPECT_EQ(score(pair), test::scores_of<PsnrRaw>(psnr_descriptor, pair)[0]) << bits;
  }
}

TEST(FloatPsnrScores, OfIdenticalPicturesAreTheCap) {
  for (int bits = 8; bits <= 16; ++bits) {
    const Picture picture = test::flat_picture(1, 1, bits, 3);
    EXPECT_EQ(score({picture, picture}), 6 * bits + 12) << bits;
  }
}

TEST(FloatPsnrScores, OfFullScaleDifferencesAreZero) {
  for (const int bits : {8, 10, 12}) {
    EXPECT_EQ(
        score({test::flat_picture(9, 4, bits, 0), test::flat_picture(9, 4, bits, (1 << bits) - 1)}),
        0.0)
        << bits;
  }
}

TEST(FloatPsnrScores, PeaksAreOnThe8BitScale) {
  EXPECT_EQ(luma_peak(8), 255.0);
  EXPECT_EQ(luma_peak(10), 255.75);
  EXPECT_EQ(luma_peak(12), 255.9375);
  EXPECT_EQ(luma_peak(16), 255.99609375);
}

}  // namespace
}  // namespace hipvmaf::float_psnr
