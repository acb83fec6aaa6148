#include "features/adm/adm.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/adm/adm_math.hpp"
#include "features/adm/adm_scales.hpp"
#include "features/adm/adm_wavelet.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::adm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Requests = std::vector<std::pair<const char*, const char*>>;

OptionValues options_of(const Requests& requests) {
  OptionTexts texts;
  for (const auto& [name, text] : requests) texts.set(name, text);
  return {adm_descriptor.name, adm_descriptor.options, texts};
}

const Requests kModelV1{{"adm_csf_mode", "2"},
                        {"adm_dlm_weight", "0.7"},
                        {"adm_enhn_gain_limit", "1"},
                        {"adm_noise_weight", "0.02"},
                        {"adm_min_val", "0.5"}};

AdmRaw measure(const Requests& requests, const test::PicturePair& pair) {
  const auto stage = make_cpu_stage(options_of(requests), pair.reference.format());
  const auto frame = std::make_shared<Frame>(Frame{0, pair.reference, pair.distorted});
  AdmRaw raw;
  stage->measure_into(FrameWindow(frame, {}), &raw);
  return raw;
}

test::ClipSpec clip(std::string content, std::string distortion, int width, int height, int bits) {
  return {.name = "",
          .content = std::move(content),
          .distortion = std::move(distortion),
          .seed = 5,
          .format = {width, height, ChromaFormat::yuv400, bits},
          .frames = 1};
}

// --- Row sums of whole frames.

TEST(AdmSums, OfAnEnhancedOddSizedPicture) {
  const AdmRaw expected{{{
      {{179487402429666, 81701977237808, 318533426321},
       {5221791805, 3315463726, 64224},
       {4745069465211, 2279456558016, 22175519899}},
      {{2696759663628, 2681649829074, 1983537969},
       {0, 0, 0},
       {15978950752567, 16157058758977, 135238815443}},
      {{2939488266215, 1724424954198, 42516771576},
       {0, 0, 0},
       {16309923271347, 9713583071103, 1330492081899}},
      {{10436612785942, 1547833980984, 88325449966},
       {0, 0, 0},
       {13141719461666, 1946036882754, 336315258821}},
  }}};
  EXPECT_EQ(measure({}, test::make_frame(test::standard_clip("oddsize"), 0)), expected);
}

TEST(AdmSums, OfA10BitPictureWithTheBlendedSensitivity) {
  const AdmRaw expected{{{
      {{27375390626992, 21017382827902, 99209979889},
       {2938598112, 2943201083, 585643529},
       {4091565577088, 3125539530087, 23103688466}},
      {{1408801679154, 996868641463, 1007467168},
       {0, 0, 0},
       {22473624101176, 15923126635148, 172643865324}},
      {{2820419894921, 1455827431926, 48555768396},
       {0, 0, 0},
       {17629501076677, 9119526059483, 1829079729334}},
      {{16134660278712, 3066591575453, 133208865422},
       {0, 0, 0},
       {19633264324118, 3757883739138, 720355275127}},
  }}};
  EXPECT_EQ(measure(kModelV1, test::make_frame(test::standard_clip("sd10"), 0)), expected);
}

TEST(AdmSums, SkippedPartsAreZeroAndLeaveTheOthersAlone) {
  const auto pair = test::make_frame(clip("noise", "blur", 90, 70, 8), 0);
  const AdmRaw full = measure({}, pair);
  ASSERT_GT(full.scale[0].aim[0], 0);

  AdmRaw without_aim = full;
  for (auto& scale : without_aim.scale) scale.aim = {};
  EXPECT_EQ(measure({{"adm_skip_aim", "true"}}, pair), without_aim);

  AdmRaw without_scale0 = full;
  without_scale0.scale[0] = {};
  EXPECT_EQ(measure({{"adm_skip_scale0", "true"}}, pair), without_scale0);
}

TEST(AdmSums, AStageKeepsNothingBetweenFrames) {
  const auto first = test::make_frame(clip("noise", "noise", 64, 48, 8), 0);
  const auto second = test::make_frame(clip("noise", "noise", 64, 48, 8), 3);
  const auto stage = make_cpu_stage(options_of({}), first.reference.format());
  AdmRaw raw;
  for (const auto* pair : {&first, &second, &first}) {
    const auto frame = std::make_shared<Frame>(Frame{0, pair->reference, pair->distorted});
    stage->measure_into(FrameWindow(frame, {}), &raw);
    EXPECT_EQ(raw, measure({}, *pair));
  }
}

