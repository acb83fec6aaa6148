#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include <hipvmaf/error.hpp>
#include <hipvmaf/report.hpp>

#include "report/number_format.hpp"

namespace hipvmaf {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ReportInfo info_for(std::int64_t pictures) { return {"1", 64, 48, 12.345, pictures, 1, false}; }

std::string report(ReportFormat format, const ScoreTable& scores, const ReportInfo& info) {
  return format_report(format, scores, info, Precision{});
}

// Two columns; b has no value on frame 1.
ScoreTable gappy() {
  ScoreTable scores;
  scores.add_column("a", "a");
  scores.add_column("b", "b");
  for (int i = 0; i < 3; ++i) scores.set(0, i, i);
  scores.set(1, 0, 5);
  scores.set(1, 2, 7);
  return scores;
}

TEST(FormatScore, FollowsThePrecision) {
  const Precision four{Precision::Kind::significant, 4};
  const Precision all{Precision::Kind::significant, 17};
  EXPECT_EQ(format_score(1.0000001, four), "1");
  EXPECT_EQ(format_score(12345.678, four), "1.235e+04");
  EXPECT_EQ(format_score(0.1, all), "0.10000000000000001");
  EXPECT_EQ(format_score(-kInf, four), "-inf");
}

TEST(FormatScore, PrintsNonFiniteValuesAsC) {
  EXPECT_EQ(format_score(kInf, Precision{}), "inf");
  EXPECT_EQ(format_score(-kInf, Precision{}), "-inf");
  EXPECT_EQ(format_score(std::copysign(kNan, 1.0), Precision{}), "nan");
  EXPECT_EQ(format_score(std::copysign(kNan, -1.0), Precision{}), "-nan");
}

TEST(FormatScore, PrintsLargeNumbers) {
  EXPECT_EQ(format_score(2147483648.0000005, Precision{}), "2147483648.000000");
  EXPECT_EQ(format_score(-std::numeric_limits<double>::max(), Precision{}).size(), 317U);
}

TEST(Reports, LeaveOutMissingValues) {
  const ScoreTable scores = gappy();
  const ReportInfo info = info_for(3);
  EXPECT_EQ(report(ReportFormat::csv, scores, info),
            "Frame,a,b,\n0,0.000000,5.000000,\n1,1.000000,,\n2,2.000000,7.000000,\n");
  EXPECT_EQ(report(ReportFormat::sub, scores, info),
            "{0}{1}frame: 0|a: 0.000000|b: 5.000000|\n"
            "{1}{2}frame: 1|a: 1.000000|\n"
            "{2}{3}frame: 2|a: 2.000000|b: 7.000000|\n");
  const std::string xml = report(ReportFormat::xml, scores, info);
  EXPECT_THAT(xml, HasSubstr("    <frame frameNum=\"1\" a=\"1.000000\" />\n"));
  EXPECT_THAT(xml, HasSubstr("    <metric name=\"a\" min=\"0.000000\" max=\"2.000000\" "
                             "mean=\"1.000000\" harmonic_mean=\"0.636364\" />\n"
                             "    <metric name=\"b\" />\n"));
  const std::string json = report(ReportFormat::json, scores, info);
  EXPECT_THAT(json, HasSubstr("      \"frameNum\": 1,\n      \"metrics\": {\n"
                              "        \"a\": 1.000000\n      }\n    },\n"));
  EXPECT_THAT(json, HasSubstr("    \"b\": {\n    }\n  },\n"));
}

TEST(Reports, SkipFramesWithoutAnyValue) {
  ScoreTable scores;
  scores.add_column("a", "a");
  scores.set(0, 1, 1);
  scores.set(0, 4, 2);
  EXPECT_EQ(report(ReportFormat::csv, scores, info_for(5)), "Frame,a,\n1,1.000000,\n4,2.000000,\n");
  const std::string json = report(ReportFormat::json, scores, info_for(5));
  EXPECT_THAT(json, HasSubstr("\"frames\": [\n    {\n      \"frameNum\": 1,"));
  const auto parsed = nlohmann::json::parse(json);
  EXPECT_EQ(parsed.at("frames").size(), 2U);
  EXPECT_TRUE(parsed.at("pooled_metrics").at("a").empty());
}

TEST(Reports, ListEveryNthFrame) {
  ScoreTable scores;
  scores.add_column("a", "a");
  for (int i = 0; i < 7; ++i) scores.set(0, i, i);
  ReportInfo info = info_for(7);
  info.subsample = 3;
  EXPECT_EQ(report(ReportFormat::csv, scores, info),
            "Frame,a,\n0,0.000000,\n3,3.000000,\n6,6.000000,\n");
  EXPECT_THAT(report(ReportFormat::xml, scores, info), HasSubstr("mean=\"3.000000\""));
  info.subsample = 0;
  EXPECT_THAT(report(ReportFormat::csv, scores, info), HasSubstr("\n1,1.000000,\n"));
}

TEST(JsonReport, SaysWhatComputedEachFeature) {
  ScoreTable scores;
  scores.add_column("a", "a");
  scores.set(0, 0, 1);
  ReportInfo info = info_for(1);
  EXPECT_THAT(report(ReportFormat::json, scores, info), Not(HasSubstr("provenance")));
  info.provenance = {{.extractor = "vif",
                      .features = {"vif_scale0", "vif_scale1"},
                      .on_gpu = true,
                      .device = "A \"GPU\" (gfx90a)",
                      .submission = Submission::graph},
                     {.extractor = "float_ansnr", .features = {"float_ansnr"}}};
  constexpr std::string_view kWanted = R"json([
    {"extractor": "vif", "features": ["vif_scale0", "vif_scale1"], "backend": "hip",
     "device": "A \"GPU\" (gfx90a)", "strategy": "graph"},
    {"extractor": "float_ansnr", "features": ["float_ansnr"], "backend": "cpu"}])json";
  const auto parsed = nlohmann::json::parse(report(ReportFormat::json, scores, info));
  EXPECT_EQ(parsed.at("provenance"), nlohmann::json::parse(kWanted));
}

