// The main job and its options: two files in, reports out.
#include <chrono>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>
#include <thread>

#include <hipvmaf/model.hpp>

#include "cli/tool.hpp"
#include "features/registry.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// A report without the figure that differs from run to run.
std::string without_fps(std::string report) {
  for (const std::string_view key : {"fps=\"", "\"fps\": "}) {
    const std::size_t at = report.find(key);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + key.size();
    report.erase(begin, report.find_first_of("\",\n", begin) - begin);
  }
  return report;
}

class Scoring : public testing::Test {
 protected:
  ToolResult score(std::vector<std::string> more, std::string_view report = "report.json",
                   const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> arguments{clip_.reference, clip_.distorted, "-q", "-o",
                                       folder_.path(report)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tool(arguments, environment);
  }
  [[nodiscard]] Json report(std::string_view name = "report.json") const {
    return Json::parse(read_file(folder_.path(name)));
  }

  TemporaryFolder folder_;
  ClipPaths clip_ = make_clip(folder_, "clip", {96, 64, ChromaFormat::yuv420, 8}, 6);
};

TEST_F(Scoring, TwoFilesInAScoreOut) {
  const ToolResult result = run_tool({clip_.reference, clip_.distorted});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("mean"), HasSubstr("vmaf "), HasSubstr("integer_adm2 ")));
  EXPECT_THAT(result.err, HasSubstr("model vmaf_v0.6.1 is a built-in refit, within "));
}

TEST_F(Scoring, QuietWithAReportPrintsNothing) {
  const ToolResult result = score({});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.err, "");
  const Json json = report();
  EXPECT_EQ(json["frames"].size(), 6U);
  EXPECT_TRUE(json["pooled_metrics"].contains("vmaf"));
  EXPECT_FALSE(json.contains("incomplete"));
}

TEST_F(Scoring, SeveralReportsInOneRun) {
  const std::vector<std::string> outputs{"a.xml", "a.json", "a.csv", "a.sub", "a.txt"};
  std::vector<std::string> arguments{clip_.reference, clip_.distorted, "-q"};
  for (const std::string& output : outputs) {
    arguments.insert(arguments.end(), {"-o", folder_.path(output)});
  }
  EXPECT_EQ(run_tool(arguments).status, 0);
  EXPECT_THAT(read_file(folder_.path("a.xml")), HasSubstr("<VMAF version=\""));
  EXPECT_THAT(read_file(folder_.path("a.json")), HasSubstr("\"pooled_metrics\""));
  EXPECT_THAT(read_file(folder_.path("a.csv")), testing::StartsWith("Frame,integer_adm2,"));
  EXPECT_THAT(read_file(folder_.path("a.sub")), testing::StartsWith("{0}{1}frame: 0|"));
  EXPECT_THAT(read_file(folder_.path("a.txt")), HasSubstr("<VMAF version=\""));
  arguments.insert(arguments.begin(), "--csv");  // a format option holds for all files
  EXPECT_EQ(run_tool(arguments).status, 0);
  EXPECT_THAT(read_file(folder_.path("a.xml")), testing::StartsWith("Frame,"));
}

