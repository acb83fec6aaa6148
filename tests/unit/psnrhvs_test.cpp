#include <cmath>
#include <limits>
#include <stdexcept>

#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/psnr_hvs/psnr_hvs_tables.hpp"
#include "features/scored_planes.hpp"
#include "stage_support.hpp"

namespace hipvmaf {
namespace {

using psnr_hvs::kBlockSize;
using test::PicturePair;

using Block = std::array<std::int32_t, kBlockSize>;  // in raster order

// ---- Transform ----

std::array<std::int32_t, 8> transformed(std::array<std::int32_t, 8> values) {
  psnr_hvs::transform8<1>(values.data());
  return values;
}

TEST(PsnrHvsTransform, HasTheKnownCoefficients) {
  using V = std::array<std::int32_t, 8>;
  EXPECT_EQ(transformed({0, 1, 2, 3, 4, 5, 6, 7}), (V{9, -7, -1, 0, -1, 0, 0, 0}));
  EXPECT_EQ(transformed({255, 0, 0, 0, 0, 0, 0, 0}), (V{90, 125, 118, 105, 91, 71, 49, 25}));
  EXPECT_EQ(transformed({16, 235, 16, 235, 16, 235, 16, 235}),
            (V{354, -58, -1, -64, -1, -98, 0, -280}));
  EXPECT_EQ(transformed({-100, 57, -3, 88, 12, -255, 99, 1}),
            (V{-36, 10, -13, -182, 36, 49, -229, 69}));
  EXPECT_EQ(transformed({4095, 4095, 4095, 4095, 4095, 4095, 4095, 4095}),
            (V{11582, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(transformed({1, 0, 0, 0, 0, 0, 0, -1}), (V{0, 1, 0, 1, 0, 0, 0, 0}));
}

// It is a DCT, up to what its steps round.
TEST(PsnrHvsTransform, ApproximatesTheOrthonormalDct) {
  for (std::size_t at = 0; at < 8; ++at) {
    std::array<std::int32_t, 8> impulse{};
    impulse[at] = 4000;
    const auto coefficients = transformed(impulse);
    for (std::size_t k = 0; k < 8; ++k) {
      const double norm = k == 0 ? std::sqrt(1.0 / 8) : 0.5;
      const double exact =
          4000 * norm *
          std::cos(static_cast<double>(2 * at + 1) * static_cast<double>(k) * std::acos(-1.0) / 16);
      EXPECT_NEAR(coefficients[k], exact, 4) << at << " " << k;
    }
  }
}

void transform_block(Block& block) {
  for (int column = 0; column < 8; ++column) psnr_hvs::transform8<8>(block.data() + column);
  for (int row = 0; row < 8; ++row) psnr_hvs::transform8<1>(block.data() + 8 * row);
}

// ---- Tables ----

TEST(PsnrHvsTables, AreThePublishedOnes) {
  constexpr std::array kChecksums{1124.1191711127758, 1534.7241596281528, 1488.7640060782433};
  for (std::size_t plane = 0; plane < 3; ++plane) {
    const psnr_hvs::Weights& sensitivity = psnr_hvs::kSensitivity[plane];
    double checksum = 0;
    for (std::size_t k = 0; k < kBlockSize; ++k) {
      checksum += static_cast<double>(k + 1) * static_cast<double>(sensitivity[k]);
      EXPECT_EQ(sensitivity[k], sensitivity[8 * (k % 8) + k / 8]) << "not symmetric";
    }
    EXPECT_EQ(checksum, kChecksums[plane]);
  }
}

TEST(PsnrHvsTables, MaskWithTheSquareOfTheSensitivity) {
  EXPECT_EQ(psnr_hvs::kMasking[0].front(), 0x1.95764cp-2F);
  EXPECT_EQ(psnr_hvs::kMasking[0].back(), 0x1.d6fce2p-10F);
  for (std::size_t plane = 0; plane < 3; ++plane) {
    for (std::size_t k = 0; k < kBlockSize; ++k) {
      const double scaled =
          static_cast<double>(psnr_hvs::kSensitivity[plane][k]) * 0.3885746225901003;
      EXPECT_EQ(psnr_hvs::kMasking[plane][k], static_cast<float>(scaled * scaled));
    }
  }
}

TEST(PsnrHvsBlocks, OverlapByOneSample) {
  EXPECT_EQ(psnr_hvs::blocks_along(7), 0);
  EXPECT_EQ(psnr_hvs::blocks_along(8), 1);
  EXPECT_EQ(psnr_hvs::blocks_along(14), 1);
  EXPECT_EQ(psnr_hvs::blocks_along(15), 2);
  EXPECT_EQ(psnr_hvs::blocks_along(1920), 274);
}

// ---- A block, step by step ----

float ratio_of(const Block& samples) {
  const auto deviation = [&](int quadrant) {
    const std::int32_t* square = samples.data() + psnr_hvs::quadrant_start(quadrant);
    return psnr_hvs::squared_deviation<4, 1>(square, psnr_hvs::square_mean<4, 1>(square));
  };
  const float mean = psnr_hvs::square_mean<8, 1>(samples.data());
  return psnr_hvs::variance_ratio(psnr_hvs::squared_deviation<8, 1>(samples.data(), mean),
                                  deviation(0), deviation(1), deviation(2), deviation(3));
}

float threshold_of(const Block& samples, const Block& coefficients, std::size_t plane) {
  return psnr_hvs::masking_threshold(
      psnr_hvs::masking_energy<1>(coefficients.data(), psnr_hvs::kMasking[plane].data()),
      ratio_of(samples));
}

// Adds the terms of a block, one after the other.
void add_block(Block reference, Block distorted, std::size_t plane, float& error) {
  const Block samples_r = reference;
  const Block samples_d = distorted;
  transform_block(reference);
  transform_block(distorted);
  const float threshold = std::max(threshold_of(samples_r, reference, plane),
                                   threshold_of(samples_d, distorted, plane));
  const psnr_hvs::Weights& sensitivity = psnr_hvs::kSensitivity[plane];
  error += psnr_hvs::dc_term(reference[0], distorted[0], sensitivity[0]);
  for (std::size_t k = 1; k < kBlockSize; ++k) {
    error += psnr_hvs::ac_term(reference[k], distorted[k], sensitivity[k],
                               psnr_hvs::kMasking[plane][k], threshold);
  }
}

int example_reference(int i, int j) { return 100 + 2 * i + 3 * j + i * j % 3; }
int example_distorted(int i, int j) {
  return example_reference(i, j) + 3 * ((i * i + 3 * j * j) % 7) - 9;
}

template <class Value>
Block block_of(const Value& value) {
  Block block{};
  for (int k = 0; k < kBlockSize; ++k) block[static_cast<std::size_t>(k)] = value(k / 8, k % 8);
  return block;
}

TEST(PsnrHvsBlock, IsMaskedByItsTexture) {
  const Block reference = block_of(example_reference);
  const Block distorted = block_of(example_distorted);
  EXPECT_EQ(ratio_of(reference), 0.242701188F);
  EXPECT_EQ(ratio_of(distorted), 0.5386886F);
  Block coefficients_r = reference;
  Block coefficients_d = distorted;
  transform_block(coefficients_r);
  transform_block(coefficients_d);
  const auto row = [](const Block& block, int i) {
    return std::vector<std::int32_t>(block.begin() + 8 * i, block.begin() + 8 * (i + 1));
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(row(coefficients_r, 0), ElementsAre(944, -56, -2, -5, -2, -4, 1, 0));
  EXPECT_THAT(row(coefficients_d, 0), ElementsAre(935, -55, -8, -6, -13, -5, 0, 1));
  EXPECT_THAT(row(coefficients_r, 7), ElementsAre(0, -1, -1, 1, -1, -1, 0, 1));
  EXPECT_THAT(row(coefficients_d, 4), ElementsAre(0, 1, -9, 0, -2, 2, -18, 0));
  EXPECT_THAT(row(coefficients_d, 6), ElementsAre(2, 0, -11, 0, 28, -2, 3, 0));
  EXPECT_EQ(threshold_of(reference, coefficients_r, 0), 0.923126161F);
  EXPECT_EQ(threshold_of(distorted, coefficients_d, 0), 1.42969036F);
  float error = 0;
  add_block(reference, distorted, 0, error);
  EXPECT_EQ(error, 1564.70642F);
}

TEST(PsnrHvsBlock, DoesNotMaskWhenItIsFlat) {
  const Block flat = block_of([](int, int) { return 200; });
  EXPECT_EQ(ratio_of(flat), 0.0F);
  EXPECT_EQ(psnr_hvs::ac_term(5, 2, 2, 0.25F, 0), 36.0F);
  EXPECT_EQ(psnr_hvs::ac_term(2, 5, 2, 0.25F, 0.5F), 4.0F);
  EXPECT_EQ(psnr_hvs::ac_term(2, 5, 2, 0.25F, 0.75F), 0.0F);
  EXPECT_EQ(psnr_hvs::ac_term(2, 5, 2, 0.25F, 100), 0.0F);
}

TEST(PsnrHvsBlock, AloneMakesTheKnownScores) {
  const PictureFormat format{8, 8, ChromaFormat::yuv444, 8};
  const PicturePair pair{
      test::painted(format, [](int, int x, int y) { return example_reference(y, x); }),
      test::painted(format, [](int, int x, int y) { return example_distorted(y, x); })};
  const auto raw = test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, pair);
  const auto scores = test::scores_of_raw(psnr_hvs_descriptor, raw, format);
  EXPECT_EQ(scores[0], 34.248274716989776);
  EXPECT_EQ(scores[1], 38.4985712534099);
  EXPECT_EQ(scores[2], 38.54548293163928);
  EXPECT_EQ(scores[psnr_hvs::kMeanFeature], 34.82939256624212);
}

// ---- Planes ----

// Block by block in one sequence, without lanes.
template <class Sample>
PsnrHvsRaw direct(const PicturePair& pair) {
  PsnrHvsRaw raw{};
  const PictureFormat& format = pair.reference.format();
  for (int p = 0; p < format.plane_count(); ++p) {
    const auto index = static_cast<std::size_t>(p);
    for (int y = 0; y + 8 <= scored_height(format, p); y += 7) {
      for (int x = 0; x + 8 <= scored_width(format, p); x += 7) {
        const auto load = [&](const Picture& picture) {
          return block_of([&](int i, int j) { return picture.plane<Sample>(p).row(y + i)[x + j]; });
        };
        add_block(load(pair.reference), load(pair.distorted), index, raw.error[index]);
      }
    }
  }
  return raw;
}

TEST(PsnrHvsSums, RunOverTheBlocksInOrder) {
  for (int width = 16; width < 260; width += 9) {
    const int height = 16 + width % 31;
    const auto deep = test::small_pair(width, height, ChromaFormat::yuv422, 11);
    EXPECT_EQ(test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, deep), direct<std::uint16_t>(deep));
    const auto pair = test::small_pair(width, height, ChromaFormat::yuv420, 8);
    EXPECT_EQ(test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, pair), direct<std::uint8_t>(pair))
        << width << "x" << height;
  }
}

TEST(PsnrHvsSums, DoNotDependOnTheMemoryLayout) {
  for (const auto& [width, height] : {std::pair{16, 16}, {29, 47}, {71, 90}}) {
    const auto pair = test::small_pair(width, height, ChromaFormat::yuv420, 8);
    const PicturePair apart = test::spread(pair);
    EXPECT_EQ(test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, apart),
              test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, pair));
    const auto deep = test::small_pair(width, height, ChromaFormat::yuv444, 12);
    const PicturePair deep_apart = test::spread(deep);
    EXPECT_EQ(test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, deep_apart),
              test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, deep));
  }
}

