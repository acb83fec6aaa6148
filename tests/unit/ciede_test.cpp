#include "features/ciede/ciede.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "features/ciede/ciede_math.hpp"

namespace hipvmaf {
namespace {

using ciede::kPi;
using ciede::Lab;
using ciede::widen;

// ---- Elementary functions ----

template <class Ours, class Theirs>
void expect_close(Ours ours, Theirs theirs, double low, double high) {
  constexpr double kTolerance = 2e-15;
  for (int i = 0; i <= 20000; ++i) {
    const double x = low * std::pow(high / low, i / 20000.0);
    const double expected = theirs(x);
    ASSERT_NEAR(ours(x), expected, kTolerance * std::abs(expected)) << x;
  }
}

TEST(CiedeFunctions, Roots) {
  expect_close(
      ciede::cube_root, [](double x) { return std::cbrt(x); }, 0.008, 1e6);
  expect_close(
      ciede::power_2_4, [](double x) { return std::pow(x, 2.4); }, 0.08, 1e3);
  EXPECT_EQ(ciede::cube_root(1), 1);
  EXPECT_EQ(ciede::power_2_4(1), 1);
}

TEST(CiedeFunctions, SineAndCosine) {
  for (int i = -20000; i <= 20000; ++i) {
    const double x = 3 * kPi * i / 20000.0;
    const auto [sin, cos] = ciede::sin_cos(x);
    ASSERT_NEAR(sin, std::sin(x), 4e-16) << x;
    ASSERT_NEAR(cos, std::cos(x), 4e-16) << x;
  }
}

TEST(CiedeFunctions, Exponential) {
  expect_close(
      ciede::exp_of_minus, [](double x) { return std::exp(-x); }, 1e-9, 40);
  EXPECT_EQ(ciede::exp_of_minus(0), 1);
}

TEST(CiedeFunctions, AnglesAllAround) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> length(-150, 150);
  const auto expect_angle = [](float y, float x) {
    const double expected = std::atan2(widen(y), widen(x));
    ASSERT_NEAR(ciede::angle_of(y, x), expected, 1e-15 * std::abs(expected)) << y << " " << x;
  };
  for (int i = 0; i < 50000; ++i) expect_angle(length(random), length(random));
  for (const float one : {1.0F, -1.0F, 1e-30F, 1e30F}) {
    for (const float other : {0.0F, 1.0F, -1.0F, 1e-20F, -1e20F}) {
      expect_angle(one, other);
      expect_angle(other, one);
    }
  }
}

TEST(CiedeFunctions, ArcTable) {
  for (int i = 0; i <= ciede::kArcSteps; ++i)
    EXPECT_DOUBLE_EQ(ciede::arc_of_step(i), std::atan(i / static_cast<double>(ciede::kArcSteps)));
}

TEST(CiedeMath, HueWeight) {
  for (int i = 0; i <= 1000; ++i) {
    const auto hue = static_cast<float>(2.5 * kPi * i / 1000);
    const double h = widen(hue);
    const double expected = 1 - 0.17 * std::cos(h - kPi / 6) + 0.24 * std::cos(2 * h) +
                            0.32 * std::cos(3 * h + kPi / 30) -
                            0.20 * std::cos(4 * h - 7 * kPi / 20);
    EXPECT_FLOAT_EQ(ciede::hue_weight(hue), static_cast<float>(expected)) << hue;
  }
}

TEST(CiedePower, TableHasWhatTheLibraryHas) {
  const auto table = ciede::power_exceptions();
  const ciede::TabulatedPower tabulated({table.data(), static_cast<int>(table.size())});
  std::mt19937 random(9);
  const auto expect_same = [&](float x) { ASSERT_EQ(tabulated(x), ciede::LibraryPower{}(x)) << x; };
  for (int i = 0; i < 1000000; ++i) {
    const float mantissa = 1 + static_cast<float>(random() >> 9) * 0x1p-23F;
    const auto binade = static_cast<int>(random() % ciede::kBinades);
    expect_same(std::ldexp(mantissa, ciede::kFirstBinade + binade));
  }
  for (const auto& exception : table.first(table.size() - 1)) {
    for (int b = 0; b < ciede::kBinades; ++b) {
      const float mantissa = 1 + static_cast<float>(exception.mantissa) * 0x1p-23F;
      expect_same(std::ldexp(mantissa, ciede::kFirstBinade + b));
    }
  }
  expect_same(0);
}

// ---- Colours ----

TEST(CiedeMath, WhiteAndBlack) {
  for (int bits = 8; bits <= 16; ++bits) {
    const int q = 1 << (bits - 8);
    const auto scale = ciede::sample_scale(bits);
    const Lab white = ciede::lab_of(235 * q, 128 * q, 128 * q, scale);
    EXPECT_NEAR(white.l, 100, 1e-4);
    EXPECT_NEAR(white.a, 0, 0.01);
    EXPECT_NEAR(white.b, 0, 0.02);
    const Lab black = ciede::lab_of(16 * q, 128 * q, 128 * q, scale);
    EXPECT_NEAR(black.l, 0, 1e-5);
    EXPECT_NEAR(black.a, 0, 1e-5);
    EXPECT_NEAR(black.b, 0, 1e-5);
  }
}

Lab lab_by_library(int luma, int cb, int cr) {
  const double y = (luma - 16) * (1.0 / 219);
  const double u = (cb - 128) * (1.0 / 224);
  const double v = (cr - 128) * (1.0 / 224);
  const auto linear = [](double c) {
    return c > 10.0 / 255 ? std::pow((c + 0.055) * (1 / 1.055), 2.4) : c * (1 / 12.92);
  };
  const double r = linear(y + 1.28033 * v);
  const double g = linear(y - 0.21482 * u - 0.38059 * v);
  const double b = linear(y + 2.12798 * u);
  const auto companded = [](double t) {
    return static_cast<double>(static_cast<float>(
        t > 216.0 / 24389 ? std::pow(t, 1.0 / 3) : (24389.0 / 27 * t + 16) * (1.0 / 116)));
  };
  const double fx = companded(
      (0.4124564390896921 * r + 0.357576077643909 * g + 0.18043748326639894 * b) * (1 / 0.95047));
  const double fy =
      companded(0.21267285140562248 * r + 0.715152155287818 * g + 0.07217499330655958 * b);
  const double fz = companded(
      (0.019333895582329317 * r + 0.119192025881303 * g + 0.9503040785363677 * b) * (1 / 1.08883));
  return {static_cast<float>(116 * fy - 16), static_cast<float>(500 * (fx - fy)),
          static_cast<float>(200 * (fy - fz))};
}

TEST(CiedeMath, ConversionIsThatOfTheLibraryFunctions) {
  const auto scale = ciede::sample_scale(8);
  for (int luma = 0; luma < 256; luma += 5) {
    for (int cb = 0; cb < 256; cb += 5) {
      for (int cr = 0; cr < 256; cr += 5) {
        const Lab ours = ciede::lab_of(luma, cb, cr, scale);
        const Lab theirs = lab_by_library(luma, cb, cr);
        ASSERT_TRUE(ours.l == theirs.l && ours.a == theirs.a && ours.b == theirs.b)
            << luma << " " << cb << " " << cr;
      }
    }
  }
}

// ---- Differences ----

struct Weights {
  double lightness;
  double chroma;
  double hue;
};

// The formula as Sharma, Wu and Dalal (2005) print it, in degrees and binary64.
double textbook(const Lab& one, const Lab& two, const Weights& k) {
  const double degree = kPi / 180;
  const double mean_c =
      (std::hypot(widen(one.a), widen(one.b)) + std::hypot(widen(two.a), widen(two.b))) / 2;
  const double g =
      0.5 * (1 - std::sqrt(std::pow(mean_c, 7) / (std::pow(mean_c, 7) + std::pow(25.0, 7))));
  const double a1 = (1 + g) * widen(one.a);
  const double a2 = (1 + g) * widen(two.a);
  const double c1 = std::hypot(a1, widen(one.b));
  const double c2 = std::hypot(a2, widen(two.b));
  const auto hue = [&](double a, double b) {
    const double h = a == 0 && b == 0 ? 0 : std::atan2(b, a) / degree;
    return h < 0 ? h + 360 : h;
  };
  const double h1 = hue(a1, widen(one.b));
  const double h2 = hue(a2, widen(two.b));
  const double dl = widen(two.l) - widen(one.l);
  const double dc = c2 - c1;
  double dh = h2 - h1;
  if (dh > 180) dh -= 360;
  if (dh < -180) dh += 360;
  if (c1 * c2 == 0) dh = 0;
  const double big_dh = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 * degree);
  const double l = (widen(one.l) + widen(two.l)) / 2;
  const double c = (c1 + c2) / 2;
  double h = h1 + h2;
  if (c1 * c2 != 0) {
    if (std::abs(h1 - h2) > 180) h += h < 360 ? 360 : -360;
    h /= 2;
  }
  const double t = 1 - 0.17 * std::cos((h - 30) * degree) + 0.24 * std::cos(2 * h * degree) +
                   0.32 * std::cos((3 * h + 6) * degree) - 0.20 * std::cos((4 * h - 63) * degree);
  const double theta = 30 * std::exp(-std::pow((h - 275) / 25, 2));
  const double rc = 2 * std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7)));
  const double sl = 1 + 0.015 * std::pow(l - 50, 2) / std::sqrt(20 + std::pow(l - 50, 2));
  const double sc = 1 + 0.045 * c;
  const double sh = 1 + 0.015 * c * t;
  const double rt = -std::sin(2 * theta * degree) * rc;
  const double x = dl / (k.lightness * sl);
  const double y = dc / (k.chroma * sc);
  const double z = big_dh / (k.hue * sh);
  return std::sqrt(x * x + y * y + z * z + rt * y * z);
}