TEST_F(Scoring, AReportOnStandardOutputIsAlone) {
  const ToolResult result = run_tool({clip_.reference, clip_.distorted, "--json", "-o", "-"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(Json::accept(result.out)) << result.out;
}

TEST_F(Scoring, OldAndNewSpellingsAgree) {
  ASSERT_EQ(score({"--feature", "psnr"}).status, 0);
  const std::string expected = without_fps(read_file(folder_.path("report.json")));
  const std::string other = folder_.path("other.json");
  for (const std::vector<std::string>& spelling : std::vector<std::vector<std::string>>{
           {"-r", clip_.reference, "-d", clip_.distorted, "--feature=psnr", "--output", other,
            "--json", "--quiet"},
           {"--ref", clip_.reference, "--dist=" + clip_.distorted, "--feature", "psnr", "-qo",
            other},
           {"-q", clip_.reference, "--feature", "psnr", "-o" + other, clip_.distorted, "--cpumask",
            "-1", "--gpumask", "0x3", "--no_hip"},
           {"-qr", clip_.reference, "--distorted", clip_.distorted, "--feature", "psnr", "-o",
            other, "--backend", "cpu", "-m", "version=vmaf_v0.6.1"}}) {
    EXPECT_EQ(run_tool(spelling).status, 0) << spelling[0];
    EXPECT_EQ(without_fps(read_file(other)), expected) << spelling[0];
  }
}

TEST_F(Scoring, ReportsDoNotDependOnThreadsOrLocale) {
  ASSERT_EQ(score({"--threads", "1", "--feature", "psnr=enable_apsnr=true"}).status, 0);
  const std::string expected = without_fps(read_file(folder_.path("report.json")));
  for (const char* threads : {"0", "2", "7", "64"}) {
    ASSERT_EQ(
        score({"--threads", threads, "--feature", "psnr=enable_apsnr=true"}, "other.json").status,
        0);
    EXPECT_EQ(without_fps(read_file(folder_.path("other.json"))), expected) << threads;
  }
  // A locale with a decimal comma; it has no effect where it is not installed.
  ASSERT_EQ(score({"--feature", "psnr=enable_apsnr=true"}, "other.json",
                  {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"})
                .status,
            0);
  EXPECT_EQ(without_fps(read_file(folder_.path("other.json"))), expected);
}

TEST_F(Scoring, PairingOptions) {
  ASSERT_EQ(score({}).status, 0);
  const Json whole = report();
  ASSERT_EQ(score({"--frame_cnt", "2"}).status, 0);
  EXPECT_EQ(report()["frames"].size(), 2U);
  ASSERT_EQ(score({"--subsample", "2"}).status, 0);
  const Json sampled = report();
  ASSERT_EQ(sampled["frames"].size(), 3U);
  EXPECT_EQ(sampled["frames"][1]["frameNum"], 2);
  EXPECT_EQ(sampled["frames"][1]["metrics"], whole["frames"][2]["metrics"]);
  ASSERT_EQ(score({"--frame_skip_ref", "2", "--frame_skip_dist", "2"}).status, 0);
  const Json skipped = report();
  ASSERT_EQ(skipped["frames"].size(), 4U);
  EXPECT_EQ(skipped["frames"][0]["metrics"]["integer_vif_scale0"],
            whole["frames"][2]["metrics"]["integer_vif_scale0"]);
  const ToolResult shifted = score({"--frame_skip_ref", "2"});
  EXPECT_EQ(shifted.status, 0);
  EXPECT_THAT(shifted.err,
              AllOf(HasSubstr("clip_ref.y4m"), HasSubstr("clip_dis.y4m"), HasSubstr("4")));
  EXPECT_EQ(report()["frames"].size(), 4U);
  EXPECT_EQ(score({"--frame_skip_ref", "2", "--strict"}).status, 1);
}

TEST_F(Scoring, ModelsAndOverloads) {
  ASSERT_EQ(
      score(
          {"-m", "version=vmaf_v0.6.1neg:name=neg", "-m",
           "version=vmaf_v0.6.1:name=made:vif.vif_enhn_gain_limit=1.0:adm.adm_enhn_gain_limit=1.0"})
          .status,
      0);
  const Json json = report();
  for (const Json& frame : json["frames"]) {
    EXPECT_EQ(frame["metrics"]["neg"], frame["metrics"]["made"]);
    EXPECT_TRUE(frame["metrics"].contains("integer_vif_scale0_egl_1"));
  }
  ASSERT_EQ(score({"-n", "--feature", "psnr"}).status, 0);
  EXPECT_EQ(report()["frames"][0]["metrics"].size(), 3U);
  const ToolResult unmatched = score({"-m", "version=vmaf_v0.6.1:psnr.min_sse=1"});
  EXPECT_EQ(unmatched.status, 0);
  EXPECT_THAT(unmatched.err, HasSubstr("has no feature of extractor psnr"));
}

TEST_F(Scoring, Precision) {
  ASSERT_EQ(score({"--precision", "max"}).status, 0);
  const double exact = report()["frames"][0]["metrics"]["integer_adm2"];
  ASSERT_EQ(score({}).status, 0);
  const std::string six = read_file(folder_.path("report.json"));
  ASSERT_EQ(score({"--precision", "legacy"}, "other.json").status, 0);
  EXPECT_EQ(without_fps(read_file(folder_.path("other.json"))), without_fps(six));
  const double rounded = report()["frames"][0]["metrics"]["integer_adm2"];
  EXPECT_NE(exact, rounded);
  EXPECT_NEAR(exact, rounded, 1e-6);
}

TEST_F(Scoring, ProvenanceNamesTheBackendOfEveryFeature) {
  ASSERT_EQ(score({"--provenance", "--backend", "cpu", "--feature", "psnr"}).status, 0);
  const Json json = report();
  std::set<std::string> named;
  for (const Json& part : json["provenance"]) {
    EXPECT_EQ(part["backend"], "cpu") << part["extractor"];
    for (const Json& feature : part["features"]) named.insert(feature.get<std::string>());
  }
  named.insert("vmaf");  // made from the others
  std::set<std::string> scored;
  for (const auto& [name, value] : json["frames"][0]["metrics"].items()) scored.insert(name);
  EXPECT_EQ(named, scored);
}

TEST_F(Scoring, IdenticalVideosGiveValidJson) {
  const std::string out = folder_.path("same.json");
  ASSERT_EQ(run_tool({clip_.reference, clip_.reference, "-q", "-o", out, "--feature",
                      "psnr=enable_apsnr=true:enable_chroma=false"})
                .status,
            0);
  const Json json = Json::parse(read_file(out));
  EXPECT_EQ(json["frames"][0]["metrics"]["psnr_y"], 60.0);
  EXPECT_TRUE(json["aggregate_metrics"]["apsnr_cb"].is_null());
}

TEST_F(Scoring, ATruncatedVideoIsScoredUpToTheBreak) {
  std::string bytes = read_file(clip_.distorted);
  bytes.resize(bytes.size() - 100);
  write_file(clip_.distorted, bytes);
  const ToolResult result = score({"-o", folder_.path("report.xml")});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("clip_dis.y4m"), HasSubstr("frame 5"),
                                HasSubstr("the 5 frames before")));
  const Json json = report();
  EXPECT_EQ(json["frames"].size(), 5U);
  EXPECT_EQ(json["incomplete"], true);
  EXPECT_TRUE(json["pooled_metrics"]["vmaf"].contains("mean"));
  EXPECT_THAT(read_file(folder_.path("report.xml")), HasSubstr(" incomplete=\"true\">"));
}

// Pictures larger than a pipe holds: once a frame is written, the frames before it have been read.
TEST_F(Scoring, AnInterruptedRunReportsWhatIsFinished) {
  const ClipPaths clip = make_clip(folder_, "large", {352, 288, ChromaFormat::yuv420, 8}, 8);
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto ignored = std::signal(SIGPIPE, SIG_IGN);
  RunningTool tool({pipe, clip.distorted, "-q", "-o", folder_.path("report.json")});
  const std::string bytes = read_file(clip.reference);
  const std::size_t half = bytes.size() / 2;
  {
    std::ofstream writer(pipe, std::ios::binary);
    writer.write(bytes.data(), static_cast<std::streamsize>(half)).flush();
    tool.signal(SIGINT);
    writer.write(bytes.data() + half, static_cast<std::streamsize>(bytes.size() - half));
  }
  const ToolResult result = tool.finish();
  std::signal(SIGPIPE, ignored);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("interrupted after "));
  const Json json = report();
  EXPECT_EQ(json["incomplete"], true);
  EXPECT_GE(json["frames"].size(), 2U);
  EXPECT_LT(json["frames"].size(), 8U);
}

// In "ffmpeg ... | hipvmaf - ..." Ctrl-C reaches both, and ffmpeg ends its output with a whole
// frame.
TEST_F(Scoring, AnInterruptedRunIsIncompleteThoughItsInputEndsCleanly) {
  const ClipPaths clip = make_clip(folder_, "large", {352, 288, ChromaFormat::yuv420, 8}, 4);
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  RunningTool tool({pipe, clip.distorted, "-q", "-o", folder_.path("report.json")});
  {
    std::ofstream writer(pipe, std::ios::binary);
    writer << read_file(clip.reference) << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it waits for another frame
    tool.signal(SIGINT);
  }
  const ToolResult result = tool.finish();
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("interrupted after "));
  EXPECT_EQ(report()["incomplete"], true);
}

