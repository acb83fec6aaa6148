#include "features/options.hpp"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/feature.hpp"

namespace hipvmaf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Requests = std::vector<std::pair<const char*, const char*>>;

constexpr double kLargest = std::numeric_limits<double>::max();

// One option of each type and role, with the quirks that extractors' tables have: a default outside
// the range, an unbounded range, flags that are on by default.
constexpr std::array kTable = {
    flag_option("flag", "f", ""),
    integer_option("count", "c", 5, 0, 9, ""),
    integer_option("auto", "a", -1, 0, 3, ""),
    real_option("gain", "g", 100, 1, 100, ""),
    real_option("offset", "o", 0.5, -1, 1, ""),
    text_option("method", "m", "nearest", ""),
    figures_option("debug", false, ""),
    figures_option("chroma", true, ""),
    setting_flag("peak", ""),
    real_option("min_sse", "", 0, 0, kLargest, ""),
    integer_option("matrix", "", 0, 0, 3, ""),
    text_option("folder", "", "", ""),
};

OptionTexts texts_of(const Requests& requests) {
  OptionTexts texts;
  for (const auto& [name, text] : requests) texts.set(name, text);
  return texts;
}

OptionValues values_of(const Requests& requests) { return {"x", kTable, texts_of(requests)}; }

// What a command line or a program that calls the library gives.
std::string suffix(std::span<const OptionSpec> table, const Requests& requests) {
  OptionTexts texts;
  for (const auto& [name, text] : requests) texts.set(name, normalise_option_text(text));
  return OptionValues("x", table, texts).name_suffix();
}

void expect_refused(const char* name, const char* text, const char* allowed) {
  try {
    (void)values_of({{name, text}});
    ADD_FAILURE() << name << "=" << text << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    EXPECT_THAT(error.what(), HasSubstr(std::string("option ") + name + " of extractor x"));
    EXPECT_THAT(error.what(), HasSubstr(std::string("\"") + text + "\""));
    EXPECT_THAT(error.what(), HasSubstr(allowed));
  }
}

TEST(NormaliseOptionText, RewritesWhatIsANumberAsAWhole) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"1.0", "1"},
      {"0.50", "0.5"},
      {" 0.5", "0.5"},
      {"0.5 \n", "0.5"},
      {"+2", "2"},
      {"-0", "-0"},
      {"0x1p-1", "0.5"},
      {"0x10", "16"},
      {"5e-1", "0.5"},
      {"1234.5678", "1234.57"},
      {"12345678", "1.23457e+07"},
      {"16777217", "1.67772e+07"},
      {"0.123456789", "0.123457"},
      {"1e-300", "0"},
      {"1e-40", "9.99995e-41"},
      {"1e39", "inf"},
      {"-inf", "-inf"},
      {"nan", "nan"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(normalise_option_text(text), expected) << text;
  }
}

TEST(NormaliseOptionText, LeavesOtherTextsAlone) {
  for (const char* text : {"", " ", "65abc", "true", "bilinear", "1 2", "0x", "1e", "--1", "1,5"}) {
    EXPECT_EQ(normalise_option_text(text), text);
  }
}

TEST(OptionValues, StartWithTheDefaults) {
  const OptionValues values(kTable);
  EXPECT_FALSE(values.flag("flag"));
  EXPECT_EQ(values.integer("count"), 5);
  EXPECT_EQ(values.integer("auto"), -1);
  EXPECT_EQ(values.real("gain"), 100);
  EXPECT_EQ(values.get<std::string>("method"), "nearest");
  EXPECT_TRUE(values.flag("chroma"));
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    EXPECT_TRUE(values.is_default(i));
    EXPECT_FALSE(values.given(i));
  }
  EXPECT_THROW((void)values.flag("flog"), std::logic_error);
}

TEST(OptionValues, BooleansAreTrueOrFalse) {
  EXPECT_TRUE(values_of({{"flag", "true"}}).flag("flag"));
  EXPECT_FALSE(values_of({{"chroma", "false"}}).flag("chroma"));
  for (const char* text : {"1", "0", "TRUE", "yes", "True", " true", "", "truefalse"}) {
    expect_refused("flag", text, "true or false");
  }
}

