#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/adm/adm_csf.hpp"
#include "features/border_math.hpp"
#include "features/float_adm/float_adm.hpp"
#include "features/float_adm/float_adm_math.hpp"
#include "features/float_adm/float_adm_scales.hpp"
#include "features/float_adm/float_adm_wavelet.hpp"
#include "stage_support.hpp"

namespace hipvmaf::float_adm {
namespace {

using test::luma_clip;
using test::PicturePair;
using test::Requests;
using testing::HasSubstr;

OptionValues options_of(const Requests& requests) {
  return test::options_of(float_adm_descriptor, requests);
}

FloatAdmRaw measure(const PicturePair& pair, const Requests& requests = {}) {
  return test::measure<FloatAdmRaw>(float_adm_descriptor, pair, requests);
}

test::Scores scores_of(const PicturePair& pair, const Requests& requests = {}) {
  return test::scores_of<FloatAdmRaw>(float_adm_descriptor, pair, requests);
}

PicturePair textured(int width, int height, int bits) {
  return test::make_frame(luma_clip("texture", "blurnoise", width, height, bits), 1);
}

// --- Sums of whole frames.

TEST(FloatAdmSums, SkippedScale0IsZeroAndLeavesTheOthersAlone) {
  const auto pair = textured(90, 70, 8);
  FloatAdmRaw expected = measure(pair);
  ASSERT_GT(expected.scale[0].num[0], 0.0F);
  expected.scale[0] = {};
  EXPECT_EQ(measure(pair, {{"adm_skip_scale0", "true"}}), expected);
}

TEST(FloatAdmSums, IdenticalPicturesHaveNothingAdditive) {
  const auto pair = textured(90, 70, 10);
  const FloatAdmRaw raw = measure({pair.reference, pair.reference});
  for (const auto& scale : raw.scale) {
    EXPECT_EQ(scale.num, scale.den);
    EXPECT_EQ(scale.aim, FloatAdmRaw::Bands{});
  }
}

TEST(FloatAdmSums, MaskingOnlyLowersThem) {
  const auto pair = textured(90, 70, 8);
  const FloatAdmRaw masked = measure(pair);
  const FloatAdmRaw bare = measure(pair, {{"adm_bypass_cm", "1"}});
  for (std::size_t s = 0; s < masked.scale.size(); ++s) {
    EXPECT_EQ(masked.scale[s].den, bare.scale[s].den);
    for (std::size_t b = 0; b < adm::kDetailBands; ++b) {
      EXPECT_LT(masked.scale[s].num[b], bare.scale[s].num[b]) << s << b;
      EXPECT_LT(masked.scale[s].aim[b], bare.scale[s].aim[b]) << s << b;
    }
  }
}

TEST(FloatAdmSums, DoNotDependOnTheDepth) {
  const auto pair = textured(67, 53, 8);
  const FloatAdmRaw expected = measure(pair);
  for (int bits = 9; bits <= 16; ++bits)
    EXPECT_EQ(measure(test::deepened(pair, bits)), expected) << bits;
}

TEST(FloatAdmSums, DoNotDependOnTheLayoutOfWrappedMemory) {
  for (const int bits : {8, 12}) {
    const auto pair = textured(67, 53, bits);
    EXPECT_EQ(measure(test::spread(pair)), measure(pair)) << bits;
  }
}

TEST(FloatAdmSums, AStageKeepsNothingBetweenFrames) {
  const auto first = test::make_frame(luma_clip("noise", "noise", 64, 48, 8), 0);
  const auto second = test::make_frame(luma_clip("noise", "noise", 64, 48, 8), 3);
  const auto stage = make_cpu_stage(options_of({}), first.reference.format());
  for (const auto* pair : {&first, &second, &first})
    EXPECT_EQ(test::measure_with<FloatAdmRaw>(*stage, *pair), measure(*pair));
}

TEST(FloatAdmSums, OfTheSmallestPictures) {
  for (const auto& [width, height] : {std::pair{17, 17}, {18, 17}, {17, 33}, {200, 17}}) {
    for (const int bits : {8, 9, 16}) {
      const auto spec = luma_clip("noise", "noise", width, height, bits);
      EXPECT_NO_THROW(require_format(float_adm_descriptor, options_of({}), spec.format));
      const FloatAdmRaw raw = measure(test::make_frame(spec, 3));
      for (const auto& scale : raw.scale) EXPECT_GT(scale.den[0], 0.0F) << width << 'x' << height;
    }
  }
}

TEST(FloatAdmSums, TakeSamplesAboveTheDepth) {
  const Picture above = test::luma_picture(
      40, 40, 9, [](int x, int y) { return (x / 3 + y / 5) % 2 != 0 ? 65535 : 0; });
  for (const auto& scale : measure({above, above}).scale) EXPECT_TRUE(std::isfinite(scale.den[0]));
}

// --- Direct evaluation.

// A band or picture; positions outside are those of border_math.hpp.
struct Map {
  template <class Value>
  Map(int w, int h, const Value& value) : width(w), height(h) {
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) samples.push_back(value(x, y));
    }
  }