constexpr Weights kOurWeights{0.65, 1, 4};

struct PublishedPair {
  Lab one;
  Lab two;
  double difference;  ///< With all weights 1.
};

// Test data published with that paper.
constexpr PublishedPair kPublished[] = {
    {{50.0000F, 2.6772F, -79.7751F}, {50.0000F, 0.0000F, -82.7485F}, 2.0425},
    {{50.0000F, 3.1571F, -77.2803F}, {50.0000F, 0.0000F, -82.7485F}, 2.8615},
    {{50.0000F, 2.8361F, -74.0200F}, {50.0000F, 0.0000F, -82.7485F}, 3.4412},
    {{50.0000F, -1.3802F, -84.2814F}, {50.0000F, 0.0000F, -82.7485F}, 1.0000},
    {{50.0000F, 0.0000F, 0.0000F}, {50.0000F, -1.0000F, 2.0000F}, 2.3669},
    {{50.0000F, 2.4900F, -0.0010F}, {50.0000F, -2.4900F, 0.0009F}, 7.1792},
    {{50.0000F, 2.4900F, -0.0010F}, {50.0000F, -2.4900F, 0.0011F}, 7.2195},
    {{50.0000F, 2.5000F, 0.0000F}, {50.0000F, 0.0000F, -2.5000F}, 4.3065},
    {{50.0000F, 2.5000F, 0.0000F}, {73.0000F, 25.0000F, -18.0000F}, 27.1492},
    {{60.2574F, -34.0099F, 36.2677F}, {60.4626F, -34.1751F, 39.4387F}, 1.2644},
    {{63.0109F, -31.0961F, -5.8663F}, {62.8187F, -29.7946F, -4.0864F}, 1.2630},
    {{35.0831F, -44.1164F, 3.7933F}, {35.0232F, -40.0716F, 1.5901F}, 1.8645},
    {{22.7233F, 20.0904F, -46.6940F}, {23.0331F, 14.9730F, -42.5619F}, 2.0373},
    {{90.8027F, -2.0831F, 1.4410F}, {91.1528F, -1.6435F, 0.0447F}, 1.4441},
    {{6.7747F, -0.2908F, -2.4247F}, {5.8714F, -0.0985F, -2.2286F}, 0.6377},
    {{2.0776F, 0.0795F, -1.1350F}, {0.9033F, -0.0636F, -0.5514F}, 0.9082},
};

