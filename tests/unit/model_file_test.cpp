#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "unit/model_text.hpp"

namespace hipvmaf {
namespace {

using nlohmann::ordered_json;
using test::identity_model;
using test::identity_model_with;
using test::parse_failure;
using testing::HasSubstr;
using testing::StartsWith;

using Options = std::vector<std::pair<std::string, std::string>>;

double score(const Model& model, double value) { return model.predict(std::array{value}); }

Options options_of(std::string_view dict) {
  const LoadedModel loaded = parse_model(
      identity_model_with("feature_opts_dicts", fmt::format("[{}]", dict)), "options", {});
  return loaded.model.features()[0].options;
}

// A collection of identity models, with `type` for the members.
ordered_json identity_collection(int members, std::string_view type = "BOOTSTRAP_LIBSVMNUSVR") {
  ordered_json file;
  for (int i = 0; i <= members; ++i) {
    file[std::to_string(i)] = identity_model();
    if (i > 0) file[std::to_string(i)]["model_dict"]["model_type"] = type;
  }
  return file;
}

TEST(ModelFile, ReadsASingleModel) {
  ordered_json file = identity_model();
  file["param_dict"] = {{"score_clip", nullptr}};
  ordered_json& dict = file["model_dict"];
  dict["feature_dict"] = {{"VMAF_feature", {"adm2"}}};
  dict["norm_type"] = "linear_rescale";
  dict["slopes"] = {0.5, 2, 99};
  dict["intercepts"] = {-1};
  dict["score_clip"] = {0, 100, "ignored"};
  const LoadedModel loaded = parse_model(file.dump(), "one", {.name = "mine"});
  EXPECT_EQ(loaded.origin, "one");
  EXPECT_EQ(loaded.model.name(), "mine");
  EXPECT_TRUE(loaded.members.empty());
  ASSERT_EQ(loaded.model.features().size(), 1U);
  EXPECT_EQ(loaded.model.features()[0].internal_name, "VMAF_integer_feature_adm2_score");
  EXPECT_EQ(score(loaded.model, 3), (2.0 * 3 + 1) / 0.5);
  EXPECT_EQ(score(loaded.model, 1000), 100.0);
}

TEST(ModelFile, WhatFollowsTheObjectIsIgnored) {
  EXPECT_EQ(parse_failure(identity_model().dump() + "\n} trailing"), "");
}

TEST(ModelFile, OptionsBecomeTexts) {
  EXPECT_EQ(options_of(R"({"b": 1.0, "a": 0.06, "c": 1.23456789, "d": true, "e": false})"),
            (Options{{"b", "1"}, {"a", "0.06"}, {"c", "1.23457"}, {"d", "true"}, {"e", "false"}}));
  EXPECT_EQ(
      options_of(R"({"a": "1.000", "b": 1080, "c": -0, "d": 12345678, "e": 1e-300})"),
      (Options{{"a", "1.000"}, {"b", "1080"}, {"c", "-0"}, {"d", "1.23457e+07"}, {"e", "0"}}));
}

TEST(ModelFile, OptionNumbersAreRoundedOnceFromTheirDigits) {
  // Just above the middle of two binary32 numbers, closer to it than binary64 can tell.
  EXPECT_EQ(options_of(R"({"x": 8.0000252723693847656250000001})"), (Options{{"x", "8.00003"}}));
  EXPECT_EQ(options_of(R"({"x": 8.000025272369384765625})"), (Options{{"x", "8.00002"}}));
}

TEST(ModelFile, RepeatedOptionsMustAgree) {
  EXPECT_EQ(options_of(R"({"a": 1, "b": 2, "a": 1.0})"), (Options{{"a", "1"}, {"b", "2"}}));
  EXPECT_THAT(parse_failure(identity_model_with("feature_opts_dicts", R"([{"a": 1, "a": 2}])")),
              HasSubstr("model_dict.feature_opts_dicts[0].a: given twice, as 1 and 2"));
}

TEST(ModelFile, OptionListsMayBeShorterOrLongerThanTheFeatures) {
  EXPECT_EQ(parse_failure(identity_model_with("feature_opts_dicts", "[]")), "");
  EXPECT_EQ(parse_failure(identity_model_with("feature_opts_dicts", R"([{}, {"a": 1}])")), "");
}

TEST(ModelFile, ErrorsNameFileKeyAndProblem) {
  struct Case {
    std::string_view key;
    std::string_view json;
    std::string_view message;
  };
  const std::string many_names = [] {
    ordered_json names = ordered_json::array();
    for (int i = 0; i < 65; ++i) names.push_back("f");
    return names.dump();
  }();
  const Case cases[] = {
      {"model_type", "\"SVM\"", "model_type: unknown type \"SVM\""},
      {"model_type", "null", "model_type: expected a string, found null"},
      {"norm_type", "\"clip_0to1\"", "norm_type: unknown type \"clip_0to1\""},
      {"norm_type", "3", "norm_type: expected a string, found a number"},
      {"feature_names", "\"a\"", "feature_names: expected an array, found a string"},
      {"feature_names", "[]", "feature_names: no features"},
      {"feature_names", "[1]", "feature_names[0]: expected a string, found a number"},
      {"feature_names", many_names, "feature_names: 65 features, at most 64"},
      {"feature_opts_dicts", "{}", "feature_opts_dicts: expected an array, found an object"},
      {"feature_opts_dicts", "[1]", "feature_opts_dicts[0]: expected an object, found a number"},
      {"feature_opts_dicts", R"([{"a": null}])", "feature_opts_dicts[0].a: an option is"},
      {"feature_opts_dicts", R"([{}, {"a": [1]}])", "feature_opts_dicts[1].a: an option is"},
      {"slopes", "[]", "slopes: no numbers"},
      {"slopes", "[\"1\"]", "slopes[0]: expected a number, found a string"},
      {"slopes", "[1, null]", "slopes[1]: expected a number, found null"},
      {"intercepts", "1", "intercepts: expected an array, found a number"},
      {"score_clip", "[0]", "score_clip: fewer than two numbers"},
      {"score_clip", "null", "score_clip: expected an array, found null"},
      {"score_clip", "[0, true]", "score_clip[1]: expected a number, found a boolean"},
      {"score_transform", "[]", "score_transform: expected an object, found an array"},
      {"score_transform", R"({"enabled": "true"})", "score_transform.enabled: expected a boolean"},
      {"score_transform", R"({"p1": "1"})", "score_transform.p1: expected a number"},
      {"score_transform", R"({"p1": 1, "p1": 1})", "score_transform: the key \"p1\" is repeated"},
      {"score_transform", R"({"out_gte_in": true})",
       "score_transform.out_gte_in: expected a string"},
      {"score_transform", R"({"knots": [[0,0,0]]})",
       "score_transform.knots[0]: 3 numbers, at most"},
      {"score_transform", R"({"knots": [0]})", "score_transform.knots[0]: expected an array"},
      {"score_transform", R"({"knots": [[],[],[],[],[],[],[],[],[],[],[]]})",
       "score_transform.knots: 11 knots, at most 10"},
      {"chroma_correction_parameter", "120",
       "chroma_correction_parameter: needs exactly one feature named like adm3, the model has 0"},
      {"chroma_correction_parameter", "null",
       "chroma_correction_parameter: expected a number, found null"},
      {"model", "null", "model: expected a string, found null"},
      {"model", "\"\"", "model, line 1: the text is empty"},
  };
  for (const Case& c : cases) {
    const std::string message = parse_failure(identity_model_with(c.key, c.json));
    EXPECT_THAT(message, StartsWith("zoo.json: model_dict.")) << c.key << " = " << c.json;
    EXPECT_THAT(message, HasSubstr(c.message)) << c.key << " = " << c.json;
  }
}

TEST(ModelFile, MissingKeysAreNamed) {
  for (const char* key : {"norm_type", "feature_names", "model"}) {
    ordered_json file = identity_model();
    file["model_dict"].erase(key);
    EXPECT_EQ(parse_failure(file.dump()),
              fmt::format("zoo.json: model_dict: the key \"{}\" is missing", key));
  }
  ordered_json untyped = identity_model();
  untyped["model_dict"].erase("model_type");
  EXPECT_EQ(parse_failure(untyped.dump()), "");
}

TEST(ModelFile, AZeroSlopeIsRefused) {
  ordered_json file = identity_model();
  file["model_dict"]["norm_type"] = "linear_rescale";
  EXPECT_THAT(parse_failure(file.dump()), HasSubstr("slope of the score (element 0) is 0"));
  file["model_dict"]["slopes"] = {1};
  EXPECT_THAT(parse_failure(file.dump()),
              HasSubstr("slope of VMAF_integer_feature_adm2_score (element 1) is 0 or missing"));
  file["model_dict"]["slopes"] = {1, 1};
  EXPECT_EQ(parse_failure(file.dump()), "");
}

TEST(ModelFile, SlopesHaveALimit) {
  const ordered_json many(std::vector<int>(66, 1));
  EXPECT_THAT(parse_failure(identity_model_with("slopes", many.dump())),
              HasSubstr("slopes: 66 numbers, at most 65"));
}

TEST(ModelFile, RepeatedKeysAreRefused) {
  const std::string dict = identity_model()["model_dict"].dump();
  std::string twice = dict;
  twice.insert(1, R"("norm_type":"none",)");
  EXPECT_THAT(parse_failure(fmt::format("{{\"model_dict\":{}}}", twice)),
              HasSubstr("model_dict: the key \"norm_type\" is repeated"));
  EXPECT_THAT(parse_failure(fmt::format("{{\"model_dict\":{0},\"model_dict\":{0}}}", dict)),
              HasSubstr("the key \"model_dict\" is repeated"));
}

TEST(ModelFile, DisablingTheClipLeavesItUnread) {
  const std::string text = identity_model_with("score_clip", "\"nonsense\"");
  EXPECT_THAT(parse_failure(text), HasSubstr("score_clip"));
  EXPECT_EQ(parse_failure(text, {.disable_clip = true}), "");
}

TEST(ModelFile, BrokenJsonIsRefused) {
  const std::string whole = identity_model().dump();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(parse_failure(whole.substr(0, length)), StartsWith("zoo.json: not a JSON model"));
  }
  for (const char* text : {"[1,]", "{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":1e999}", "{\"a\":01}",
                           "{// comment\n}", "{\"a\":\"\xff\"}", "\"\\ud800\"", "{'a':1}"}) {
    EXPECT_THAT(parse_failure(text), StartsWith("zoo.json: not a JSON model file: ")) << text;
  }
  EXPECT_THAT(parse_failure("{\"model_dict\": 1e400}"), HasSubstr("number overflow"));
  EXPECT_THAT(parse_failure("[]"), HasSubstr("expected an object, found an array"));
  EXPECT_THAT(parse_failure("{}"), HasSubstr("neither the key \"model_dict\""));
  EXPECT_THAT(parse_failure("{\"model_dict\": []}"),
              HasSubstr("model_dict: expected an object, found an array"));
}

TEST(ModelFile, DeepOrHugeJsonIsRefused) {
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 1'000'000; ++i) deep += bracket;
    EXPECT_THAT(parse_failure(deep), HasSubstr("nested deeper than"));
  }
  std::string wide = "{\"a\":[0";
  for (int i = 0; i < 1'000'000; ++i) wide += ",0";
  EXPECT_THAT(parse_failure(wide + "]}"), HasSubstr("more than 200000 values"));
  const std::string long_token(1'000'000, 'x');
  EXPECT_LT(parse_failure("{\"a\":\"" + long_token).size(), 1000U);
  EXPECT_LT(parse_failure("{\"model_dict\":{\"" + long_token + "\":1}}").size(), 1000U);
}