// 15 chroma columns would hold two blocks, 14 hold one.
TEST(PsnrHvsSums, LeaveTheLastChromaSamplesOfOddSizesOut) {
  const PictureFormat format{29, 29, ChromaFormat::yuv420, 8};
  const auto paint = [&](int last) {
    return test::painted(format, [last](int plane, int x, int y) {
      return plane > 0 && (x == 14 || y == 14) ? last : 16 * plane + x * y % 17;
    });
  };
  const PsnrHvsRaw raw = test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, {paint(0), paint(255)});
  EXPECT_EQ(raw, PsnrHvsRaw{});
}

TEST(PsnrHvsSums, SurviveSamplesAboveTheNominalDepth) {
  for (const int bits : {9, 10, 12}) {
    const PictureFormat format{40, 24, ChromaFormat::yuv420, bits};
    const PicturePair pair = test::wild_pair(format);
    EXPECT_EQ(test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, pair),
              test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, pair));
  }
}

TEST(PsnrHvsSums, OfExtremeSamplesDoNotOverflow) {
  const PictureFormat format{64, 64, ChromaFormat::yuv420, 12};
  for (int pattern = 1; pattern < 8; ++pattern) {
    const auto paint = [&](int low, int high) {
      return test::painted(format, [&](int, int x, int y) {
        return ((x * pattern) ^ (y * (pattern / 2))) & 2 ? high : low;
      });
    };
    const PicturePair pair{paint(0, 4095), paint(4095, 0)};
    EXPECT_EQ(test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, pair), direct<std::uint16_t>(pair));
  }
}

