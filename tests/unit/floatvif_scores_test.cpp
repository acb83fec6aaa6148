#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/float_vif/float_vif.hpp"
#include "stage_support.hpp"

namespace hipvmaf {
namespace {

using test::Requests;
using ::testing::HasSubstr;

OptionValues options_of(const Requests& requests) {
  return test::options_of(float_vif_descriptor, requests);
}

// ---- Scores ----

std::vector<double> scores_of(const FloatVifRaw& raw, const Requests& requests = {}) {
  const test::Scores scores = test::scores_of_raw(float_vif_descriptor, raw, {}, requests);
  std::vector<double> values;
  for (const auto& [feature, value] : scores.values()) values.push_back(value);
  return values;
}

constexpr FloatVifRaw kRaw{{{{8, 10}, {3, 4}, {1, 2}, {0.25F, 1}}}};

TEST(FloatVifScores, AreQuotientsOfTheSums) {
  EXPECT_THAT(scores_of(kRaw), ::testing::ElementsAre(0.8, 0.75, 0.5, 0.25, 12.25 / 17, 12.25, 17,
                                                      8, 10, 3, 4, 1, 2, 0.25, 1));
}

TEST(FloatVifScores, LeaveASkippedScaleOutOfTheTotals) {
  EXPECT_THAT(
      scores_of(kRaw, {{"vif_skip_scale0", "true"}}),
      ::testing::ElementsAre(0, 0.75, 0.5, 0.25, 4.25 / 7, 4.25, 7, 0, -1, 3, 4, 1, 2, 0.25, 1));
}

TEST(FloatVifScores, HaveLeastValuesThatTheTotalsDoNot) {
  const auto scores = scores_of(
      kRaw,
      {{"vif_scale1_min_val", "0.7"}, {"vif_scale2_min_val", "0.6"}, {"vif_scale3_min_val", "1"}});
  EXPECT_THAT(std::vector<double>(scores.begin(), scores.begin() + 5),
              ::testing::ElementsAre(0.8, 0.75, 0.6, 1, 12.25 / 17));
}

TEST(FloatVifScores, WithoutInformationAreTheLeast) {
  const auto scores = scores_of({}, {{"vif_scale2_min_val", "0.5"}});
  EXPECT_TRUE(std::isnan(scores[0]));
  EXPECT_EQ(scores[1], 0);
  EXPECT_EQ(scores[2], 0.5);
  EXPECT_EQ(scores[float_vif::kTotalFeature], 1);
}

// ---- Refusals ----

std::string option_refusal(const Requests& requests) {
  try {
    float_vif::check_options(options_of(requests));
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    return error.what();
  }
}

TEST(FloatVifOptions, AreCheckedAtTheStart) {
  EXPECT_EQ(option_refusal({}), "");
  EXPECT_EQ(option_refusal({{"vif_kernelscale", "2.4"}, {"vif_prescale_method", "lanczos4"}}), "");
  EXPECT_THAT(option_refusal({{"vif_kernelscale", "2.3"}}), HasSubstr("2.3 is not within 0.001"));
  EXPECT_EQ(option_refusal({{"vif_prescale_method", "cubic"}}),
            "option vif_prescale_method of extractor float_vif: \"cubic\" is not nearest, "
            "bilinear, bicubic or lanczos4");
}

std::string format_refusal(const Requests& requests, int width, int height) {
  try {
    require_format(float_vif_descriptor, options_of(requests),
                   {width, height, ChromaFormat::yuv420, 8});
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
    return error.what();
  }
}

TEST(FloatVifFormat, NeedsSidesForItsFilters) {
  EXPECT_EQ(format_refusal({}, 16, 16), "");
  EXPECT_EQ(format_refusal({}, 15, 64),
            "extractor float_vif needs pictures of at least 16x16, the videos are 15x64 4:2:0 8 "
            "bit");
  EXPECT_THAT(format_refusal({}, 64, 15), HasSubstr("at least 16x16"));
  EXPECT_THAT(format_refusal({}, 3, 3), HasSubstr("float_vif"));
  EXPECT_EQ(format_refusal({{"vif_kernelscale", "2"}}, 32, 32), "");
  EXPECT_THAT(format_refusal({{"vif_kernelscale", "2"}}, 32, 31),
              HasSubstr("with vif_kernelscale=2 needs pictures of at least 32x32"));
}

TEST(FloatVifFormat, CountsTheScaledSize) {
  EXPECT_EQ(format_refusal({{"vif_prescale", "0.5"}}, 31, 31), "");
  EXPECT_THAT(format_refusal({{"vif_prescale", "0.5"}}, 64, 30),
              HasSubstr("64x30 4:2:0 8 bit, scaled to 32x15 by vif_prescale"));
  EXPECT_EQ(format_refusal({{"vif_prescale", "4"}}, 4, 4), "");
}

TEST(FloatVifFormat, NeedsSourcesAsWideAsTheMethodsTaps) {
  const auto requests = [](const char* method) {
    return Requests{{"vif_prescale", "4"}, {"vif_prescale_method", method}};
  };
  EXPECT_EQ(format_refusal(requests("bicubic"), 4, 4), "");
  EXPECT_EQ(format_refusal(requests("lanczos4"), 6, 6), "");
  EXPECT_THAT(format_refusal(requests("lanczos4"), 5, 6),
              HasSubstr("with vif_prescale_method=lanczos4 needs pictures of at least 6x6"));
}

TEST(FloatVifFormat, LimitsTheWidthOfBilinearScaling) {
  const Requests bilinear{{"vif_prescale_method", "bilinear"}, {"vif_prescale", "2"}};
  EXPECT_EQ(format_refusal(bilinear, 3840, 2160), "");
  EXPECT_THAT(format_refusal(bilinear, 3841, 2160), HasSubstr("at most 7680 columns"));
  EXPECT_EQ(format_refusal({{"vif_prescale", "2"}}, 3841, 2160), "");
}

}  // namespace
}  // namespace hipvmaf