TEST(JsonReport, WritesNullsAsLibvmafDoes) {
  ScoreTable scores;
  for (const char* name : {"a", "b", "c"}) scores.add_column(name, name);
  scores.set(0, 0, kInf);
  scores.set(1, 0, 1);
  scores.set(2, 0, kNan);
  scores.set_aggregate("d", -kInf);
  scores.set_aggregate("e", 2);
  const std::string json = report(ReportFormat::json, scores, info_for(1));
  EXPECT_EQ(json, R"({
  "version": "1",
  "fps": 12.35,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "a": null,        "b": 1.000000,
        "c": null      }
    }
  ],
  "pooled_metrics": {
    "a": {
      "min": null,
      "max": null,
      "mean": null,
      "harmonic_mean": null
    },
    "b": {
      "min": 1.000000,
      "max": 1.000000,
      "mean": 1.000000,
      "harmonic_mean": 1.000000
    },
    "c": {
      "min": null,
      "max": null,
      "mean": null,
      "harmonic_mean": null
    }
  },
  "aggregate_metrics": {
    "d": null,
    "e": 2.000000
  }
}
)");
  EXPECT_TRUE(nlohmann::json::accept(json));
}

TEST(XmlReport, PrintsNonFiniteValues) {
  ScoreTable scores;
  scores.add_column("a", "a");
  scores.set(0, 0, kInf);
  scores.set(0, 1, kNan);
  EXPECT_EQ(report(ReportFormat::xml, scores, info_for(2)), R"(<VMAF version="1">
  <params qualityWidth="64" qualityHeight="48" />
  <fyi fps="12.35" />
  <frames>
    <frame frameNum="0" a="inf" />
    <frame frameNum="1" a="nan" />
  </frames>
  <pooled_metrics>
    <metric name="a" min="nan" max="nan" mean="nan" harmonic_mean="nan" />
  </pooled_metrics>
  <aggregate_metrics />
</VMAF>
)");
}

TEST(Reports, UseThePrecisionEverywhereButForFps) {
  ScoreTable scores;
  scores.add_column("a", "a");
  scores.set(0, 0, 1.0 / 3);
  scores.set_aggregate("b", 2.0 / 3);
  const Precision three{Precision::Kind::significant, 3};
  const std::string json = format_report(ReportFormat::json, scores, info_for(1), three);
  EXPECT_THAT(json, HasSubstr("\"fps\": 12.35,"));
  EXPECT_THAT(json, HasSubstr("        \"a\": 0.333\n"));
  EXPECT_THAT(json, HasSubstr("\"mean\": 0.333,"));
  EXPECT_THAT(json, HasSubstr("\"b\": 0.667\n"));
  const Precision max{Precision::Kind::significant, 17};
  EXPECT_EQ(format_report(ReportFormat::csv, scores, info_for(1), max),
            "Frame,a,\n0,0.33333333333333331,\n");
}