// ---- Scores ----

TEST(PsnrHvsScores, OfIdenticalPicturesAreInfinite) {
  const auto pair = test::small_pair(50, 41, ChromaFormat::yuv420, 8);
  const auto raw = test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, {pair.reference, pair.reference});
  EXPECT_EQ(raw, PsnrHvsRaw{});
  const auto scores = test::scores_of_raw(psnr_hvs_descriptor, raw, pair.reference.format());
  for (int feature = 0; feature <= psnr_hvs::kMeanFeature; ++feature)
    EXPECT_EQ(scores[feature], std::numeric_limits<double>::infinity()) << feature;
}

TEST(PsnrHvsScores, MayBeNegative) {
  const PictureFormat format{64, 64, ChromaFormat::yuv420, 8};
  const PicturePair pair{test::flat(format, 0), test::flat(format, 255)};
  const auto scores = test::scores_of<PsnrHvsRaw>(psnr_hvs_descriptor, pair);
  EXPECT_NEAR(scores[0], -4.18, 0.01);
}

TEST(PsnrHvsScores, OfLumaAloneAreTheTotal) {
  const test::Requests luma_only{{"enable_chroma", "false"}};
  const auto pair = test::small_pair(50, 41, ChromaFormat::yuv420, 8);
  const PsnrHvsRaw whole = test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, pair);
  const PsnrHvsRaw luma = test::measure<PsnrHvsRaw>(psnr_hvs_descriptor, pair, luma_only);
  EXPECT_EQ(luma, (PsnrHvsRaw{{whole.error[0], 0, 0}}));
  const auto scores = test::scores_of<PsnrHvsRaw>(psnr_hvs_descriptor, pair, luma_only);
  EXPECT_EQ(scores[psnr_hvs::kMeanFeature], scores[0]);
  EXPECT_THROW((void)scores[1], std::out_of_range) << "Cb is not measured";
  EXPECT_THROW((void)scores[2], std::out_of_range) << "Cr is not measured";
}