TEST(CiedeMath, AgreesWithThePublishedFormula) {
  for (const PublishedPair& pair : kPublished) {
    ASSERT_NEAR(textbook(pair.one, pair.two, {1, 1, 1}), pair.difference, 6e-5);
    const double expected = textbook(pair.one, pair.two, kOurWeights);
    EXPECT_NEAR(ciede::difference(pair.one, pair.two), expected, 1e-5 * expected);
  }
  std::mt19937 random(5);
  std::uniform_real_distribution<float> lightness(0, 100);
  std::uniform_real_distribution<float> colour(-120, 120);
  for (int i = 0; i < 20000; ++i) {
    const Lab one{lightness(random), colour(random), colour(random)};
    const Lab two{lightness(random), colour(random), colour(random)};
    const double expected = textbook(one, two, kOurWeights);
    ASSERT_NEAR(ciede::difference(one, two), expected, 2e-4 * expected)
        << one.l << " " << one.a << " " << one.b << ", " << two.l << " " << two.a << " " << two.b;
  }
}

TEST(CiedeMath, EqualColoursDoNotDiffer) {
  for (const PublishedPair& pair : kPublished)
    EXPECT_EQ(ciede::difference(pair.one, pair.one), 0.0F);
}

// ---- Pictures ----

// Fills plane p from value(p, x, y).
template <class Value>
Picture picture_of(const PictureFormat& format, Value value) {
  PictureBuffer buffer(format);
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < format.plane_height(p); ++y) {
      for (int x = 0; x < format.plane_width(p); ++x) {
        if (format.bit_depth == 8)
          buffer.plane<std::uint8_t>(p).row(y)[x] = static_cast<std::uint8_t>(value(p, x, y));
        else
          buffer.plane<std::uint16_t>(p).row(y)[x] = static_cast<std::uint16_t>(value(p, x, y));
      }
    }
  }
  return std::move(buffer).finish();
}