  [[nodiscard]] float at(int x, int y) const {
    return samples[static_cast<std::size_t>(mirrored(y, height) * width + mirrored(x, width))];
  }

  int width;
  int height;
  std::vector<float> samples;
};

template <class Down, class Across>
Map band_of(const Map& from, const Down& down, const Across& across) {
  const auto column = [&](int x, int y) {
    return down(from.at(x, 2 * y - 1), from.at(x, 2 * y), from.at(x, 2 * y + 1),
                from.at(x, 2 * y + 2));
  };
  return {(from.width + 1) / 2, (from.height + 1) / 2, [&](int x, int y) {
            return across(column(2 * x - 1, y), column(2 * x, y), column(2 * x + 1, y),
                          column(2 * x + 2, y));
          }};
}

std::array<Map, 3> detail_of(const Map& from) {
  return {band_of(from, high_pass, low_pass), band_of(from, low_pass, high_pass),
          band_of(from, high_pass, high_pass)};
}

// The sums of one kind: what of `signal`, weighted, `masker` does not mask (all of it without one).
FloatAdmRaw::Bands direct_sums(const ScaleSetup& scale, const std::array<Map, 3>& signal,
                               const std::array<Map, 3>* masker, double norm) {
  const auto threshold_at = [&](int x, int y) {
    float threshold = 0;
    for (std::size_t b = 0; b < 3 && masker != nullptr; ++b) {
      const auto magnitude = [&](int dx, int dy) {
        return std::fabs((*masker)[b].at(x + dx, y + dy) * scale.csf[b]);
      };
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (dx == 0 && dy == 0) {
            sum = static_cast<float>(static_cast<double>(sum) +
                                     0.0666666701 * static_cast<double>(magnitude(0, 0)));
          } else {
            sum += static_cast<float>(0.0333333351 * static_cast<double>(magnitude(dx, dy)));
          }
        }
      }
      threshold += sum;
    }
    return threshold;
  };
  FloatAdmRaw::Bands sums{};
  for (int y = scale.top; y < scale.height - scale.top; ++y) {
    FloatAdmRaw::Bands row{};
    for (int x = scale.left; x < scale.width - scale.left; ++x) {
      const float threshold = threshold_at(x, y);
      for (std::size_t b = 0; b < 3; ++b) {
        const float u = std::max(std::fabs(signal[b].at(x, y) * scale.csf[b]) - threshold, 0.0F);
        row[b] += norm == 3 ? u * u * u : std::pow(u, static_cast<float>(norm));
      }
    }
    for (std::size_t b = 0; b < 3; ++b) sums[b] += row[b];
  }
  return sums;
}

