#include "features/ssimulacra2/ssimulacra2.hpp"

#include <bit>
#include <cmath>

#include "features/ssimulacra2/ssimulacra2_blur.hpp"
#include "features/ssimulacra2/ssimulacra2_colour.hpp"
#include "features/ssimulacra2/ssimulacra2_weights.hpp"
#include "ssimulacra2_support.hpp"
#include "stage_support.hpp"

namespace hipvmaf {
namespace {

using ssimulacra2::kChannels;
using ssimulacra2::kScales;
using ssimulacra2::kStripRows;
using test::blurred_line;
using test::noise;
using test::PicturePair;

// ---- Colour ----

TEST(Ssimulacra2Colour, HasTheKnownMatrices) {
  for (const int choice : {0, 1, 2, 3}) {
    const auto matrix = ssimulacra2::colour_matrix(choice);
    const bool bt709 = choice % 2 == 0;
    EXPECT_EQ(matrix.red_from_v, bt709 ? 0x1.932618p+0F : 0x1.66e978p+0F);
    EXPECT_EQ(matrix.blue_from_u, bt709 ? 0x1.db089ap+0F : 0x1.c5a1cap+0F);
    EXPECT_EQ(matrix.green_from_u, bt709 ? -0x1.7fa3dcp-3F : -0x1.606542p-2F);
    EXPECT_EQ(matrix.green_from_v, bt709 ? -0x1.df5bf8p-2F : -0x1.6da344p-1F);
    EXPECT_EQ(matrix.luma_scale, choice < 2 ? 0x1.2a150ap+0F : 1.0F);
    EXPECT_EQ(matrix.chroma_scale, choice < 2 ? 0x1.236db6p+0F : 1.0F);
    EXPECT_EQ(matrix.luma_offset, choice < 2 ? 0x1.010102p-4F : 0.0F);
  }
  EXPECT_EQ(ssimulacra2::sample_scale(8), 0x1.010102p-8F);
  EXPECT_EQ(ssimulacra2::sample_scale(10), 0x1.00401p-10F);
  EXPECT_EQ(ssimulacra2::sample_scale(12), 0x1.001002p-12F);
  EXPECT_EQ(ssimulacra2::sample_scale(16), 0x1.0001p-16F);
}

TEST(Ssimulacra2Colour, HasTheKnownTransferTable) {
  const auto table = ssimulacra2::transfer_table();
  EXPECT_EQ(table[0], 0.0F);
  EXPECT_EQ(table[1], 0x1.3d5678p-14F);
  EXPECT_EQ(table[41], 0x1.9696cap-9F);
  EXPECT_EQ(table[42], 0x1.a0a38cp-9F);
  EXPECT_EQ(table[512], 0x1.b74888p-3F);
  EXPECT_EQ(table[1023], 1.0F);
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const float entry : table.first<1024>()) {
    const auto bits = std::bit_cast<std::uint32_t>(entry);
    for (unsigned byte = 0; byte < 4; ++byte) {
      crc ^= (bits >> (8U * byte)) & 0xFFU;
      for (int i = 0; i < 8; ++i) crc = (crc >> 1U) ^ (0xEDB88320U & (0U - (crc & 1U)));
    }
  }
  EXPECT_EQ(~crc, 0x6345148fU);
}

TEST(Ssimulacra2Colour, InterpolatesLightBetweenTheEntries) {
  const float* table = ssimulacra2::transfer_table().data();
  EXPECT_EQ(ssimulacra2::linear_light(0, table), 0.0F);
  EXPECT_EQ(ssimulacra2::linear_light(1, table), 1.0F);
  const float below_one = ssimulacra2::linear_light(std::nextafterf(1.0F, 0.0F), table);
  EXPECT_LT(below_one, 1.0F);
  EXPECT_GT(below_one, table[1022]);
  EXPECT_EQ(ssimulacra2::linear_light(0.5F, table), table[511] + (table[512] - table[511]) * 0.5F);
  for (int i = 0; i <= 1000; ++i) {
    const double coded = i / 1000.0;
    const double exact = coded <= 0.04045 ? coded / 12.92 : std::pow((coded + 0.055) / 1.055, 2.4);
    const float light = ssimulacra2::linear_light(static_cast<float>(coded), table);
    EXPECT_NEAR(static_cast<double>(light), exact, 5e-7) << coded;
  }
}

TEST(Ssimulacra2Colour, ClampsWhatNoDisplayShows) {
  const auto matrix = ssimulacra2::colour_matrix(0);
  const float scale = ssimulacra2::sample_scale(8);
  const auto black = ssimulacra2::coded_colour(0, 0.1F, 0.1F, scale, matrix);
  EXPECT_EQ(black.g, 0.0F);
  const auto white = ssimulacra2::coded_colour(255, 0, 0, scale, matrix);
  EXPECT_EQ(white.r, 1.0F);
  EXPECT_EQ(white.g, 1.0F);
  EXPECT_EQ(white.b, 1.0F);
}

TEST(Ssimulacra2Xyb, HasAFixedCubeRoot) {
  EXPECT_EQ(ssimulacra2::approximate_cube_root(1), 0x1.000002p+0F);
  EXPECT_EQ(ssimulacra2::approximate_cube_root(0.5F), 0x1.965ffep-1F);
  EXPECT_EQ(ssimulacra2::approximate_cube_root(0.1F), 0x1.db4c78p-2F);
  EXPECT_EQ(ssimulacra2::approximate_cube_root(0x1.f12a6cp-9F), 0x1.3f64f6p-3F);
}

TEST(Ssimulacra2Xyb, IsAtItsOffsetsForBlack) {
  const auto black = ssimulacra2::xyb_of(0, 0, 0);
  EXPECT_EQ(black.x, 0.42F);
  EXPECT_EQ(black.y, 0.01F);
  EXPECT_EQ(black.b, 0.55F);
}

// ---- The first steps on a known picture ----

using StripPlanes = std::array<ssimulacra2::StripPlane, kChannels>;

StripPlanes linear_planes(const Picture& picture, int yuv_matrix) {
  const PictureFormat& format = picture.format();
  const ssimulacra2::StripPlane empty(format.width, format.height);
  StripPlanes planes{empty, empty, empty};
  ssimulacra2::ColourConverter converter(format, yuv_matrix);
  for (int strip = 0; strip < ssimulacra2::strip_count(format.height); ++strip) {
    const int top = strip * kStripRows;
    converter.convert(picture, top, std::min(kStripRows, format.height - top),
                      {planes[0].strip(strip), planes[1].strip(strip), planes[2].strip(strip)});
  }
  return planes;
}

float& at(ssimulacra2::StripPlane& plane, int x, int y) {
  return plane.strip(y / kStripRows)[x * kStripRows + y % kStripRows];
}

TEST(Ssimulacra2Steps, HaveTheKnownIntermediateValues) {
  const PicturePair pair = test::make_frame(test::standard_clip("cif8"), 0);
  const PictureFormat& format = pair.reference.format();
  StripPlanes planes = linear_planes(pair.reference, 0);
  EXPECT_EQ(at(planes[0], 0, 0), 0x1.6d682ap-1F);
  EXPECT_EQ(at(planes[1], 0, 0), 0x1.176ef8p-1F);
  EXPECT_EQ(at(planes[2], 0, 0), 0x1.cdd842p-2F);

  std::vector<std::vector<float>> rows(static_cast<std::size_t>(format.height));
  for (int y = 0; y < format.height; ++y) {
    std::vector<float> line;
    for (int x = 0; x < format.width; ++x) {
      const auto xyb =
          ssimulacra2::xyb_of(at(planes[0], x, y), at(planes[1], x, y), at(planes[2], x, y));
      line.push_back(xyb.y);
      if (x == 0 && y == 0) {
        EXPECT_EQ(xyb.x, 0x1.d627dap-2F);
        EXPECT_EQ(xyb.y, 0x1.61e1c8p-1F);
        EXPECT_EQ(xyb.b, 0x1.0d72cp-1F);
      }
    }
    rows[static_cast<std::size_t>(y)] = blurred_line(line);
  }
  const auto blurred = [&](std::size_t x, std::size_t y) {
    std::vector<float> column;
    for (const auto& row : rows) column.push_back(row[x]);
    return blurred_line(column)[y];
  };
  EXPECT_EQ(blurred(0, 0), 0x1.1970bap-2F);
  EXPECT_EQ(blurred(1, 0), 0x1.77d232p-2F);
  EXPECT_EQ(blurred(0, 1), 0x1.77f2f2p-2F);
  EXPECT_EQ(blurred(176, 144), 0x1.a9363ap-2F);
}

TEST(Ssimulacra2Steps, TakeTheChromaSampleThatCoversAPixel) {
  for (const auto chroma : {ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444}) {
    const PictureFormat format{13, 11, chroma, 10};
    const auto picture = test::painted(
        format, [](int plane, int x, int y) { return plane == 0 ? 500 : 300 + 20 * x + 7 * y; });
    StripPlanes planes = linear_planes(picture, 1);
    const int across = chroma == ChromaFormat::yuv444 ? 1 : 2;
    const int down = chroma == ChromaFormat::yuv420 ? 2 : 1;
    const auto matrix = ssimulacra2::colour_matrix(1);
    const float scale = ssimulacra2::sample_scale(10);
    for (const auto& [x, y] : {std::pair{0, 0}, {1, 1}, {5, 8}, {12, 10}}) {
      const float u =
          ssimulacra2::scaled_chroma(300 + 20 * (x / across) + 7 * (y / down), scale, matrix);
      const auto colour = ssimulacra2::coded_colour(500, u, u, scale, matrix);
      EXPECT_EQ(at(planes[1], x, y),
                ssimulacra2::linear_light(colour.g, ssimulacra2::transfer_table().data()))
          << x << " " << y;
    }
  }
}

// ---- Blur ----

TEST(Ssimulacra2Blur, OfRowsFollowsTheDefinition) {
  for (const int width : {8, 9, 10, 11, 13, 64, 333}) {
    std::vector<float> padded(
        ssimulacra2::strip_size(ssimulacra2::kPaddingBefore + width + ssimulacra2::kPaddingAfter));
    std::vector<float> out(ssimulacra2::strip_size(ssimulacra2::kBlurAhead + width));
    const auto strip = noise(ssimulacra2::strip_size(width), 3);
    std::ranges::copy(strip, padded.begin() + ssimulacra2::kPaddingBefore * kStripRows);
    ssimulacra2::blur_strip(padded.data(), width, out.data());
    for (std::size_t row = 0; row < kStripRows; ++row) {
      std::vector<float> line;
      std::vector<float> blurred;
      for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
        line.push_back(strip[x * kStripRows + row]);
        blurred.push_back(out[(x + ssimulacra2::kBlurAhead) * kStripRows + row]);
      }
      EXPECT_EQ(blurred, blurred_line(line)) << width << " row " << row;
    }
  }
}