// Whoever feeds the pipe may have stopped for good, without closing it.
TEST_F(Scoring, AnInterruptedRunDoesNotWaitForAStalledPipe) {
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  RunningTool tool({pipe, clip_.distorted, "-q", "-o", folder_.path("report.json")});
  const std::string bytes = read_file(clip_.reference);
  std::ofstream writer(pipe, std::ios::binary);
  writer.write(bytes.data(), static_cast<std::streamsize>(bytes.size() - 100)).flush();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it waits for the last bytes
  tool.signal(SIGINT);
  const ToolResult result = tool.finish();  // with the pipe still open
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("interrupted after "));
  EXPECT_EQ(report()["incomplete"], true);
}

TEST_F(Scoring, ASummaryThatCannotBeWrittenIsAnErrorAndLosesNoReport) {
  const ToolResult result =
      run_tool({clip_.reference, clip_.distorted, "-o", folder_.path("report.json")}, {},
               "/dev/null", "/dev/full");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("cannot write the summary to standard output"));
  EXPECT_EQ(report()["frames"].size(), 6U);
}

TEST_F(Scoring, RawVideoOfAWrongSizeIsNotScoredSilently) {
  const std::string raw = folder_.path("clip.yuv");
  write_file(raw, std::string(96 * 64 * 3 / 2 * 2 + 17, '\x55'));
  const std::vector<std::string> format{raw,
                                        raw,
                                        "-w",
                                        "96",
                                        "-h",
                                        "64",
                                        "-p",
                                        "420",
                                        "-b",
                                        "8",
                                        "-q",
                                        "-o",
                                        folder_.path("report.json")};
  const ToolResult result = run_tool(format);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("clip.yuv"));
  EXPECT_EQ(report()["frames"].size(), 2U);
}