TEST(Reports, MarkIncompleteRuns) {
  ReportInfo info = info_for(3);
  const ScoreTable scores = gappy();
  EXPECT_THAT(report(ReportFormat::json, scores, info), Not(HasSubstr("incomplete")));
  const std::string csv = report(ReportFormat::csv, scores, info);
  const std::string sub = report(ReportFormat::sub, scores, info);
  info.incomplete = true;
  const std::string json = report(ReportFormat::json, scores, info);
  EXPECT_THAT(json, HasSubstr("  \"fps\": 12.35,\n  \"incomplete\": true,\n  \"frames\": [\n"));
  EXPECT_TRUE(nlohmann::json::accept(json));
  EXPECT_THAT(report(ReportFormat::xml, scores, info),
              HasSubstr("<VMAF version=\"1\" incomplete=\"true\">\n"));
  EXPECT_EQ(report(ReportFormat::csv, scores, info), csv);
  EXPECT_EQ(report(ReportFormat::sub, scores, info), sub);
}

TEST(Reports, ShowEmptyRuns) {
  ScoreTable scores;
  scores.add_column("a", "a");
  ReportInfo info = info_for(0);
  info.width = 0;
  info.height = 0;
  info.fps = kNan;
  const std::string json = report(ReportFormat::json, scores, info);
  EXPECT_THAT(json, HasSubstr("  \"fps\": null,\n  \"frames\": [\n  ],\n"));
  EXPECT_TRUE(nlohmann::json::accept(json));
  EXPECT_THAT(report(ReportFormat::xml, scores, info),
              HasSubstr("  <params qualityWidth=\"0\" qualityHeight=\"0\" />\n"
                        "  <fyi fps=\"nan\" />\n  <frames>\n  </frames>\n"));
  EXPECT_EQ(report(ReportFormat::csv, scores, info), "Frame,a,\n");
  EXPECT_EQ(report(ReportFormat::sub, scores, info), "");
}

TEST(Reports, EscapeNames) {
  ScoreTable scores;
  const std::string name = R"(4k "a\b" <&>)";
  scores.add_column("x", name);
  scores.set(0, 0, 1);
  scores.set_aggregate(name, 2);
  const auto json = nlohmann::json::parse(report(ReportFormat::json, scores, info_for(1)));
  EXPECT_EQ(json.at("frames").at(0).at("metrics").at(name), 1.0);
  EXPECT_EQ(json.at("pooled_metrics").at(name).at("mean"), 1.0);
  EXPECT_EQ(json.at("aggregate_metrics").at(name), 2.0);
  const std::string xml = report(ReportFormat::xml, scores, info_for(1));
  EXPECT_THAT(xml, HasSubstr("<frame frameNum=\"0\" _4k__a_b_____=\"1.000000\" />"));
  EXPECT_THAT(xml, HasSubstr("<metric name=\"4k &quot;a\\b&quot; &lt;&amp;&gt;\" min="));
  EXPECT_THAT(xml, HasSubstr("<aggregate_metrics _4k__a_b_____=\"2.000000\" />"));
}

TEST(NameFitsReports, RefusesWhatAFormatCannotHold) {
  for (const char* name : {"vmaf", "vmaf_v1.0.16-x", "a b", "\"quoted\"", "größe", "\xE2\x82\xAC",
                           "\xF0\x9F\x8E\xAC", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(name_fits_reports(name)) << name;
  }
  for (const char* name : {"", "a,b", "a|b", "a\nb", "\x7F", "a\tb", "\x80", "\xC3", "\xC0\x80",
                           "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xE2\x82", "\xE2\x82\x41", "\xF0\x9F\x8E\x41"}) {
    EXPECT_FALSE(name_fits_reports(name)) << name;
  }
  EXPECT_FALSE(name_fits_reports(std::string_view("a\0b", 3)));
}

TEST(Reports, RefuseNamesThatDoNotFit) {
  ScoreTable scores;
  scores.add_column("x", "a,b");
  try {
    (void)report(ReportFormat::json, scores, info_for(0));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("\"a,b\""));
  }
}

TEST(FormatOfExtension, KnowsFourExtensions) {
  EXPECT_EQ(format_of_extension("dir.csv/a.xml"), ReportFormat::xml);
  EXPECT_EQ(format_of_extension("a.b.json"), ReportFormat::json);
  EXPECT_EQ(format_of_extension("A.CSV"), ReportFormat::csv);
  EXPECT_EQ(format_of_extension("a.sub"), ReportFormat::sub);
  for (const char* path : {"a.txt", "a", "json", ".json", "a.json.gz", "", "a.json/"}) {
    EXPECT_FALSE(format_of_extension(path)) << path;
  }
}

}  // namespace
}  // namespace hipvmaf