TEST(Ssimulacra2Blur, OfColumnsFollowsTheDefinition) {
  constexpr int kWidth = 21;
  ssimulacra2::ColumnBlur blur(kWidth);
  const std::vector<float> zeros(kWidth);
  for (const int height : {8, 11, 40}) {
    const auto plane = noise(static_cast<std::size_t>(kWidth * height), 9);
    const auto row = [&](int y) {
      return y >= 0 && y < height ? plane.data() + y * kWidth : zeros.data();
    };
    std::vector<std::vector<float>> blurred(kWidth);
    std::vector<float> out(kWidth);
    blur.start();
    for (int y = -4; y < height; ++y) {
      blur.step(row(y - 6), row(y + 4), kWidth, out.data());
      for (std::size_t x = 0; y >= 0 && x < kWidth; ++x) blurred[x].push_back(out[x]);
    }
    for (int x = 0; x < kWidth; ++x) {
      std::vector<float> column;
      for (int y = 0; y < height; ++y) column.push_back(row(y)[x]);
      EXPECT_EQ(blurred[static_cast<std::size_t>(x)], blurred_line(column)) << height;
    }
  }
}

TEST(Ssimulacra2Blur, IsNearlyGaussian) {
  std::vector<float> impulse(41);
  impulse[20] = 1;
  const auto response = blurred_line(impulse);
  double sum = 0;
  for (std::size_t n = 0; n < response.size(); ++n) {
    const double distance = static_cast<double>(n) - 20;
    const double gaussian =
        std::exp(-distance * distance / 4.5) / (1.5 * std::sqrt(2 * std::acos(-1.0)));
    EXPECT_NEAR(static_cast<double>(response[n]), gaussian, 0.002) << n;
    sum += static_cast<double>(response[n]);
  }
  EXPECT_NEAR(sum, 1, 1e-6);
}