FloatAdmRaw direct(const PicturePair& pair, const Requests& requests) {
  const OptionValues options = options_of(requests);
  const PictureFormat& format = pair.reference.format();
  const auto picture = [&](const Picture& from) {
    return Map(format.width, format.height, [&](int x, int y) {
      return static_cast<float>(test::sample_at(from, x, y)) /
                 static_cast<float>(1 << (format.bit_depth - 8)) -
             128;
    });
  };
  Map reference = picture(pair.reference);
  Map distorted = picture(pair.distorted);
  FloatAdmRaw raw{};
  for (const ScaleSetup& scale : make_setup(options, format)) {
    const auto r = detail_of(reference);
    const auto d = detail_of(distorted);
    const auto part = [&](std::size_t b, bool of_restored) {
      return Map(scale.width, scale.height, [&, b, of_restored](int x, int y) {
        const float o = r[b].at(x, y);
        const float t = d[b].at(x, y);
        const bool enhancement =
            same_direction(r[0].at(x, y), r[1].at(x, y), d[0].at(x, y), d[1].at(x, y));
        const float kept =
            restored(kept_ratio(o, t), o, t, enhancement, options.real("adm_enhn_gain_limit"));
        return of_restored ? kept : t - kept;
      });
    };
    const std::array restored_part{part(0, true), part(1, true), part(2, true)};
    const std::array additive_part{part(0, false), part(1, false), part(2, false)};
    const bool masks = options.integer("adm_bypass_cm") == 0;
    const double norm = options.real("adm_p_norm");
    raw.scale[static_cast<std::size_t>(scale.scale)] = {
        direct_sums(scale, restored_part, masks ? &additive_part : nullptr, norm),
        direct_sums(scale, additive_part, masks ? &restored_part : nullptr, norm),
        direct_sums(scale, r, nullptr, norm)};
    reference = band_of(reference, low_pass, low_pass);
    distorted = band_of(distorted, low_pass, low_pass);
  }
  return raw;
}

TEST(FloatAdmSums, EqualTheirDirectEvaluation) {
  for (const auto& [width, height] : {std::pair{17, 17}, {18, 21}, {39, 30}, {64, 27}, {123, 95}}) {
    for (const int bits : {8, 9, 16}) {
      const auto pair = textured(width, height, bits);
      EXPECT_EQ(measure(pair), direct(pair, {})) << pair.reference.format().describe();
    }
  }
  const auto pair = textured(61, 50, 10);
  for (const Requests& requests :
       {Requests{{"adm_bypass_cm", "1"}}, Requests{{"adm_p_norm", "2.5"}},
        Requests{{"adm_enhn_gain_limit", "1"}, {"adm_csf_mode", "1"}, {"adm_f2s1", "0.5"}}}) {
    EXPECT_EQ(measure(pair, requests), direct(pair, requests)) << requests[0].first;
  }
}

// --- Wavelet.

TEST(FloatAdmWavelet, MirrorsAroundTheFirstColumnAndBehindTheLast) {
  for (const int width : {16, 17}) {
    std::vector<float> line(static_cast<std::size_t>(width));
    for (std::size_t x = 0; x < line.size(); ++x) line[x] = static_cast<float>((7 * x * x) % 31);
    const auto at = [&](int x) {
      const int inside = x < 0 ? -x : x < width ? x : 2 * width - 1 - x;
      return line[static_cast<std::size_t>(inside)];
    };
    const int count = (width + 1) / 2;
    std::array<std::vector<float>, 4> bands;
    for (auto& band : bands) band.assign(static_cast<std::size_t>(count), -1.0F);
    RowTransform transform(width);
    transform.run({line.data(), line.data(), line.data(), line.data()}, {0, count},
                  {bands[0].data(), {bands[1].data(), bands[2].data(), bands[3].data()}});
    for (int n = 0; n < count; ++n) {
      const auto low = [](float s) { return low_pass(s, s, s, s); };
      const std::array s{low(at(2 * n - 1)), low(at(2 * n)), low(at(2 * n + 1)),
                         low(at(2 * n + 2))};
      const auto i = static_cast<std::size_t>(n);
      EXPECT_EQ(bands[0][i], low_pass(s[0], s[1], s[2], s[3])) << width << ' ' << n;
      EXPECT_EQ(bands[2][i], high_pass(s[0], s[1], s[2], s[3])) << width << ' ' << n;
    }
  }
}