template <class Sample>
Picture with_padded_rows(const Picture& picture, std::vector<Sample>& memory) {
  const auto luma = picture.plane<Sample>(0);
  const std::ptrdiff_t stride = luma.width + 3;
  memory.assign(static_cast<std::size_t>(stride * luma.height), Sample{77});
  for (int y = 0; y < luma.height; ++y) {
    std::copy_n(luma.row(y), luma.width, memory.data() + y * stride);
  }
  const Picture::Plane plane{memory.data(), stride * static_cast<std::ptrdiff_t>(sizeof(Sample))};
  return Picture::wrap(picture.format(), {&plane, 1}, {});
}

template <class Sample>
void expect_same_when_padded(int bits) {
  const auto pair = test::make_frame(clip("texture", "block", 67, 53, bits), 0);
  std::vector<Sample> reference;
  std::vector<Sample> distorted;
  const test::PicturePair padded{with_padded_rows(pair.reference, reference),
                                 with_padded_rows(pair.distorted, distorted)};
  EXPECT_EQ(measure({}, padded), measure({}, pair)) << bits;
}

TEST(AdmSums, DoNotDependOnTheLayoutOfWrappedMemory) {
  expect_same_when_padded<std::uint8_t>(8);
  expect_same_when_padded<std::uint16_t>(12);
}

TEST(AdmSums, OfTheSmallestPictures) {
  for (const auto& [width, height] : {std::pair{17, 17}, {18, 17}, {17, 33}, {200, 17}}) {
    for (const int bits : {8, 9, 16}) {
      const auto spec = clip("noise", "noise", width, height, bits);
      EXPECT_NO_THROW(require_format(adm_descriptor, options_of({}), spec.format));
      const AdmRaw raw = measure({}, test::make_frame(spec, 3));
      for (const auto& scale : raw.scale) EXPECT_GT(scale.den[0], 0U) << width << 'x' << height;
    }
  }
}

TEST(AdmSums, SamplesAboveTheDepthCountAsThePeak) {
  const PictureFormat format{40, 40, ChromaFormat::yuv400, 10};
  const auto checked = [&](std::uint16_t bright) {
    PictureBuffer buffer(format);
    const auto luma = buffer.plane<std::uint16_t>(0);
    for (int y = 0; y < luma.height; ++y) {
      for (int x = 0; x < luma.width; ++x) luma.row(y)[x] = (x / 3 + y / 5) % 2 != 0 ? bright : 0;
    }
    return std::move(buffer).finish();
  };
  const Picture peak = checked(1023);
  const Picture above = checked(65535);
  EXPECT_EQ(measure({}, {above, above}), measure({}, {peak, peak}));
}

// --- Wavelet.

/// Sums of the bands A, H, V, D over a whole scale.
using BandSums = std::array<std::int64_t, 4>;

template <class Input>
auto transform_all(const PlaneView<const Input>& input, const ScaleSetup& scale, BandSums& sums) {
  using Coefficient = typename RowTransform<Input>::Coefficient;
  RowTransform<Input> transform(scale.input_width, scale.wavelet);
  const auto width = static_cast<std::size_t>(scale.width);
  std::vector<Coefficient> a(width * static_cast<std::size_t>(scale.height));
  std::array<std::vector<Coefficient>, 3> detail;
  for (auto& row : detail) row.resize(width);
  sums = {};
  for (int y = 0; y < scale.height; ++y) {
    Coefficient* out = a.data() + static_cast<std::size_t>(y) * width;
    const auto row = [&](int k) { return input.row(mirrored(2 * y + k, input.height)); };
    transform.run({row(-1), row(0), row(1), row(2)}, {0, scale.width},
                  {out, {detail[0].data(), detail[1].data(), detail[2].data()}});
    sums[0] = std::accumulate(out, out + width, sums[0]);
    for (std::size_t b = 0; b < detail.size(); ++b) {
      sums[b + 1] = std::accumulate(detail[b].begin(), detail[b].end(), sums[b + 1]);
    }
  }
  return a;
}

