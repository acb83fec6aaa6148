// The steps of SpEED one by one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "features/gaussian/scaled_gaussian.hpp"
#include "features/resample/resample.hpp"
#include "features/speed/speed_blocks.hpp"
#include "features/speed/speed_covariance.hpp"
#include "features/speed/speed_decimation.hpp"
#include "features/speed/speed_eigen.hpp"
#include "features/speed/speed_math.hpp"
#include "features/speed/speed_score.hpp"
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

// ---- Decimation ----

struct Samples {
  Samples(int w, int h) : width(w), height(h), values(static_cast<std::size_t>(w * h)) {}
  [[nodiscard]] float& at(int x, int y) { return values[static_cast<std::size_t>(y * width + x)]; }

  int width;
  int height;
  std::vector<float> values;
};

class RowsOf final : public speed::RowSource {
 public:
  explicit RowsOf(const Samples& samples) : samples_(samples) {}
  void read_row(int y, int width, float* out) const override {
    std::copy_n(samples_.values.begin() + y * samples_.width, width, out);
  }

 private:
  const Samples& samples_;
};

// The whole picture, filtered down the columns, then along the rows.
Samples filtered_plainly(Samples in, const std::vector<float>& taps) {
  const auto inside = [](int i, int length) {
    if (i < 0) return -i;
    return i < length ? i : 2 * length - i - 2;
  };
  const int count = static_cast<int>(taps.size());
  Samples columns(in.width, in.height);
  Samples out(in.width, in.height);
  for (int y = 0; y < in.height; ++y) {
    for (int x = 0; x < in.width; ++x) {
      for (int k = 0; k < count; ++k)
        columns.at(x, y) +=
            taps[static_cast<std::size_t>(k)] * in.at(x, inside(y - count / 2 + k, in.height));
    }
  }
  for (int y = 0; y < in.height; ++y) {
    for (int x = 0; x < in.width; ++x) {
      for (int k = 0; k < count; ++k)
        out.at(x, y) +=
            taps[static_cast<std::size_t>(k)] * columns.at(inside(x - count / 2 + k, in.width), y);
    }
  }
  return out;
}

std::vector<float> details_plainly(const Samples& picture, float kernel_scale) {
  const int low_pass = scaled_filter_width(9, kernel_scale);
  const int local = scaled_filter_width(2, kernel_scale);
  Samples smooth =
      filtered_plainly(picture, gaussian_taps(low_pass, static_cast<float>(2.0 * low_pass / 5.0)));
  Samples small(picture.width / 16, picture.height / 16);
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width; ++x) small.at(x, y) = smooth.at(16 * x, 16 * y);
  }
  const Samples mean =
      filtered_plainly(small, gaussian_taps(local, static_cast<float>(local) / 5.0F));
  for (std::size_t i = 0; i < small.values.size(); ++i) small.values[i] -= mean.values[i];
  return small.values;
}

Samples random_samples(int width, int height) {
  Samples samples(width, height);
  std::mt19937 random(static_cast<unsigned>(width * 1000 + height));
  for (float& value : samples.values) value = static_cast<float>(random() % 1024) / 4 - 128;
  return samples;
}

TEST(SpeedDecimation, FollowsTheDefinition) {
  for (const auto& [width, height] : {std::pair{80, 80}, {81, 95}, {95, 81}, {96, 97}, {129, 80}}) {
    const Samples picture = random_samples(width, height);
    for (const char* kernel_scale : {"0.444444", "1", "3.71134"}) {
      const OptionValues options =
          options_of(speed_temporal_descriptor, {{"speed_kernelscale", kernel_scale}});
      speed::Decimator decimator(options, speed::geometry_of(options, width, height));
      const auto details = decimator.details_of(RowsOf(picture));
      const std::vector<float> got(details.data, details.data + details.width * details.height);
      EXPECT_EQ(got, details_plainly(picture, std::stof(kernel_scale)))
          << width << "x" << height << " scale " << kernel_scale;
    }
  }
}