TEST(ModelFile, ChromaCorrectionInfersTheFeatureFromLuma) {
  ordered_json file = identity_model();
  ordered_json& dict = file["model_dict"];
  dict["feature_names"] = {"Speed_chroma_feature_speed_chroma_uv_score",
                           "VMAF_integer_feature_adm3_score"};
  dict["model"] = "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 ";
  dict["chroma_correction_parameter"] = 120;
  const auto guided = [&](double chroma, double luma) {
    return parse_model(file.dump(), "chroma", {}).model.predict(std::array{chroma, luma});
  };
  EXPECT_EQ(guided(0, 0.75), 30.0);
  EXPECT_EQ(guided(1e-300, 0.75), 1e-300);
  dict["norm_type"] = "linear_rescale";
  dict["slopes"] = {1, 0.5, 2};
  dict["intercepts"] = {0, 1, 0};
  EXPECT_EQ(guided(0, 0.75), 16.0);
  EXPECT_EQ(guided(1e-300, 0.75), 16.0) << "vanishes in the rescaling";
  dict["chroma_correction_parameter"] = 0;
  EXPECT_EQ(guided(0, 0.75), 1.0);
  dict["chroma_correction_parameter"] = 1;
  dict["feature_names"] = {"speed_chroma_uv", "speed_chroma_adm3"};
  EXPECT_THAT(parse_failure(file.dump()),
              HasSubstr("exactly one feature named like speed_chroma, the model has 2"));
}