// The construction of the coefficients, for sigma 1.5.
TEST(Ssimulacra2Blur, HasTheCoefficientsOfThePaper) {
  constexpr double kSigma = 1.5;
  const double radius = std::round(3.2795 * kSigma + 0.2546);
  ASSERT_EQ(radius, 5);
  std::array<double, 3> omega{};
  std::array<double, 3> p{};
  std::array<double, 3> r{};
  std::array<double, 3> rho{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double sign = k == 1 ? -1 : 1;
    omega[k] = static_cast<double>(2 * k + 1) * std::acos(-1.0) / (2 * radius);
    p[k] = sign / std::tan(omega[k] / 2);
    r[k] = sign * p[k] * p[k] / std::sin(omega[k]);
    rho[k] = std::exp(-kSigma * kSigma * omega[k] * omega[k] / 2) / radius;
  }
  const double d13 = p[0] * r[1] - r[0] * p[1];
  const double d35 = p[1] * r[2] - r[1] * p[2];
  const double d51 = p[2] * r[0] - r[2] * p[0];
  const std::array<double, 3> zeta{d35 / d13, d51 / d13, 1};
  const std::array<double, 3> right{1, radius * radius - kSigma * kSigma,
                                    zeta[0] * rho[0] + zeta[1] * rho[1] + rho[2]};
  using Row = std::array<double, 3>;
  const auto determinant = [](const Row& a, const Row& b, const Row& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  };
  constexpr std::array kGain{0x1.c4fa84p-5F, -0x1.e1fd7ap-5F, 0x1.a8894ap-7F};
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<Row, 3> rows{p, r, zeta};
    for (std::size_t i = 0; i < 3; ++i) rows[i][k] = right[i];
    const double beta =
        determinant(rows[0], rows[1], rows[2]) / determinant(p, r, zeta);  // Cramer's rule
    const auto gain = static_cast<double>(kGain[k]);
    EXPECT_NEAR(-beta * std::cos(omega[k] * (radius + 1)), gain, 1e-8) << k;
  }
  EXPECT_FLOAT_EQ(ssimulacra2::blur_step<0>(0, -1, 0), static_cast<float>(-2 * std::cos(omega[0])));
  EXPECT_FLOAT_EQ(ssimulacra2::blur_step<1>(0, -1, 0), static_cast<float>(-2 * std::cos(omega[1])));
  EXPECT_EQ(ssimulacra2::blur_step<0>(1, 0, 0), kGain[0]);
  EXPECT_EQ(ssimulacra2::blur_step<1>(1, 0, 0), kGain[1]);
  EXPECT_EQ(ssimulacra2::blur_step<2>(1, 0, 0), kGain[2]);
  EXPECT_EQ(ssimulacra2::blur_step<2>(0, 0, 1), -1.0F);
}