TEST(SpeedDecimation, ScalesThePictureFirst) {
  const Samples picture = random_samples(117, 91);
  for (const char* method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
    for (const double scale : {0.9, 1.3}) {
      const OptionValues options = options_of(
          speed_temporal_descriptor,
          {{"speed_prescale", scale < 1 ? "0.9" : "1.3"}, {"speed_prescale_method", method}});
      const speed::Geometry geometry = speed::geometry_of(options, 117, 91);
      Samples scaled(geometry.width, geometry.height);
      resample::Resampler resampler(resample::find_method(method).value(), 117, 91, geometry.width,
                                    geometry.height);
      resampler.begin({picture.values.data(), 117, 91, 117});
      for (int y = 0; y < geometry.height; ++y) resampler.make_row(y, &scaled.at(0, y));
      speed::Decimator decimator(options, geometry);
      const auto details = decimator.details_of(RowsOf(picture));
      const std::vector<float> got(details.data, details.data + details.width * details.height);
      EXPECT_EQ(got, details_plainly(scaled, 1)) << method << " " << scale;
    }
  }
}

// ---- Geometry ----

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
  for (const char* prescale : {"0.999", "1.002"})
    EXPECT_TRUE(geometry(prescale, 1000, 500).resampled) << prescale;
  EXPECT_FALSE(geometry("1.001", 1000, 500).resampled) << "less than 0.001 more in binary64";
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

TEST(SpeedMath, Log2IsAsGoodAsTheLibrarys) {
  std::mt19937 random(5);
  double worst = 0;
  const auto compare = [&worst](double x) {
    const long double exact = std::log2(static_cast<long double>(x));
    const long double error = static_cast<long double>(speed::log2_of(x)) - exact;
    worst = std::max(worst, static_cast<double>(std::abs(error / exact)));
  };
  for (int i = 0; i < 100000; ++i) {
    const double fraction = std::ldexp(static_cast<double>(random()) + 1, -32);
    compare(std::ldexp(1 + fraction, static_cast<int>(random() % 2000) - 1000));
    compare(1 + std::ldexp(fraction, -static_cast<int>(random() % 20)));
    compare(1 - std::ldexp(fraction, -1 - static_cast<int>(random() % 20)));
  }
  EXPECT_LT(worst, 4e-16);
}

TEST(SpeedMath, Log2OfWhatIsNoPositiveNumber) {
  using Limits = std::numeric_limits<double>;
  for (const int exponent : {-1022, -1, 0, 1, 1023})
    EXPECT_EQ(speed::log2_of(std::ldexp(1.0, exponent)), exponent);
  EXPECT_EQ(speed::log2_of(0), -Limits::infinity());
  EXPECT_EQ(speed::log2_of(Limits::infinity()), Limits::infinity());
  EXPECT_TRUE(std::isnan(speed::log2_of(-1)));
  EXPECT_TRUE(std::isnan(speed::log2_of(-Limits::infinity())));
  EXPECT_TRUE(std::isnan(speed::log2_of(Limits::quiet_NaN())));
}

TEST(SpeedMath, EntropyIsThatOfAGaussian) {
  const double pi = std::acos(-1.0);
  EXPECT_DOUBLE_EQ(speed::gaussian_entropy(1), std::log2(2 * pi * std::exp(1.0)));
  EXPECT_DOUBLE_EQ(speed::gaussian_entropy(8), 3 + speed::gaussian_entropy(1));
  EXPECT_EQ(speed::noisy_variance(3, 0.5F, 0.25F), 1.75F);
  EXPECT_EQ(speed::noisy_variance(-3, 0.5F, 0.25F), 0.25F);
}