TEST_F(Scoring, OddAndSmallSizes) {
  for (const auto& [width, height] :
       {std::pair{17, 17}, {175, 143}, {19, 64}, {270, 48}, {33, 18}}) {
    const ClipPaths odd = make_clip(folder_, "odd", {width, height, ChromaFormat::yuv420, 8}, 2);
    const ToolResult result = run_tool({odd.reference, odd.distorted, "-q", "-o",
                                        folder_.path("report.json"), "--feature", "psnr"});
    EXPECT_EQ(result.status, 0) << width << "x" << height << ": " << result.err;
    EXPECT_EQ(report()["frames"].size(), 2U);
  }
}

TEST_F(Scoring, StandardInput) {
  ASSERT_EQ(score({}).status, 0);
  const std::string expected = without_fps(read_file(folder_.path("report.json")));
  const ToolResult piped =
      run_tool({"-", clip_.distorted, "-q", "-o", folder_.path("piped.json")}, {}, clip_.reference);
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(without_fps(read_file(folder_.path("piped.json"))), expected);
}

TEST_F(Scoring, MemoryDoesNotGrowWithLength) {
  const ClipPaths brief = make_clip(folder_, "brief", {64, 64, ChromaFormat::yuv420, 8}, 100);
  const ClipPaths lengthy = make_clip(folder_, "long", {64, 64, ChromaFormat::yuv420, 8}, 3000);
  const auto peak = [&](const ClipPaths& clip) {
    const ToolResult result = run_tool(
        {clip.reference, clip.distorted, "-q", "-o", folder_.path("report.csv"), "--threads", "2"});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.peak_kilobytes;
  };
  // 2,900 more frames are 35 MB of pictures; their scores and the report are 1.5 MB.
  EXPECT_LT(peak(lengthy), peak(brief) + 12 * 1024);
}