// ---- Refusals ----

TEST(PsnrHvsFormat, NeedsChroma) {
  const PictureFormat grey{64, 64, ChromaFormat::yuv400, 8};
  test::expect_refused(psnr_hvs_descriptor, {}, grey, "psnr_hvs needs chroma planes");
  test::expect_refused(psnr_hvs_descriptor, {{"enable_chroma", "false"}}, grey, "chroma planes");
}

TEST(PsnrHvsFormat, NeedsABlockInEveryPlane) {
  using test::expect_refused;
  expect_refused(psnr_hvs_descriptor, {}, {7, 64, ChromaFormat::yuv444, 8}, "at least 8x8");
  expect_refused(psnr_hvs_descriptor, {}, {64, 7, ChromaFormat::yuv444, 8}, "at least 8x8");
  expect_refused(psnr_hvs_descriptor, {}, {15, 64, ChromaFormat::yuv420, 8},
                 "chroma planes of at least 8x8");
  expect_refused(psnr_hvs_descriptor, {}, {64, 15, ChromaFormat::yuv420, 8},
                 "chroma planes of at least 8x8");
  expect_refused(psnr_hvs_descriptor, {}, {15, 64, ChromaFormat::yuv422, 8},
                 "chroma planes of at least 8x8");
  expect_refused(psnr_hvs_descriptor, {}, {64, 64, ChromaFormat::yuv420, 13}, "at most 12 bits");
  for (const PictureFormat& format : {PictureFormat{16, 16, ChromaFormat::yuv420, 12},
                                      {16, 8, ChromaFormat::yuv422, 8},
                                      {8, 8, ChromaFormat::yuv444, 8}}) {
    EXPECT_NO_THROW(
        require_format(psnr_hvs_descriptor, test::options_of(psnr_hvs_descriptor, {}), format));
  }
  EXPECT_NO_THROW(require_format(
      psnr_hvs_descriptor, test::options_of(psnr_hvs_descriptor, {{"enable_chroma", "false"}}),
      {8, 8, ChromaFormat::yuv420, 8}));
}

}  // namespace
}  // namespace hipvmaf