// Every sum is made in double precision and rounded to single precision.
TEST(SpeedMath, EntropyRoundsAtEveryEigenvalue) {
  const float noise = 0x1p3F;
  const float first = speed::entropy_with(0, 0, 1, noise);
  EXPECT_EQ(first, static_cast<float>(3 + 4.0941911703612819));
  EXPECT_EQ(speed::entropy_with(first, 0, 1, noise),
            static_cast<float>(static_cast<double>(first) + (3 + 4.0941911703612819)));
  EXPECT_EQ(speed::entropy_with(1, 2, 3, 2), static_cast<float>(1 + (3 + 4.0941911703612819)));
  EXPECT_EQ(speed::variance_term(5, 3), 15.0F / 25.0F);
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
  EXPECT_EQ(speed::weighted_difference(100, 90, 80, {4, 8}), 70);
  EXPECT_EQ(speed::weighted_difference(100, 90, 80, {8, 8}), 30);
}

TEST(SpeedMath, BlocksCountWhereEitherPictureIsVisible) {
  EXPECT_EQ(speed::weighted_difference(100, 90, 90, {8, 8}), 30);
  EXPECT_EQ(speed::weighted_difference(100, 90, 95, {8, 8}), 30);
  EXPECT_EQ(speed::weighted_difference(90, 100, 95, {8, 8}), 30);
  EXPECT_EQ(speed::weighted_difference(100, 90, 100, {8, 8}), 30);
  EXPECT_EQ(speed::weighted_difference(100, 90, 100.5F, {8, 8}), 0);
}

// Differences as small as the neural noise, in which blocks of all kinds occur.
TEST(SpeedScore, IsTheMeanOverAllBlocksOfTheVisibleOnes) {
  const Samples strong = random_samples(400, 330);
  Samples reference = strong;
  Samples distorted = strong;
  for (int y = 0; y < 330; ++y) {
    for (int x = 0; x < 400; ++x) {
      reference.at(x, y) /= x < 200 ? 64.0F : 4.0F;
      distorted.at(x, y) /= y < 165 ? 4.0F : 64.0F;
    }
  }
  const OptionValues options =
      options_of(speed_temporal_descriptor, {{"speed_nn_floor", "1"}, {"speed_sigma_nn", "1.5"}});
  const speed::Geometry geometry = speed::geometry_of(options, 400, 330);
  const auto statistics_of = [&](const Samples& picture) {
    speed::Decimator decimator(options, geometry);
    speed::BlockStatistics blocks;
    EXPECT_TRUE(
        speed::BlockModel(geometry, 1.5F).measure(decimator.details_of(RowsOf(picture)), blocks));
    return blocks;
  };
  const speed::BlockStatistics r = statistics_of(reference);
  const speed::BlockStatistics d = statistics_of(distorted);
  const auto limit = static_cast<float>(25 * speed::gaussian_entropy(3));
  int invisible = 0;
  int one_visible = 0;
  float sum = 0;
  for (std::size_t j = 0; j < r.entropies.size(); ++j) {
    const int visible = (r.entropies[j] >= limit ? 1 : 0) + (d.entropies[j] >= limit ? 1 : 0);
    invisible += visible == 0 ? 1 : 0;
    one_visible += visible == 1 ? 1 : 0;
    if (visible == 0) continue;
    const auto weights = speed::weights_of(speed::Weighting::own, r.variances[j], d.variances[j]);
    sum += speed::weighted_difference(r.entropies[j], d.entropies[j], 0, weights);
  }
  EXPECT_GT(invisible, 0) << "the floor is not tested";
  EXPECT_GT(one_visible, 0);
  EXPECT_LT(invisible, static_cast<int>(r.entropies.size()) - one_visible);
  speed::PairScorer scorer(options, speed::Weighting::own, 400, 330);
  EXPECT_EQ(scorer.score(RowsOf(reference), RowsOf(distorted)),
            (speed::PlaneScore{sum / static_cast<float>(r.entropies.size()), 0}));
}

}  // namespace
}  // namespace hipvmaf