TEST_F(Scoring, HelpVersionAndListings) {
  const ToolResult help = run_tool({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("Usage: hipvmaf"));
  const ToolResult version = run_tool({"-v"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.err, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(run_tool({"features"}).out,
              AllOf(HasSubstr("psnr\n"), HasSubstr("vif_enhn_gain_limit=100")));
  EXPECT_THAT(run_tool({"models"}).out, AllOf(HasSubstr("vmaf_v0.6.1neg"), HasSubstr("within ")));
}

TEST_F(Scoring, DocumentationOfTheMetricsIsUpToDate) {
  EXPECT_EQ(run_tool({"features", "--markdown"}).out,
            read_file(HIPVMAF_TEST_DATA "/../docs/metrics.md"))
      << "docs/metrics.md is stale: build/release/bin/hipvmaf features --markdown > "
         "docs/metrics.md";
}

TEST_F(Scoring, PresetsRunWhole) {
  const ClipPaths clip = make_clip(folder_, "large", {352, 288, ChromaFormat::yuv420, 8}, 2);
  const auto run = [&](const std::string& preset) {
    const ToolResult result =
        run_tool({clip.reference, clip.distorted, "-q", preset, "-o", folder_.path("report.json")});
    EXPECT_EQ(result.status, 0) << preset << ": " << result.err;
    return report()["pooled_metrics"];
  };
  for (const char* version : {"v1.0", "v2.0", "v3.0", "v4.0", "v5.0", "v6.0", "v7.0"}) {
    const Json pooled = run(std::string("--aom_ctc=") + version);
    for (const char* name :
         {"psnr_y", "ciede2000", "float_ssim", "float_ms_ssim", "psnr_hvs", "vmaf", "vmaf_neg"}) {
      EXPECT_TRUE(pooled.contains(name)) << version << " " << name;
    }
    EXPECT_EQ(pooled.contains("cambi"), version[1] >= '3') << version;
  }
  const Json pooled = run("--nflx_ctc=v1.0");
  for (const char* name : {"psnr_cb", "float_ssim", "cambi", "vmaf", "vmaf_neg"}) {
    EXPECT_TRUE(pooled.contains(name)) << name;
  }
}

// Every built-in model by its name, and every extractor, in one run each.
TEST_F(Scoring, EveryBuiltInModelAndExtractorRuns) {
  const ClipPaths clip = make_clip(folder_, "large", {576, 324, ChromaFormat::yuv420, 8}, 2);
  std::vector<std::string> arguments{clip.reference, clip.distorted, "-q", "-o",
                                     folder_.path("report.json")};
  std::vector<std::string> names;
  for (const BuiltinModel& model : builtin_models()) {
    names.emplace_back(model.name);
    arguments.insert(arguments.end(), {"-m", "version=" + names.back() + ":name=" + names.back()});
  }
  for (const Descriptor* extractor : registry()) {
    arguments.insert(arguments.end(), {"--feature", std::string(extractor->name)});
  }
  const ToolResult result = run_tool(arguments);
  ASSERT_EQ(result.status, 0) << result.err;
  const Json pooled = report()["pooled_metrics"];
  for (const std::string& name : names) {
    EXPECT_GE(pooled[name]["mean"].get<double>(), 0.0) << name;
    EXPECT_LE(pooled[name]["mean"].get<double>(), 110.0) << name;
  }
}

TEST_F(Scoring, HeatmapsDoNotDependOnThreads) {
  const ClipPaths clip = make_clip(folder_, "large", {352, 288, ChromaFormat::yuv420, 8}, 5);
  std::string expected;
  for (const char* threads : {"1", "4"}) {
    const std::string maps = folder_.path(std::string("maps") + threads);
    const ToolResult result = run_tool({clip.reference, clip.distorted, "-qn", "--threads", threads,
                                        "--feature", "cambi=heatmaps_path=" + maps});
    ASSERT_EQ(result.status, 0) << result.err;
    std::string bytes;
    for (int scale = 0; scale < 5; ++scale) {
      for (const auto& entry : std::filesystem::directory_iterator(maps)) {
        const std::string name = entry.path().filename().string();
        if (name.find("scale_" + std::to_string(scale)) != std::string::npos)
          bytes += read_file(entry.path().string());
      }
    }
    EXPECT_GT(bytes.size(), 352U * 288 * 2 * 5);
    if (expected.empty()) expected = bytes;
    EXPECT_TRUE(bytes == expected) << "with " << threads << " threads";
  }
}

}  // namespace
}  // namespace hipvmaf::test