TEST(OptionValues, IntegersAreReadAsAtoiReadsThem) {
  const std::vector<std::pair<const char*, int>> cases = {
      {"9", 9},  {"0", 0},    {"7abc", 7}, {"3.9", 3}, {"1.23457e+07", 1}, {"0x10", 0},
      {"00", 0}, {"0abc", 0}, {" 4", 4},   {"+4", 4},  {"08", 8},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(values_of({{"count", text}}).integer("count"), expected) << text;
  }
  for (const char* text : {"", "abc", "-0", " 0", "+0", "-1", "10", "12345678", "4294967297",
                           "-4294967295", "99999999999999999999", "true", "nan", "+ 4", "--4"}) {
    expect_refused("count", text, "an integer from 0 to 9");
  }
}

TEST(OptionValues, RealsAreReadAsAtofReadsThem) {
  const std::vector<std::pair<const char*, double>> cases = {
      {"0", 0},       {"0.0", 0},   {"0x", 0},     {"0e5", 0},       {"0.25abc", 0.25},
      {"-1", -1},     {"1", 1},     {"+.5", 0.5},  {"0x1p-2", 0.25}, {" -0.5", -0.5},
      {"1e-9", 1e-9}, {"0.1", 0.1}, {"5e-1", 0.5}, {"1e", 1},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(values_of({{"offset", text}}).real("offset"), expected) << text;
  }
  for (const char* text :
       {"", "abc", "-0", " 0", ".0", "1.0000001", "-1.1", "nan", "inf", "1e999", "true", "-nan"}) {
    expect_refused("offset", text, "a number from -1 to 1");
  }
  EXPECT_EQ(values_of({{"min_sse", "1.7976931348623157e308"}}).real("min_sse"), kLargest);
  expect_refused("min_sse", "inf", "a number from 0 to");
}

TEST(OptionValues, TheDefaultMayLieOutsideTheRange) {
  expect_refused("auto", "-1", "an integer from 0 to 3");
}

TEST(OptionValues, TextsAreTakenAsTheyAre) {
  EXPECT_EQ(values_of({{"method", " any thing"}}).get<std::string>("method"), " any thing");
  EXPECT_EQ(values_of({{"method", ""}}).get<std::string>("method"), "");
}

TEST(OptionValues, RememberWhatWasGiven) {
  const OptionValues values = values_of({{"count", "5"}, {"nonsense", "1"}});
  EXPECT_TRUE(values.given(1));
  EXPECT_TRUE(values.is_default(1));
  EXPECT_FALSE(values.given(0));
}

TEST(OptionTexts, KeepThePlaceAndTheLastText) {
  OptionTexts texts = texts_of({{"b", "1"}, {"a", "2"}, {"b", "3"}});
  EXPECT_THAT(texts.entries(),
              ElementsAre(OptionTexts::Entry("b", "3"), OptionTexts::Entry("a", "2")));
  texts.merge(texts_of({{"c", "4"}, {"a", "5"}}));
  EXPECT_THAT(texts.entries(),
              ElementsAre(OptionTexts::Entry("b", "3"), OptionTexts::Entry("a", "5"),
                          OptionTexts::Entry("c", "4")));
  ASSERT_NE(texts.find("c"), nullptr);
  EXPECT_EQ(*texts.find("c"), "4");
  EXPECT_EQ(texts.find("d"), nullptr);
}

TEST(UnknownOptions, AreListedInOrder) {
  EXPECT_THAT(unknown_options(kTable, texts_of({{"zzz", "1"}, {"gain", "1"}, {"Gain", "1"}})),
              ElementsAre("zzz", "Gain"));
  EXPECT_THAT(unknown_options(kTable, OptionTexts()), IsEmpty());
  EXPECT_EQ(list_options(std::span(kTable).first(3)), "flag, count, auto");
  EXPECT_EQ(list_options({}), "none");
}