TEST(ModelCollection, ReadsMembersInOrder) {
  ordered_json file = identity_collection(3);
  file["notes"] = {1, 2};
  const LoadedModel loaded = parse_model(file.dump(), "some", {.name = "v"});
  EXPECT_EQ(loaded.model.name(), "v");
  ASSERT_EQ(loaded.members.size(), 3U);
  EXPECT_EQ(loaded.members[0].name(), "v_0001");
  EXPECT_EQ(loaded.members[2].name(), "v_0003");
}

TEST(ModelCollection, KeysOutOfOrderAreSkipped) {
  const std::string m = identity_collection(1)["1"].dump();
  const auto parse = [&](std::string_view format) {
    return parse_model(fmt::format(fmt::runtime(format), fmt::arg("m", m)), "order", {});
  };
  EXPECT_EQ(parse(R"({{"x":0,"0":{m},"2":0,"1":{m},"01":0,"2":{m},"1":0}})").members.size(), 2U);
  EXPECT_THAT(parse_failure(fmt::format(R"({{"1":{0},"0":{0}}})", m)),
              HasSubstr("a collection needs the keys \"0\" and \"1\", in this order"));
  EXPECT_THAT(parse_failure(fmt::format(R"({{"0":{0}}})", m)), HasSubstr("a collection needs"));
}