template <class Sample>
std::array<BandSums, 4> band_sums(const Picture& picture) {
  const Setup setup = make_setup(options_of({}), picture.format());
  const auto view = [&]<class T>(const std::vector<T>& a, const ScaleSetup& scale) {
    return PlaneView<const T>{a.data(), scale.width, scale.height, scale.width};
  };
  std::array<BandSums, 4> sums;
  const auto a0 = transform_all(picture.plane<Sample>(0), setup[0], sums[0]);
  const auto a1 = transform_all(view(a0, setup[0]), setup[1], sums[1]);
  const auto a2 = transform_all(view(a1, setup[1]), setup[2], sums[2]);
  (void)transform_all(view(a2, setup[2]), setup[3], sums[3]);
  return sums;
}

TEST(AdmWavelet, BandSumsOfAnOddSizedPicture) {
  const auto pair = test::make_frame(test::standard_clip("oddsize"), 0);
  EXPECT_THAT(band_sums<std::uint8_t>(pair.reference),
              ElementsAre(BandSums{-7501950, -23128, 68201, 755},
                          BandSums{-114947227469, 4284524, 1197059825, 60891993},
                          BandSums{-12177836962, -3120217946, 2914767746, 112257762},
                          BandSums{-1745310893, 308833238, 539266232, 95942276}));
  EXPECT_THAT(band_sums<std::uint8_t>(pair.distorted),
              ElementsAre(BandSums{-7515818, -33164, 96522, 689},
                          BandSums{-115164361220, -4365339, 1493270383, 27643541},
                          BandSums{-12206273683, -3324853775, 3049421115, 119013059},
                          BandSums{-1750381250, 305389350, 549222539, 97417200}));
}

TEST(AdmWavelet, BandSumsOfA10BitPicture) {
  const auto pair = test::make_frame(test::standard_clip("sd10"), 0);
  EXPECT_THAT(band_sums<std::uint16_t>(pair.reference),
              ElementsAre(BandSums{-6760094, 126045, 63561, 1062},
                          BandSums{-99543627890, 1154823679, 959962514, 18451264},
                          BandSums{-9308729805, -3832011655, 1938154034, -841443856},
                          BandSums{-703413159, 156366991, 723810875, 156222282}));
}

TEST(AdmWavelet, MirrorsAroundTheFirstSampleAndBehindTheLast) {
  EXPECT_EQ(mirrored(-1, 9), 1);
  EXPECT_EQ(mirrored(0, 9), 0);
  EXPECT_EQ(mirrored(8, 9), 8);
  EXPECT_EQ(mirrored(9, 9), 8);
  EXPECT_EQ(mirrored(10, 9), 7);
}

// --- Decoupling and masking of single coefficients.

TEST(AdmDecoupling, ReciprocalIsExact) {
  for (std::int32_t n = 1; n <= 1 << 15; ++n) ASSERT_EQ(reciprocal(n), (1 << 30) / n) << n;
}

TEST(AdmDecoupling, RestoredPartFollowsTheDistortedCoefficient) {
  const auto fine = [](int o, int t) { return Fine::restored(o, t, false, 100); };
  EXPECT_EQ(fine(1000, 250), 250);
  EXPECT_EQ(fine(1000, 5000), 1000);
  EXPECT_EQ(fine(1000, -250), 0);
  EXPECT_EQ(fine(-1000, -250), -250);
  EXPECT_EQ(fine(-1000, 250), 0);
  EXPECT_EQ(fine(0, 250), 0);
  EXPECT_EQ(fine(0, -250), 0);
  // At equal size the rounded-down reciprocal may lose the last bit of the ratio (32767 here); a
  // negative half is rounded towards zero.
  EXPECT_EQ(fine(16566, 16566), 16565);
  EXPECT_EQ(fine(-16566, -16566), -16565);
  EXPECT_EQ(fine(16566, 16567), 16566);
  EXPECT_EQ(fine(2, 1), 1);
  EXPECT_EQ(fine(3, 1), 1);
}

TEST(AdmDecoupling, CoarseScalesAgreeWithTheFineOneWhereBothHold) {
  for (int o = -700; o <= 700; o += 7) {
    for (int t = -900; t <= 900; t += 9) {
      for (const bool enhancement : {false, true}) {
        ASSERT_EQ(Coarse::restored(o, t, enhancement, 1.2), Fine::restored(o, t, enhancement, 1.2))
            << o << ' ' << t;
      }
    }
  }
}

