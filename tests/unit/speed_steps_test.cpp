// The steps of SpEED one by one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "features/speed/speed_blocks.hpp"
#include "features/speed/speed_covariance.hpp"
#include "features/speed/speed_decimation.hpp"
#include "features/speed/speed_eigen.hpp"
#include "features/speed/speed_math.hpp"
#include "speed_support.hpp"

namespace hipvmaf {
namespace {

using test::frames_of;
using test::measure_temporal;
using test::options_of;
using test::texture_clip;

// Of the reference's Cb in the first frame of sd8.
TEST(SpeedSteps, HaveTheKnownValues) {
  const test::PicturePair pair = test::make_frame(test::standard_clip("sd8"), 0);
  const OptionValues options = options_of(speed_chroma_descriptor, {});
  const speed::Geometry geometry = speed::geometry_of(options, 288, 162);
  speed::Decimator decimator(options, geometry);
  const auto details =
      decimator.details_of(speed::CentredRows(pair.reference.plane<std::uint8_t>(1), 8));
  EXPECT_EQ(details.width, 18);
  EXPECT_EQ(details.height, 10);
  EXPECT_EQ(details.row(0)[0], 0x1.c9ce6ap+2F);
  EXPECT_EQ(details.row(0)[1], -0x1.752338p+1F);
  EXPECT_EQ(details.row(0)[2], 0x1.0fabb8p+3F);
  EXPECT_EQ(details.row(0)[3], 0x1.18bf26p+3F);

  const speed::Vector means = speed::window_means(details, geometry);
  EXPECT_EQ(means[0], 0x1.c09ff4p-3F);
  EXPECT_EQ(means[24], -0x1.a81b32p-3F);
  const speed::Matrix covariance = speed::window_covariance(details, geometry, means);
  EXPECT_EQ(covariance[0][0], 0x1.096fd4p+6F);
  EXPECT_EQ(covariance[1][0], -0x1.d34f6ep+4F);
  EXPECT_EQ(covariance[24][24], 0x1.82ceb4p+5F);
  const speed::Vector eigenvalues = speed::eigenvalues_of(covariance);
  EXPECT_EQ(eigenvalues[0], 0x1.6395ecp+7F);
  EXPECT_EQ(eigenvalues[1], 0x1.433646p+7F);
  EXPECT_EQ(eigenvalues[7], 0x1.f3b4d4p+0F);
  EXPECT_EQ(eigenvalues[24], 0x1.18706cp+5F);

  speed::BlockStatistics blocks;
  ASSERT_TRUE(speed::BlockModel(geometry, 0.29F).measure(details, blocks));
  ASSERT_EQ(blocks.variances.size(), 6U);
  ASSERT_EQ(blocks.entropies.size(), 6U);
  EXPECT_EQ(blocks.variances[0], 0x1.038b56p+0F);
  EXPECT_EQ(blocks.variances[1], 0x1.0f87c6p+0F);
  EXPECT_EQ(blocks.entropies[0], 0x1.d905f6p+7F);
  EXPECT_EQ(blocks.entropies[1], 0x1.dc3c6cp+7F);
}

TEST(SpeedGeometry, FollowsThePrescale) {
  const auto geometry = [](const char* prescale, int width, int height) {
    return speed::geometry_of(options_of(speed_temporal_descriptor, {{"speed_prescale", prescale}}),
                              width, height);
  };
  const speed::Geometry plain = geometry("1", 1920, 1087);
  EXPECT_FALSE(plain.resampled);
  EXPECT_EQ(plain.width, 1920);
  EXPECT_EQ(plain.decimated_width(), 120);
  EXPECT_EQ(plain.decimated_height(), 67);
  EXPECT_EQ(plain.block_columns(), 24);
  EXPECT_EQ(plain.block_rows(), 13);
  EXPECT_EQ(plain.blocks(), 24 * 13);
  EXPECT_EQ(plain.window_columns(), 116);
  EXPECT_EQ(plain.window_rows(), 61);

  const speed::Geometry smaller = geometry("0.6", 353, 289);
  EXPECT_TRUE(smaller.resampled);
  EXPECT_EQ(smaller.width, 212);
  EXPECT_EQ(smaller.height, 173);
  // Near 1, pictures are cropped, but nothing can be added to them.
  const speed::Geometry cropped = geometry("0.9991", 1000, 500);
  EXPECT_FALSE(cropped.resampled);
  EXPECT_EQ(cropped.width, 999);
  EXPECT_EQ(cropped.height, 500);
  const speed::Geometry uncropped = geometry("1.0009", 1000, 500);
  EXPECT_FALSE(uncropped.resampled);
  EXPECT_EQ(uncropped.width, 1000);
  EXPECT_EQ(uncropped.height, 500);
  EXPECT_FALSE(geometry("1.002", 100, 100).resampled) << "same size";
}

TEST(SpeedGeometry, CroppingTakesTheTopLeftPart) {
  const auto frames = frames_of(texture_clip(800, 400, ChromaFormat::yuv400, 8));
  const auto crop = [](const Picture& picture) {
    PictureBuffer buffer({799, 400, ChromaFormat::yuv400, 8});
    for (int y = 0; y < 400; ++y) {
      std::copy_n(picture.plane<std::uint8_t>(0).row(y), 799, buffer.plane<std::uint8_t>(0).row(y));
    }
    return std::move(buffer).finish();
  };
  std::vector<test::PicturePair> cropped;
  for (const auto& pair : frames) cropped.push_back({crop(pair.reference), crop(pair.distorted)});
  const SpeedTemporalRaw raw = measure_temporal(frames, 1, {{"speed_prescale", "0.9991"}});
  EXPECT_EQ(raw, measure_temporal(cropped, 1));
  EXPECT_GT(raw.luma.value, 0);
}

TEST(SpeedMath, SamplesAreInEightBitCodeValues) {
  EXPECT_EQ(speed::centred_sample(200, 1), 72);
  EXPECT_EQ(speed::centred_sample(803, 0.25F), 72.75F);
  EXPECT_EQ(speed::centred_sample(65535, 1 / 256.0F), 127.99609375F);
  EXPECT_EQ(speed::sample_difference(10, 1023, 0.25F), -253.25F);
}

TEST(SpeedMath, EntropyIsThatOfAGaussian) {
  const double pi = std::acos(-1.0);
  EXPECT_DOUBLE_EQ(speed::gaussian_entropy(1), std::log2(2 * pi * std::exp(1.0)));
  EXPECT_DOUBLE_EQ(speed::gaussian_entropy(8), 3 + speed::gaussian_entropy(1));
  EXPECT_EQ(speed::noisy_variance(3, 0.5F, 0.25F), 1.75F);
  EXPECT_EQ(speed::noisy_variance(-3, 0.5F, 0.25F), 0.25F);
}

TEST(SpeedMath, WeightsFollowTheMode) {
  const auto weights = [](int mode) {
    const auto w = speed::weights_of(static_cast<speed::Weighting>(mode), 3, 7);
    return std::pair{w.reference, w.distorted};
  };
  EXPECT_EQ(weights(0), std::pair(4.0, 8.0));
  EXPECT_EQ(weights(1), std::pair(4.0, 4.0));
  EXPECT_EQ(weights(2), std::pair(8.0, 8.0));
  EXPECT_EQ(weights(3), std::pair(6.0, 6.0));
  EXPECT_EQ(weights(4), std::pair(4.0, 6.0));
  EXPECT_EQ(weights(5), std::pair(4.0, 5.0));
  EXPECT_EQ(weights(6), std::pair(4.0, 7.0));
}

// 2^-30 vanishes when it is added to 1 in single precision, but not in double.
TEST(SpeedMath, WeightsAddOneInTheDefinedPrecision) {
  const float small = 0x1p-30F;
  for (int mode = 0; mode <= 6; ++mode) {
    const auto w = speed::weights_of(static_cast<speed::Weighting>(mode), small, small);
    EXPECT_EQ(w.reference, mode == 3 ? 1 + 0x1p-30 : 1) << mode;
    EXPECT_EQ(w.distorted, mode >= 3 ? 1 + 0x1p-30 : 1) << mode;
  }
}

TEST(SpeedMath, DifferenceOfWeightedEntropies) {
  EXPECT_EQ(speed::weighted_difference(100, 90, {4, 8}), 70);
  EXPECT_EQ(speed::weighted_difference(100, 90, {8, 8}), 30);
}

}  // namespace
}  // namespace hipvmaf