TEST(ModelCollection, TypesMustBeBootstrapAndAlike) {
  EXPECT_EQ(parse_failure(identity_collection(2, "RESIDUEBOOTSTRAP_LIBSVMNUSVR").dump()), "");
  EXPECT_THAT(parse_failure(identity_collection(2, "LIBSVMNUSVR").dump()),
              HasSubstr("1.model_dict.model_type is \"LIBSVMNUSVR\", which is no bootstrap type"));
  ordered_json mixed = identity_collection(2);
  mixed["2"]["model_dict"]["model_type"] = "RESIDUEBOOTSTRAP_LIBSVMNUSVR";
  EXPECT_THAT(parse_failure(mixed.dump()),
              HasSubstr("2: model_dict.model_type is \"RESIDUEBOOTSTRAP_LIBSVMNUSVR\", that of"));
}

TEST(ModelCollection, ErrorsNameTheMember) {
  ordered_json file = identity_collection(2);
  file["2"]["model_dict"]["model"] = 5;
  EXPECT_EQ(parse_failure(file.dump()),
            "zoo.json: 2.model_dict.model: expected a string, found a number");
  file["2"] = 7;
  EXPECT_EQ(parse_failure(file.dump()), "zoo.json: 2: expected an object, found a number");
}

TEST(ModelCollection, CombinesRawScores) {
  ordered_json file = identity_collection(4);
  file["1"]["model_dict"]["score_clip"] = {0, 10};
  const LoadedModel loaded = parse_model(file.dump(), "four", {});
  const std::array raw{4.0, 1.0, 3.0, 2.0};
  const BootstrapScores scores = combine_members(loaded.members, raw, raw);
  EXPECT_EQ(scores.members, std::vector(raw.begin(), raw.end()));
  EXPECT_EQ(scores.bagging, 2.5);
  EXPECT_NEAR(scores.stddev, std::sqrt(1.25), 1e-12);
  EXPECT_NEAR(scores.ci_p95_lo, 1.075, 1e-12);
  EXPECT_NEAR(scores.ci_p95_hi, 3.925, 1e-12);
}