TEST(AdmDecoupling, CoarseScalesKeep15BitsOfTheDivisor) {
  EXPECT_EQ(Coarse::restored(1 << 30, 1 << 29, false, 100), 1 << 29);
  EXPECT_EQ(Coarse::restored(-(1 << 30), -(1 << 29), false, 100), -(1 << 29));
  EXPECT_EQ(Coarse::restored(1'600'000'000, 2'000'000'000, false, 100), 1'600'000'000);
  EXPECT_EQ(Coarse::restored(1'600'000'000, -5, false, 100), 0);
  // 65535 rounds up to the divisor 2^15 with one bit dropped.
  EXPECT_EQ(Coarse::restored(65535, 32768, false, 100), (16384LL * 65535 + 16384) >> 15);
}

TEST(AdmDecoupling, EnhancementGainsUpToItsLimit) {
  EXPECT_EQ(Fine::restored(100, 5000, true, 100), 5000);
  EXPECT_EQ(Fine::restored(100, 5000, true, 1.255), 125);  // truncated
  EXPECT_EQ(Fine::restored(-100, -5000, true, 1.255), -125);
  EXPECT_EQ(Fine::restored(-100, -5000, true, 1), -100);
  EXPECT_EQ(Fine::restored(100, -5000, true, 100), 0);
  EXPECT_EQ(Coarse::restored(20'000'000, 2'000'000'000, true, 100), 2'000'000'000);
  EXPECT_EQ(Coarse::restored(-20'000'000, -2'000'000'000, true, 50.5), -1'010'000'000);
}

TEST(AdmDecoupling, DirectionsAreTheSameWithinOneDegree) {
  const auto same = [](std::int32_t oh, std::int32_t ov, std::int32_t th, std::int32_t tv) {
    return same_direction(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv);
  };
  EXPECT_TRUE(same(0, 0, 0, 0));
  EXPECT_TRUE(same(0, 0, 5, 0));
  EXPECT_TRUE(same(1000, 0, 10000, 174));
  EXPECT_FALSE(same(1000, 0, 10000, 175));
  EXPECT_FALSE(same(1000, 500, -1000, -500));
}

TEST(AdmMasking, CentreTermOfScale0DoesNotWrapAt16Bits) {
  const ScaleSetup scale = make_setup(options_of({}), {1920, 1080})[0];
  const Weighted strongest = Fine::weigh(-22929, scale.bands[0]);
  EXPECT_EQ(strongest.magnitude, 36453U * 22929U);
  const int masker = 25508;  // 36453 * 22929 / 2^15 = 25507.53, rounded
  EXPECT_EQ(strongest.neighbour, (4369 * masker + 2048) >> 12);
  EXPECT_EQ(strongest.centre, (8738 * masker + 2048) >> 12);
  EXPECT_GT(strongest.centre, 32767);
}

TEST(AdmMasking, NothingMasksByMinusOneOnCoarseScales) {
  const ScaleSetup scale = make_setup(options_of({}), {1920, 1080})[1];
  const Weighted nothing = Coarse::weigh(0, scale.bands[0]);
  EXPECT_EQ(nothing.magnitude, 0U);
  EXPECT_EQ(nothing.neighbour, -1);
  EXPECT_EQ(nothing.centre, -1);
}

TEST(AdmMasking, ValueIsTheCubeOfWhatExceedsTheThreshold) {
  const BandFormat format{.weight = 1, .threshold_shift = 10, .square_shift = 29, .value_shift = 0};
  EXPECT_EQ(masked_value<false>(1 << 20, 1 << 10, format), 0);
  EXPECT_EQ(masked_value<false>(1 << 20, 1 << 11, format), 0);
  const std::int64_t u = (1 << 29) - (3 << 10);
  const std::int64_t expected = ((u * u + (1LL << 28)) >> 29) * u;
  EXPECT_EQ(masked_value<false>(1 << 29, 3, format), expected);
  EXPECT_EQ(masked_value<true>(1 << 29, 3, format), expected);
  // A square of 32 bits is negative where wraps belong to the definition.
  EXPECT_LT(masked_value<true>(1'200'000'000, 0, format), 0);
}

// --- Options and formats.

void expect_refused(const Requests& requests, const char* reason) {
  try {
    check_options(options_of(requests));
    ADD_FAILURE() << "accepted, expected: " << reason;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    EXPECT_THAT(error.what(), HasSubstr(reason));
  }
}

TEST(AdmOptions, RefusesViewingThatIsTooCoarse) {
  expect_refused({{"adm_norm_view_dist", "2.999"}},
                 "adm_norm_view_dist 2.999 with adm_ref_display_height 1080 is too coarse; their "
                 "product must be at least 3240");
  expect_refused({{"adm_csf_mode", "2"}, {"adm_ref_display_height", "720"}}, "at least 3240");
  EXPECT_NO_THROW(check_options(
      options_of({{"adm_norm_view_dist", "1.5"}, {"adm_ref_display_height", "2160"}})));
}

TEST(AdmOptions, RefusesViewingThatTheBlendTablesLack) {
  for (const char* mode : {"2", "3"}) {
    expect_refused({{"adm_csf_mode", mode}, {"adm_norm_view_dist", "4"}},
                   "3 x 1080, 1.5 x 2160, 5 x 1080, 3 x 2160, 5 x 2160, 5 x 720");
    EXPECT_NO_THROW(check_options(options_of(
        {{"adm_csf_mode", mode}, {"adm_norm_view_dist", "5"}, {"adm_ref_display_height", "720"}})));
  }
  EXPECT_NO_THROW(check_options(options_of({{"adm_csf_mode", "1"}, {"adm_norm_view_dist", "4"}})));
}

TEST(AdmOptions, RefusesPicturesBelow17x17) {
  for (const auto& [width, height] : {std::pair{16, 100}, {100, 16}}) {
    try {
      require_format(adm_descriptor, options_of({}), {width, height});
      ADD_FAILURE() << width << 'x' << height;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
      EXPECT_THAT(error.what(), HasSubstr("extractor adm needs pictures of at least 17x17"));
    }
  }
}

TEST(AdmOptions, NamesSortTheirKeysByOptionName) {
  Requests requests = kModelV1;
  requests.emplace_back("adm_csf_diag_scale", "2");
  requests.emplace_back("adm_norm_view_dist", "1.5");
  requests.emplace_back("adm_ref_display_height", "2160");
  requests.emplace_back("adm_skip_scale0", "true");
  requests.emplace_back("adm_skip_aim", "true");
  EXPECT_EQ(printed_name(kFeatures[kAdm3], options_of(requests).name_suffix()),
            "integer_adm3_scfd_2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_1.5_rdh_2160_ssz");
}

// --- Scalar stage.

class Scores : public ScoreSink {
 public:
  void emit(int feature, std::int64_t, double value) override { values_[feature] = value; }
  void aggregate(std::string_view, double) override {}
  double operator[](int feature) const { return values_.at(feature); }

 private:
  std::map<int, double> values_;
};

Scores scores_of(const Requests& requests, const test::PicturePair& pair) {
  const AdmRaw raw = measure(requests, pair);
  Scores scores;
  make_scalar_stage(options_of(requests), pair.reference.format())->push_raw(0, &raw, scores);
  return scores;
}

TEST(AdmScores, FlatPicturesWithoutNoiseHaveNoDetailToLose) {
  const auto flat = test::make_frame(clip("flat", "none", 64, 64, 8), 0);
  const Scores scores = scores_of({{"adm_noise_weight", "0"}}, flat);
  EXPECT_EQ(scores[kAdm2], 1.0);
  EXPECT_EQ(scores[kAim], 0.0);
  EXPECT_EQ(scores[kAdm3], 1.0);
  EXPECT_EQ(scores[kDebugDen], 0.0);
  for (int s = 0; s < AdmRaw::kScales; ++s) EXPECT_TRUE(std::isnan(scores[kScale0 + s]));
}

TEST(AdmScores, SkippedScale0ScoresZeroOverANonzeroDenominator) {
  const auto pair = test::make_frame(clip("texture", "blur", 64, 64, 8), 0);
  const Scores scores = scores_of({{"adm_skip_scale0", "true"}}, pair);
  EXPECT_EQ(scores[kScale0], 0.0);
  EXPECT_EQ(scores[kDebugScale0Num + 1], static_cast<double>(1e-10F));
}

TEST(AdmScores, OnlyAdm3IsHeldAboveTheMinimum) {
  const auto pair = test::make_frame(clip("noise", "blur", 64, 64, 8), 0);
  const double adm3 = scores_of({}, pair)[kAdm3];
  ASSERT_LT(adm3, 0.9);
  const Scores limited = scores_of({{"adm_min_val", "0.9"}}, pair);
  EXPECT_EQ(limited[kAdm3], 0.9);
  EXPECT_EQ(limited[kAdm2], scores_of({}, pair)[kAdm2]);
}

}  // namespace
}  // namespace hipvmaf::adm
