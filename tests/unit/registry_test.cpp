// What must hold for every registered extractor, and the names that options give to features.
#include "features/registry.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"

namespace hipvmaf {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr const char* kPlainName = "[a-z0-9_]+";

// Defaults outside their option's range: they stand for "off" and cannot be given explicitly.
const std::set<std::pair<std::string_view, std::string_view>> kDefaultsOutOfRange{
    {"float_adm", "adm_skip_aim_scale"}, {"cambi", "enc_width"}, {"cambi", "enc_height"},
    {"cambi", "enc_bitdepth"},           {"cambi", "src_width"}, {"cambi", "src_height"},
};

bool is_number(const OptionSpec& spec) {
  return spec.type == OptionType::integer || spec.type == OptionType::real;
}

// A valid text for a value other than the default.
std::string other_text(const OptionSpec& spec) {
  switch (spec.type) {
    case OptionType::boolean:
      return spec.default_number != 0 ? "false" : "true";
    case OptionType::integer:
    case OptionType::real:
      return format_general(spec.default_number != spec.maximum ? spec.maximum : spec.minimum, 17);
    case OptionType::text:
      return "other";
  }
  return {};
}

OptionValues with_option(const Descriptor& extractor, const OptionSpec& spec,
                         const std::string& text) {
  OptionTexts texts;
  texts.set(spec.name, text);
  return {extractor.name, extractor.options, texts};
}

class Extractor : public ::testing::TestWithParam<const Descriptor*> {
 protected:
  const Descriptor& extractor_ = *GetParam();
  const OptionValues defaults_{extractor_.options};
};

TEST_P(Extractor, IsDescribed) {
  EXPECT_THAT(std::string(extractor_.name), MatchesRegex(kPlainName));
  EXPECT_THAT(extractor_.summary, Not(IsEmpty()));
  EXPECT_THAT(extractor_.range, Not(IsEmpty()));
  EXPECT_THAT(extractor_.source, Not(IsEmpty()));
}

TEST_P(Extractor, IsFoundByItsName) {
  EXPECT_EQ(find_extractor(extractor_.name), &extractor_);
  const auto same = [&](const Descriptor* other) { return other->name == extractor_.name; };
  EXPECT_EQ(std::ranges::count_if(registry(), same), 1);
  EXPECT_NE((", " + list_extractors() + ", ").find(", " + std::string(extractor_.name) + ", "),
            std::string::npos);
}

TEST_P(Extractor, ProvidesItsFeatures) {
  for (const FeatureSpec& feature : extractor_.features) {
    if (feature.provided) {
      EXPECT_EQ(find_provider(feature.internal_name), &extractor_) << feature.internal_name;
    }
  }
}

TEST_P(Extractor, OptionNamesAndKeysAreUnique) {
  std::set<std::string_view> names;
  std::set<std::string_view> keys;
  for (const OptionSpec& spec : extractor_.options) {
    EXPECT_THAT(std::string(spec.name), MatchesRegex(kPlainName));
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_EQ(spec.key.empty(), spec.role != OptionRole::identity) << spec.name;
    if (!spec.key.empty()) {
      EXPECT_THAT(std::string(spec.key), MatchesRegex(kPlainName));
      EXPECT_TRUE(keys.insert(spec.key).second) << spec.key;
    }
    EXPECT_THAT(spec.help, Not(IsEmpty())) << spec.name;
    if (spec.role == OptionRole::figures) {
      EXPECT_EQ(spec.type, OptionType::boolean) << spec.name;
    }
  }
}

TEST_P(Extractor, DefaultsAreInRange) {
  for (const OptionSpec& spec : extractor_.options) {
    if (!is_number(spec)) continue;
    EXPECT_LT(spec.minimum, spec.maximum) << spec.name;
    const bool in_range =
        spec.minimum <= spec.default_number && spec.default_number <= spec.maximum;
    EXPECT_NE(in_range, kDefaultsOutOfRange.contains({extractor_.name, spec.name})) << spec.name;
  }
}

TEST_P(Extractor, TakesTheEndsOfEachRange) {
  for (const OptionSpec& spec : extractor_.options) {
    if (!is_number(spec)) continue;
    for (const double end : {spec.minimum, spec.maximum}) {
      EXPECT_NO_THROW(with_option(extractor_, spec, format_general(end, 17)))
          << spec.name << " " << end;
    }
  }
}

TEST_P(Extractor, OptionsAreInTheNameByRole) {
  EXPECT_EQ(defaults_.name_suffix(), "");
  for (const OptionSpec& spec : extractor_.options) {
    const std::string text = other_text(spec);
    const std::string suffix = with_option(extractor_, spec, text).name_suffix();
    std::string expected;
    if (spec.role == OptionRole::identity) {
      expected = "_" + std::string(spec.key);
      if (is_number(spec)) expected += "_" + format_general(leading_real(text));
      if (spec.type == OptionType::text) expected += "_" + text;
    }
    EXPECT_EQ(suffix, expected) << spec.name;
  }
}

TEST_P(Extractor, RequirementsMakeSense) {
  EXPECT_GE(extractor_.minimum_width, 1);
  EXPECT_GE(extractor_.minimum_height, 1);
  EXPECT_GE(extractor_.maximum_bit_depth, 8);
  EXPECT_LE(extractor_.maximum_bit_depth, 16);
  const int reach = extractor_.reach != nullptr ? extractor_.reach(defaults_) : 0;
  EXPECT_GE(reach, 0);
  EXPECT_LE(reach, kMaxReach);
  EXPECT_TRUE(reach == 0 || extractor_.every_frame) << "windows need frames without gaps";
  EXPECT_GT(extractor_.raw_bytes, 0U);
  if (extractor_.check_options != nullptr) {
    EXPECT_NO_THROW(extractor_.check_options(defaults_));
  }
}

TEST_P(Extractor, MakesItsStages) {
  ASSERT_NE(extractor_.make_cpu_stage, nullptr);
  ASSERT_NE(extractor_.make_scalar_stage, nullptr);
  for (const int bits : {8, 10, 12, 16}) {
    if (bits > extractor_.maximum_bit_depth) continue;
    const PictureFormat format{352, 288, ChromaFormat::yuv420, bits};
    EXPECT_NO_THROW(require_format(extractor_, defaults_, format));
    EXPECT_NE(extractor_.make_cpu_stage(defaults_, format), nullptr) << bits;
    EXPECT_NE(extractor_.make_scalar_stage(defaults_, format), nullptr) << bits;
  }
}

TEST_P(Extractor, TakesPicturesOfItsMinimumSize) {
  PictureFormat smallest{extractor_.minimum_width, extractor_.minimum_height, ChromaFormat::yuv444,
                         8};
  // One long side is enough for cambi, which a minimum of both sides cannot say.
  if (extractor_.name == "cambi") smallest.width = 216;
  EXPECT_NO_THROW(require_format(extractor_, defaults_, smallest));
  EXPECT_NE(extractor_.make_cpu_stage(defaults_, smallest), nullptr);
}

TEST_P(Extractor, RefusesWhatItCannotMeasure) {
  const auto refused = [&](const PictureFormat& format) {
    try {
      require_format(extractor_, defaults_, format);
      return std::string();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
      return std::string(error.what());
    }
  };
  const auto names_it = ::testing::HasSubstr(std::string(extractor_.name));
  if (extractor_.minimum_width > 1) {
    EXPECT_THAT(refused({extractor_.minimum_width - 1, 288, ChromaFormat::yuv420, 8}), names_it);
  }
  if (extractor_.minimum_height > 1) {
    EXPECT_THAT(refused({352, extractor_.minimum_height - 1, ChromaFormat::yuv420, 8}), names_it);
  }
  if (extractor_.needs_chroma) {
    EXPECT_THAT(refused({352, 288, ChromaFormat::yuv400, 8}), names_it);
  }
  if (extractor_.maximum_bit_depth < 16) {
    EXPECT_THAT(refused({352, 288, ChromaFormat::yuv420, extractor_.maximum_bit_depth + 1}),
                names_it);
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, Extractor, ::testing::ValuesIn(registry()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(Registry, NoTwoFiguresShareAName) {
  std::set<std::string> stored;
  std::set<std::string> printed;
  for (const Descriptor* extractor : registry()) {
    for (const FeatureSpec& feature : extractor->features) {
      EXPECT_THAT(std::string(feature.internal_name), MatchesRegex("[A-Za-z0-9_]+"));
      EXPECT_TRUE(stored.insert(stored_name(feature, "")).second) << feature.internal_name;
      EXPECT_TRUE(printed.insert(printed_name(feature, "")).second) << feature.internal_name;
    }
  }
}

TEST(Registry, UnknownNamesAreNotFound) {
  EXPECT_EQ(find_extractor("no_such_extractor"), nullptr);
  EXPECT_EQ(find_extractor(""), nullptr);
  EXPECT_EQ(find_provider("no_such_feature"), nullptr);
  EXPECT_EQ(find_provider("mse_y"), nullptr) << "emitted, but not for models";
}

// ---- Names ----

struct NameCase {
  const char* extractor;
  std::vector<OptionTexts::Entry> options;  ///< As typed by a user.
  std::vector<std::string> stored;          ///< Of all features emitted for a 4:2:0 video.
};

std::vector<std::string> names_of(const NameCase& name_case,
                                  std::string (*name)(const FeatureSpec&, std::string_view)) {
  const Descriptor* extractor = find_extractor(name_case.extractor);
  if (extractor == nullptr) return {};
  OptionTexts texts;
  for (const auto& [option, text] : name_case.options)
    texts.set(option, normalise_option_text(text));
  const OptionValues options(extractor->name, extractor->options, texts);
  const PictureFormat format{352, 288, ChromaFormat::yuv420, 8};
  std::vector<std::string> names;
  for (const FeatureSpec& feature : extractor->features) {
    if (feature.condition == nullptr || feature.condition(options, format))
      names.push_back(name(feature, options.name_suffix()));
  }
  return names;
}

const std::vector<NameCase> kNameCases{
    {"motion",
     {},
     {"VMAF_integer_feature_motion_sad_score", "VMAF_integer_feature_motion2_score",
      "VMAF_integer_feature_motion3_score"}},
    {"motion",
     {{"debug", "true"}},
     {"VMAF_integer_feature_motion_sad_score", "VMAF_integer_feature_motion_score",
      "VMAF_integer_feature_motion2_score", "VMAF_integer_feature_motion3_score"}},
    {"motion",
     {{"motion_force_zero", "true"}},
     {"VMAF_integer_feature_motion_sad_score_force_0", "integer_motion2_force_0",
      "integer_motion3_force_0"}},
    {"motion",
     {{"motion_blend_factor", "0.123456789"}, {"motion_blend_offset", "0.00001"}},
     {"VMAF_integer_feature_motion_sad_score_mbf_0.123457_mbo_1e-05",
      "integer_motion2_mbf_0.123457_mbo_1e-05", "integer_motion3_mbf_0.123457_mbo_1e-05"}},
    // In order of the option names, not of the keys or the request.
    {"motion",
     {{"motion_moving_average", "true"},
      {"motion_max_val", "18.0"},
      {"motion_five_frame_window", "true"},
      {"debug", "true"}},
     {"VMAF_integer_feature_motion_sad_score_mffw_mmxv_18_mma", "integer_motion_mffw_mmxv_18_mma",
      "integer_motion2_mffw_mmxv_18_mma", "integer_motion3_mffw_mmxv_18_mma"}},
    {"psnr", {}, {"psnr_y", "psnr_cb", "psnr_cr"}},
    {"psnr",
     {{"enable_mse", "true"}, {"min_sse", "0.5"}},
     {"psnr_y", "mse_y", "psnr_cb", "mse_cb", "psnr_cr", "mse_cr"}},
    {"vif",
     {{"vif_enhn_gain_limit", "1.0"}},
     {"integer_vif_scale0_egl_1", "integer_vif_scale1_egl_1", "integer_vif_scale2_egl_1",
      "integer_vif_scale3_egl_1"}},
    {"float_vif",
     {{"vif_enhn_gain_limit", "1.0"}, {"vif_prescale_method", "bilinear"}},
     {"vif_scale0_egl_1_pm_bilinear", "vif_scale1_egl_1_pm_bilinear",
      "vif_scale2_egl_1_pm_bilinear", "vif_scale3_egl_1_pm_bilinear"}},
    {"adm",
     {{"adm_enhn_gain_limit", "100"}},
     {"VMAF_integer_feature_adm2_score", "VMAF_integer_feature_aim_score",
      "VMAF_integer_feature_adm3_score", "integer_adm_scale0", "integer_adm_scale1",
      "integer_adm_scale2", "integer_adm_scale3"}},
    {"adm",
     {{"adm_enhn_gain_limit", "1.10"}, {"debug", "true"}},
     {"integer_adm2_egl_1.1", "integer_aim_egl_1.1", "integer_adm3_egl_1.1",
      "integer_adm_scale0_egl_1.1", "integer_adm_scale1_egl_1.1", "integer_adm_scale2_egl_1.1",
      "integer_adm_scale3_egl_1.1", "integer_adm_egl_1.1", "integer_adm_num_egl_1.1",
      "integer_adm_den_egl_1.1", "integer_adm_num_scale0_egl_1.1", "integer_adm_den_scale0_egl_1.1",
      "integer_adm_num_scale1_egl_1.1", "integer_adm_den_scale1_egl_1.1",
      "integer_adm_num_scale2_egl_1.1", "integer_adm_den_scale2_egl_1.1",
      "integer_adm_num_scale3_egl_1.1", "integer_adm_den_scale3_egl_1.1"}},
    {"cambi",
     {{"full_ref", "true"},
      {"topk", "0.5"},
      {"cambi_topk", "0.3"},
      {"eotf", "pq"},
      {"cambi_eotf", "pq"}},
     {"cambi_ceot_pq_ctpk_0.3_eotf_pq_topk_0.5", "cambi_source", "cambi_full_reference"}},
    {"speed_chroma",
     {{"speed_prescale", "0.5"}, {"speed_prescale_method", "bicubic"}},
     {"speed_chroma_u_ps_0.5_psm_bicubic", "speed_chroma_v_ps_0.5_psm_bicubic",
      "speed_chroma_uv_ps_0.5_psm_bicubic"}},
};

class Names : public ::testing::TestWithParam<NameCase> {};

TEST_P(Names, OfStoredScores) {
  ASSERT_NE(find_extractor(GetParam().extractor), nullptr) << GetParam().extractor;
  EXPECT_THAT(names_of(GetParam(), stored_name), ElementsAreArray(GetParam().stored));
}

INSTANTIATE_TEST_SUITE_P(ByOptions, Names, ::testing::ValuesIn(kNameCases), [](const auto& test) {
  return std::string(test.param.extractor) + "_" + std::to_string(test.index);
});

TEST(PrintedNames, UseTheAlias) {
  const NameCase plain{"motion", {{"debug", "true"}}, {}};
  EXPECT_THAT(names_of(plain, printed_name),
              ElementsAreArray({"VMAF_integer_feature_motion_sad_score", "integer_motion",
                                "integer_motion2", "integer_motion3"}));
  const NameCase named{"motion", {{"motion_max_val", "18"}}, {}};
  EXPECT_EQ(names_of(named, printed_name), names_of(named, stored_name));
}

TEST(StoredNames, AreCutAt255Characters) {
  const FeatureSpec feature{.internal_name = "x", .alias = "alias"};
  const std::string name = stored_name(feature, "_" + std::string(300, 'k'));
  EXPECT_EQ(name, "alias_" + std::string(249, 'k'));
}

}  // namespace
}  // namespace hipvmaf