// ---- Errors and weights ----

TEST(Ssimulacra2Errors, OfAPixel) {
  EXPECT_EQ(ssimulacra2::structure_error(0.5F, 0.5F, 0.3F, 0.3F, 0.3F), 0.0);
  EXPECT_EQ(ssimulacra2::structure_error(0.5F, 0.25F, 0.25F, 0.0625F, 0.125F), 0.0625)
      << "flat: the difference of the means, squared";
  EXPECT_EQ(ssimulacra2::edge_change(0.5F, 0.5F, 0.75F, 0.5F), 0.25);
  EXPECT_EQ(ssimulacra2::edge_change(0.5F, 0.5F, 0.25F, 0.5F), 0.25);
  EXPECT_EQ(ssimulacra2::edge_change(0.0F, 1.0F, 0.5F, 0.5F), -0.5);
}

TEST(Ssimulacra2Weights, AreThoseOfVersion21) {
  double checksum = 0;
  int place = 0;
  int used = 0;
  for (const auto& scales : ssimulacra2::kWeights) {
    for (const auto& weights : scales) {
      for (const double weight : weights) {
        checksum += weight * ++place;
        used += weight != 0 ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(place, 108);
  EXPECT_EQ(used, 52);
  EXPECT_EQ(checksum, 60131.90565063068);
}

TEST(Ssimulacra2Weights, TellWhatNeedNotBeMeasured) {
  for (std::size_t channel = 0; channel < kChannels; ++channel) {
    for (std::size_t scale = 0; scale < kScales; ++scale) {
      const auto needs = ssimulacra2::needs_of(channel, scale);
      const bool nothing = channel == 1 && scale == 5;
      const bool edges_only = channel != 1 && scale == 0;
      const bool structure_only = channel == 0 && scale == 5;
      EXPECT_EQ(needs.structure, !nothing && !edges_only) << channel << " " << scale;
      EXPECT_EQ(needs.edges, !nothing && !structure_only) << channel << " " << scale;
    }
  }
}

// ---- Scores ----

TEST(Ssimulacra2Scores, OfIdenticalPicturesAre100) {
  for (const auto chroma : {ChromaFormat::yuv420, ChromaFormat::yuv444}) {
    const auto pair = test::small_pair(70, 50, chroma, 12);
    const auto raw =
        test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, {pair.reference, pair.reference});
    EXPECT_EQ(raw, Ssimulacra2Raw{});
    EXPECT_EQ(test::scores_of_raw(ssimulacra2_descriptor, raw, pair.reference.format())[0], 100.0);
  }
}

TEST(Ssimulacra2Scores, FollowTheColourMatrix) {
  const auto pair = test::small_pair(70, 50, ChromaFormat::yuv420, 8);
  std::vector<double> scores;
  for (const char* matrix : {"0", "1", "2", "3"}) {
    const double score =
        test::scores_of<Ssimulacra2Raw>(ssimulacra2_descriptor, pair, {{"yuv_matrix", matrix}})[0];
    EXPECT_THAT(scores, ::testing::Not(::testing::Contains(score))) << matrix;
    scores.push_back(score);
  }
}

// ---- Refusals ----

TEST(Ssimulacra2Format, Needs8x8AndChroma) {
  using test::expect_refused;
  expect_refused(ssimulacra2_descriptor, {}, {7, 64, ChromaFormat::yuv420, 8}, "at least 8x8");
  expect_refused(ssimulacra2_descriptor, {}, {64, 7, ChromaFormat::yuv444, 8}, "at least 8x8");
  expect_refused(ssimulacra2_descriptor, {}, {64, 64, ChromaFormat::yuv400, 8}, "chroma planes");
  EXPECT_NO_THROW(require_format(ssimulacra2_descriptor,
                                 test::options_of(ssimulacra2_descriptor, {}),
                                 {8, 8, ChromaFormat::yuv420, 16}));
  EXPECT_THROW((void)test::options_of(ssimulacra2_descriptor, {{"yuv_matrix", "4"}}), Error);
}

}  // namespace
}  // namespace hipvmaf