TEST(ModelCollection, TheFirstMembersClipAppliesToTheStatistics) {
  ordered_json file = identity_collection(2);
  file["1"]["model_dict"]["score_clip"] = {0, 10};
  const LoadedModel loaded = parse_model(file.dump(), "two", {});
  const BootstrapScores scores =
      combine_members(loaded.members, std::array{19.0, 21.0}, std::array{10.0, 21.0});
  EXPECT_EQ(scores.bagging, 10.0);
  EXPECT_EQ(scores.stddev, 0.0);
  EXPECT_EQ(scores.ci_p95_hi, 10.0);
}

TEST(ModelCollection, NaNGivesNaN) {
  const LoadedModel loaded = parse_model(identity_collection(2).dump(), "nan", {});
  const std::array raw{1.0, std::nan("")};
  const BootstrapScores scores = combine_members(loaded.members, raw, raw);
  EXPECT_TRUE(std::isnan(scores.bagging) && std::isnan(scores.stddev) &&
              std::isnan(scores.ci_p95_lo) && std::isnan(scores.ci_p95_hi));
  EXPECT_EQ(scores.members[0], 1.0);
}

TEST(ModelFile, PathsThatCannotBeReadAreIoErrors) {
  const auto failure = [](const char* path) -> std::pair<ErrorCode, std::string> {
    try {
      (void)load_model_file(path, {});
    } catch (const Error& error) {
      return {error.code(), error.what()};
    }
    return {ErrorCode::internal, "no error"};
  };
  EXPECT_EQ(failure("/no/such/model.json").first, ErrorCode::io);
  EXPECT_THAT(failure("/no/such/model.json").second,
              HasSubstr("/no/such/model.json: No such file"));
  EXPECT_EQ(failure("/").first, ErrorCode::io);
  EXPECT_EQ(failure("model.pkl").first, ErrorCode::bad_model);
  EXPECT_THAT(failure("model.pkl").second,
              HasSubstr("model.pkl: pickled models are not supported"));
}

TEST(ModelFile, LoadsFromAPath) {
  const std::string path = testing::TempDir() + "hipvmaf_model_file_test.json";
  std::ofstream(path) << identity_model().dump();
  const LoadedModel loaded = load_model_file(path, {});
  EXPECT_EQ(loaded.origin, path);
  EXPECT_EQ(score(loaded.model, 12.5), 12.5);
}

TEST(Model, RefusesAnotherNumberOfInputs) {
  const LoadedModel loaded = parse_model(identity_model().dump(), "one", {});
  EXPECT_THROW((void)loaded.model.predict(std::array{1.0, 2.0}), Error);
}

}  // namespace
}  // namespace hipvmaf