constexpr std::array kAdm = {
    figures_option("debug", false, ""),
    real_option("adm_dlm_weight", "dlmw", 0.5, 0, 1, ""),
    real_option("adm_enhn_gain_limit", "egl", 100, 1, 100, ""),
    integer_option("adm_csf_mode", "csf", 0, 0, 3, ""),
    real_option("adm_noise_weight", "nw", 0.03125, 0, 1500, ""),
    real_option("adm_min_val", "min", 0, 0, 1, ""),
};

constexpr std::array kMotion = {
    flag_option("motion_force_zero", "force_0", ""),
    real_option("motion_blend_factor", "mbf", 1, 0, 1, ""),
    real_option("motion_blend_offset", "mbo", 40, 0, 1000, ""),
};

constexpr std::array kCambi = {
    real_option("cambi_max_val", "cmxv", 1000, 0, 1000, ""),
    real_option("topk", "topk", 0.6, 0.0001, 1, ""),
    real_option("cambi_topk", "ctpk", 0.6, 0.0001, 1, ""),
    real_option("cambi_vis_lum_threshold", "vlt", 0, 0, 300, ""),
    figures_option("full_ref", false, ""),
    text_option("eotf", "eotf", "bt1886", ""),
    text_option("cambi_eotf", "ceot", "bt1886", ""),
    integer_option("cambi_high_res_speedup", "hrs", 0, 0, 2160, ""),
};

TEST(NameSuffix, HasWhatDiffersFromTheDefaults) {
  EXPECT_EQ(suffix(kAdm, {{"adm_enhn_gain_limit", "1.10"}, {"debug", "true"}}), "_egl_1.1");
  EXPECT_EQ(suffix(kAdm, {{"adm_enhn_gain_limit", "100"}}), "");
  EXPECT_EQ(suffix(kAdm, {{"adm_enhn_gain_limit", "1.0"}}), "_egl_1");
  EXPECT_EQ(suffix(kMotion, {{"motion_force_zero", "true"}}), "_force_0");
  EXPECT_EQ(suffix(kMotion, {{"motion_force_zero", "false"}}), "");
  EXPECT_EQ(
      suffix(kMotion, {{"motion_blend_factor", "0.123456789"}, {"motion_blend_offset", "0.00001"}}),
      "_mbf_0.123457_mbo_1e-05");
}

TEST(NameSuffix, IsSortedByOptionNameNotByKey) {
  EXPECT_EQ(suffix(kCambi, {{"full_ref", "true"},
                            {"topk", "0.5"},
                            {"cambi_topk", "0.3"},
                            {"eotf", "pq"},
                            {"cambi_eotf", "pq"}}),
            "_ceot_pq_ctpk_0.3_eotf_pq_topk_0.5");
  EXPECT_EQ(suffix(kCambi, {{"cambi_vis_lum_threshold", "0.06"},
                            {"cambi_max_val", "17"},
                            {"cambi_high_res_speedup", "1080"}}),
            "_hrs_1080_cmxv_17_vlt_0.06");
  EXPECT_EQ(suffix(kAdm, {{"adm_min_val", "0.5"},
                          {"adm_noise_weight", "0.02"},
                          {"adm_csf_mode", "2"},
                          {"adm_enhn_gain_limit", "1"},
                          {"adm_dlm_weight", "0.7"}}),
            "_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02");
}

TEST(NameSuffix, LeavesOutOptionsThatDoNotChangeFigures) {
  EXPECT_EQ(values_of({{"debug", "true"},
                       {"chroma", "false"},
                       {"peak", "true"},
                       {"min_sse", "0.5"},
                       {"folder", "x"}})
                .name_suffix(),
            "");
}