int noise(int seed, int p, int x, int y) {
  return static_cast<int>(
             std::minstd_rand(static_cast<unsigned>(1 + seed + 7 * p + 1009 * x + 100003 * y))() >>
             7U) &
         255;
}

double sum_of(const Picture& reference, const Picture& distorted) {
  const OptionValues options(ciede_descriptor.options);
  const auto stage = ciede_descriptor.make_cpu_stage(options, reference.format());
  CiedeRaw raw{-1};
  const auto frame = std::make_shared<const Frame>(Frame{0, reference, distorted, {}});
  stage->measure_into({frame, {}}, &raw);
  return raw.sum;
}

TEST(CiedePixels, TakeTheChromaSampleTheyLieUnder) {
  for (const auto& [chroma, right, down] :
       {std::tuple{ChromaFormat::yuv420, 1, 1}, {ChromaFormat::yuv422, 1, 0}}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 2}, {3, 5}, {16, 9}, {37, 6}}) {
      const auto value_444 = [&, right = right, down = down](int seed) {
        return [=](int p, int x, int y) {
          return p == 0 ? noise(seed, p, x, y) : noise(seed, p, x >> right, y >> down);
        };
      };
      const auto value = [](int seed) {
        return [=](int p, int x, int y) { return noise(seed, p, x, y); };
      };
      const PictureFormat format{width, height, chroma, 8};
      const PictureFormat full{width, height, ChromaFormat::yuv444, 8};
      EXPECT_EQ(sum_of(picture_of(format, value(1)), picture_of(format, value(2))),
                sum_of(picture_of(full, value_444(1)), picture_of(full, value_444(2))))
          << format.describe();
    }
  }
}

TEST(CiedePixels, DepthsAgreeOnScaledSamples) {
  const auto scaled = [](int bits, int seed) {
    return picture_of({19, 7, ChromaFormat::yuv420, bits},
                      [=](int p, int x, int y) { return noise(seed, p, x, y) << (bits - 8); });
  };
  const double expected = sum_of(scaled(8, 1), scaled(8, 2));
  EXPECT_GT(expected, 0);
  for (int bits = 9; bits <= 16; ++bits)
    EXPECT_EQ(sum_of(scaled(bits, 1), scaled(bits, 2)), expected) << bits;
}

TEST(CiedePixels, SumIsMadeRowByRow) {
  const PictureFormat format{21, 13, ChromaFormat::yuv444, 8};
  const auto value = [](int seed) {
    return [=](int p, int x, int y) {  // about every other pixel is equal
      return noise(0, 3, x, y) < 128 ? 100 : noise(seed, p, x, y);
    };
  };
  const auto scale = ciede::sample_scale(8);
  double expected = 0;
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      const auto lab = [&, x = x, y = y](int seed) {
        return ciede::lab_of(value(seed)(0, x, y), value(seed)(1, x, y), value(seed)(2, x, y),
                             scale);
      };
      expected += widen(ciede::difference(lab(1), lab(2)));
    }
  }
  EXPECT_EQ(sum_of(picture_of(format, value(1)), picture_of(format, value(2))), expected);
}

TEST(CiedePixels, SurviveSamplesAboveTheNominalDepth) {
  for (int bits = 9; bits <= 15; ++bits) {
    const auto extreme = [&](int seed) {
      return picture_of({32, 8, ChromaFormat::yuv420, bits}, [=](int p, int x, int y) {
        return noise(seed, p, x, y) < 128 ? 0 : 0xFFFF;
      });
    };
    EXPECT_GT(sum_of(extreme(1), extreme(2)), 0) << bits;
  }
}

// ---- Scores ----

class Sink final : public ScoreSink {
 public:
  void emit(int, std::int64_t, double value) override { score = value; }
  void aggregate(std::string_view, double) override {}
  double score = 0;
};

double score_of(double sum) {
  const OptionValues options(ciede_descriptor.options);
  Sink sink;
  const CiedeRaw raw{sum};
  ciede_descriptor.make_scalar_stage(options, {20, 5})->push_raw(0, &raw, sink);
  return sink.score;
}

TEST(CiedeScores, AreLogarithmic) {
  EXPECT_DOUBLE_EQ(score_of(100), 45);
  EXPECT_DOUBLE_EQ(score_of(1000), 25);
  EXPECT_DOUBLE_EQ(score_of(1), 85);
  EXPECT_EQ(score_of(0), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace hipvmaf