TEST(FloatAdmWavelet, DetailIsWrittenInItsColumnsOnly) {
  const std::vector<float> line(20, 1.0F);
  std::array<std::vector<float>, 4> bands;
  for (auto& band : bands) band.assign(10, -1.0F);
  const adm::BandRow<float> rows{bands[0].data(),
                                 {bands[1].data(), bands[2].data(), bands[3].data()}};
  RowTransform transform(20);
  transform.run({line.data(), line.data(), line.data(), line.data()}, {2, 5}, rows);
  for (std::size_t x = 0; x < 10; ++x) {
    EXPECT_GT(bands[0][x], 1.9F);
    EXPECT_EQ(bands[1][x] == -1.0F, x < 2 || x >= 5) << x;
    EXPECT_EQ(bands[3][x] == -1.0F, x < 2 || x >= 5) << x;
  }
}

// --- Decoupling and masking of single coefficients.

TEST(FloatAdmDecoupling, RatioIsBetweenNothingAndAll) {
  EXPECT_EQ(kept_ratio(8, 2), 0.25F);
  EXPECT_EQ(kept_ratio(-8, -2), 0.25F);
  EXPECT_EQ(kept_ratio(8, 20), 1.0F);
  EXPECT_EQ(kept_ratio(8, -2), 0.0F);
  EXPECT_EQ(kept_ratio(0, 2), 1.0F);
  EXPECT_EQ(kept_ratio(0, -2), 0.0F);
  EXPECT_EQ(kept_ratio(0, 0), 0.0F);
  EXPECT_EQ(kept_ratio(0, 1e10F), 1.0F);  // the quotient is infinite
}

TEST(FloatAdmDecoupling, EnhancementGainsUpToItsLimit) {
  EXPECT_EQ(restored(1, 100, 5000, true, 100), 5000.0F);
  EXPECT_EQ(restored(1, 100, 5000, true, 1.25), 125.0F);
  EXPECT_EQ(restored(1, -100, -5000, true, 1.25), -125.0F);
  EXPECT_EQ(restored(1, 100, 5000, true, 1), 100.0F);
  EXPECT_EQ(restored(1, 100, 5000, false, 100), 100.0F);
  EXPECT_EQ(restored(0.5F, -100, -50, false, 100), -50.0F);
  EXPECT_EQ(restored(0, 100, -5000, true, 100), 0.0F);
  // The product is binary64, rounded once to binary32: with 1.1 in binary32 it would be another.
  EXPECT_EQ(restored(1, 3, 5000, true, 1.1), static_cast<float>(3 * 1.1));
  EXPECT_NE(static_cast<float>(3 * 1.1), 3 * 1.1F);
}

TEST(FloatAdmDecoupling, DirectionsAreTheSameWithinOneDegree) {
  EXPECT_TRUE(same_direction(0, 0, 0, 0));
  EXPECT_TRUE(same_direction(0, 0, 5, 0));
  EXPECT_TRUE(same_direction(1000, 0, 10000, 174));
  EXPECT_FALSE(same_direction(1000, 0, 10000, 175));
  EXPECT_FALSE(same_direction(1000, 500, -1000, -500));
}

TEST(FloatAdmMasking, CountsWhatExceedsTheThreshold) {
  EXPECT_EQ(unmasked(5, 3), 2.0F);
  EXPECT_EQ(unmasked(3, 5), 0.0F);
  EXPECT_EQ(masks_neighbour(30), 1.0F);
  EXPECT_EQ(with_centre(2, 30), 4.0F);
}