TEST(FeatureNames, TakeTheSuffixAtTheAlias) {
  const FeatureSpec adm2{.internal_name = "VMAF_integer_feature_adm2_score",
                         .alias = "integer_adm2"};
  EXPECT_EQ(stored_name(adm2, ""), "VMAF_integer_feature_adm2_score");
  EXPECT_EQ(printed_name(adm2, ""), "integer_adm2");
  EXPECT_EQ(stored_name(adm2, "_egl_1.1"), "integer_adm2_egl_1.1");
  EXPECT_EQ(printed_name(adm2, "_egl_1.1"), "integer_adm2_egl_1.1");
  const FeatureSpec sad{.internal_name = "VMAF_integer_feature_motion_sad_score", .alias = {}};
  EXPECT_EQ(stored_name(sad, "_force_0"), "VMAF_integer_feature_motion_sad_score_force_0");
  const FeatureSpec source{.internal_name = "cambi_source", .alias = {}, .provided = false};
  EXPECT_EQ(stored_name(source, "_topk_0.5"), "cambi_source");
  EXPECT_EQ(printed_name(source, "_topk_0.5"), "cambi_source");
  EXPECT_EQ(stored_name(adm2, std::string(300, 'x')).size(), 255U);
}

TEST(Merge, UnitesFigures) {
  OptionValues values = values_of({});
  EXPECT_THAT(values.merge("x", values_of({{"debug", "true"}})), IsEmpty());
  EXPECT_TRUE(values.flag("debug"));
  values.merge("x", values_of({{"debug", "false"}}));
  EXPECT_TRUE(values.flag("debug"));
}

TEST(Merge, AFigureThatIsOnByDefaultStaysOn) {
  OptionValues off = values_of({{"chroma", "false"}});
  off.merge("x", values_of({{"chroma", "false"}}));
  EXPECT_FALSE(off.flag("chroma"));
  off.merge("x", values_of({}));
  EXPECT_TRUE(off.flag("chroma"));
}

TEST(Merge, AGivenSettingHoldsForAll) {
  OptionValues first = values_of({{"min_sse", "0.5"}});
  EXPECT_THAT(first.merge("x", values_of({})),
              ElementsAre(testing::AllOf(HasSubstr("extractor x"), HasSubstr("min_sse=0.5"))));
  EXPECT_EQ(first.real("min_sse"), 0.5);

  OptionValues second = values_of({});
  EXPECT_THAT(second.merge("x", values_of({{"peak", "true"}, {"folder", "maps"}})),
              ElementsAre(HasSubstr("peak=true"), HasSubstr("folder=maps")));
  EXPECT_TRUE(second.flag("peak"));
  EXPECT_EQ(second.get<std::string>("folder"), "maps");
}

TEST(Merge, WarnsOfNothingAtTheDefault) {
  OptionValues values = values_of({});
  EXPECT_THAT(values.merge("x", values_of({{"matrix", "0"}, {"peak", "false"}})), IsEmpty());
  EXPECT_THAT(values.merge("x", values_of({{"matrix", "0"}})), IsEmpty());
}

TEST(Merge, TakesEqualSettings) {
  OptionValues values = values_of({{"min_sse", "0.5"}, {"matrix", "2"}});
  EXPECT_THAT(values.merge("x", values_of({{"min_sse", "5e-1"}, {"matrix", "2abc"}})), IsEmpty());
}

void expect_contradiction(OptionValues values, const OptionValues& other, const char* option,
                          const char* one, const char* two) {
  try {
    values.merge("psnr", other);
    ADD_FAILURE() << option << " was merged";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    for (const char* part : {"psnr", option, one, two}) {
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }
}

TEST(Merge, RefusesContradictingSettings) {
  expect_contradiction(values_of({{"min_sse", "0.5"}}), values_of({{"min_sse", "0.25"}}), "min_sse",
                       "\"0.5\"", "\"0.25\"");
  expect_contradiction(values_of({{"folder", "a"}}), values_of({{"folder", "b"}}), "folder",
                       "\"a\"", "\"b\"");
  // A given default contradicts as well.
  expect_contradiction(values_of({{"peak", "true"}}), values_of({{"peak", "false"}}), "peak",
                       "\"true\"", "\"false\"");
  // What an earlier merge brought counts as given.
  OptionValues merged = values_of({});
  merged.merge("psnr", values_of({{"matrix", "1"}}));
  expect_contradiction(merged, values_of({{"matrix", "2"}}), "matrix", "\"1\"", "\"2\"");
}

}  // namespace
}  // namespace hipvmaf