// --- Weights.

std::vector<adm::CsfWeights> weights_of(const Requests& requests) {
  std::vector<adm::CsfWeights> weights;
  for (const ScaleSetup& scale : make_setup(options_of(requests), {1920, 1080})) {
    EXPECT_EQ(scale.csf[0], scale.csf[1]);
    weights.push_back({scale.csf[0], scale.csf[2]});
  }
  return weights;
}

template <class Csf>
void expect_weights(const Requests& requests, const Csf& csf) {
  const auto weights = weights_of(requests);
  for (int s = 0; s < adm::kScaleCount; ++s) {
    const adm::CsfWeights expected = csf(s);
    EXPECT_EQ(weights[static_cast<std::size_t>(s)].straight, expected.straight) << s;
    EXPECT_EQ(weights[static_cast<std::size_t>(s)].diagonal, expected.diagonal) << s;
  }
}

TEST(FloatAdmWeights, FollowTheMode) {
  const adm::Viewing viewing{1.5, 480};
  const auto with_mode = [](const char* mode) {
    return Requests{{"adm_csf_mode", mode},
                    {"adm_norm_view_dist", "1.5"},
                    {"adm_ref_display_height", "480"},
                    {"adm_csf_scale", "2"},
                    {"adm_csf_diag_scale", "0.5"}};
  };
  for (const char* mode : {"0", "3", "9"}) {
    expect_weights(with_mode(mode), [&](int s) { return adm::watson_csf(s, viewing); });
  }
  expect_weights(with_mode("1"), [&](int s) { return adm::barten_csf(s, viewing, 2, 0.5); });
  expect_weights(with_mode("2"), [&](int s) { return adm::dlm_csf(s, viewing); });
}

TEST(FloatAdmWeights, GivenOnesReplaceThoseOfTheMode) {
  const auto weights = weights_of({{"adm_f1s0", "0.3"}, {"adm_f2s0", "0"}, {"adm_f2s3", "0.7"}});
  const auto modelled = weights_of({});
  EXPECT_EQ(weights[0].straight, 0.3F);
  EXPECT_EQ(weights[0].diagonal, 0.0F);
  EXPECT_EQ(weights[3].straight, modelled[3].straight);
  EXPECT_EQ(weights[3].diagonal, 0.7F);
  EXPECT_EQ(weights[1].diagonal, modelled[1].diagonal);
}

// --- Options and formats.

TEST(FloatAdmOptions, RefusesTheDefaultOfTheSkippedScaleWhenItIsGiven) {
  EXPECT_NO_THROW(options_of({{"adm_skip_aim_scale", "0"}}));
  try {
    options_of({{"adm_skip_aim_scale", "-1"}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    EXPECT_THAT(error.what(), HasSubstr("adm_skip_aim_scale"));
  }
}

TEST(FloatAdmOptions, RefusesPicturesBelow17x17) {
  for (const auto& [width, height] : {std::pair{16, 100}, {100, 16}}) {
    test::expect_refused(float_adm_descriptor, {}, {width, height},
                         "extractor float_adm needs pictures of at least 17x17");
  }
}

TEST(FloatAdmOptions, NamesSortTheirKeysByOptionName) {
  const std::string suffix = options_of({{"adm_ref_display_height", "720"},
                                         {"adm_f1s0", "0.01"},
                                         {"adm_adm3_apply_hm", "true"},
                                         {"adm_p_norm", "2.5"},
                                         {"adm_enhn_gain_limit", "1"},
                                         {"adm_skip_aim_scale", "2"},
                                         {"adm_csf_mode", "2"},
                                         {"adm_csf_diag_scale", "2"}})
                                 .name_suffix();
  EXPECT_EQ(printed_name(kFeatures[kAdm3], suffix),
            "adm3_aah_scfd_2_csf_2_egl_1_f1s0_0.01_apn_2.5_rdf_720_sasc_2");
  EXPECT_EQ(printed_name(kFeatures[kDebugAdm], suffix), "adm");
}

// --- Scalar stage.

TEST(FloatAdmScores, FlatPicturesWithoutNoiseHaveNoDetailToLose) {
  // At mid-grey: elsewhere the rounded filter taps leave a little.
  const Picture flat = test::flat_picture(64, 64, 8, 128);
  const test::Scores scores = scores_of({flat, flat}, {{"adm_noise_weight", "0"}});
  EXPECT_EQ(scores[kAdm2], 1.0);
  EXPECT_EQ(scores[kAim], 0.0);
  EXPECT_EQ(scores[kAdm3], 1.0);
  EXPECT_EQ(scores[kDebugDen], 0.0);
}

TEST(FloatAdmScores, SkippedScale0ScoresZeroOverANonzeroDenominator) {
  const test::Scores scores = scores_of(textured(64, 64, 8), {{"adm_skip_scale0", "true"}});
  EXPECT_EQ(scores[kScale0], 0.0);
  EXPECT_EQ(scores[kDebugScale0Num + 1], static_cast<double>(1e-10F));
}

TEST(FloatAdmScores, TheSkippedAimScaleLeavesAdm2Alone) {
  const auto pair = textured(64, 64, 8);
  const test::Scores all = scores_of(pair);
  const test::Scores without = scores_of(pair, {{"adm_skip_aim_scale", "1"}});
  EXPECT_EQ(without[kAdm2], all[kAdm2]);
  EXPECT_NE(without[kAim], all[kAim]);
  EXPECT_EQ(without[kAdm3], without[kAdm2] * 0.5 + (1.0 - without[kAim]) * 0.5);
}

TEST(FloatAdmScores, HarmonicMeanOfDetailAndImpairment) {
  const test::Scores scores =
      scores_of(textured(64, 64, 8), {{"adm_adm3_apply_hm", "true"}, {"adm_dlm_weight", "1"}});
  EXPECT_EQ(scores[kAdm3], 2.0 * scores[kAdm2] * scores[kAim] / (scores[kAdm2] + scores[kAim]));
}

TEST(FloatAdmScores, AimIsAtMost1) {
  const PicturePair pair{test::flat_picture(64, 64, 8, 100),
                         test::make_frame(luma_clip("noise", "none", 64, 64, 8), 0).reference};
  EXPECT_EQ(scores_of(pair)[kAim], 1.0);
}

TEST(FloatAdmScores, OnlyAdm3IsHeldAboveTheMinimum) {
  const auto pair = test::make_frame(luma_clip("noise", "blur", 64, 64, 8), 0);
  const double adm3 = scores_of(pair)[kAdm3];
  ASSERT_LT(adm3, 0.9);
  const test::Scores limited = scores_of(pair, {{"adm_min_val", "0.9"}});
  EXPECT_EQ(limited[kAdm3], 0.9);
  EXPECT_EQ(limited[kAdm2], scores_of(pair)[kAdm2]);
}

TEST(FloatAdmScores, PoolingOfASingleValueIsTheValue) {
  // Sums of one value u^p per band, no noise: each norm is u again, 3 u for the three bands.
  const PictureFormat format{64, 64, ChromaFormat::yuv400, 8};
  FloatAdmRaw raw{};
  for (auto& scale : raw.scale) scale = {{1, 1, 1}, {}, {16, 16, 16}};
  const test::Scores scores = test::scores_of_raw(float_adm_descriptor, raw, format,
                                                  {{"adm_p_norm", "2"}, {"adm_noise_weight", "0"}});
  EXPECT_EQ(scores[kScale0], 0.25);
  EXPECT_EQ(scores[kDebugDen], 48.0);
  EXPECT_EQ(scores[kAim], 0.0);
}

}  // namespace
}  // namespace hipvmaf::float_adm
