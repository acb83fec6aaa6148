// Bad input: exit status and message of every kind of mistake a user can make.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tool.hpp"

namespace hipvmaf::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kFailure = 1;
constexpr int kUsage = 2;

class Errors : public testing::Test {
 protected:
  // One line, no report, no half-written file.
  static void expect(const ToolResult& result, int status,
                     const testing::Matcher<const std::string&>& message) {
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_THAT(result.err, message);
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }

  [[nodiscard]] ToolResult run(std::vector<std::string> more) const {
    std::vector<std::string> arguments{clip_.reference, clip_.distorted, "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tool(arguments);
  }

  TemporaryFolder folder_;
  ClipPaths clip_ = make_clip(folder_, "clip", {64, 48, ChromaFormat::yuv420, 8}, 2);
};

TEST_F(Errors, CommandLine) {
  expect(run_tool({}), kUsage, HasSubstr("Reference video (-r/--reference) is required"));
  expect(run_tool({"-r", clip_.reference}), kUsage,
         HasSubstr("Distorted video (-d/--distorted) is required"));
  expect(run({"third.y4m"}), kUsage, HasSubstr("unexpected argument \"third.y4m\""));
  expect(run({"--foo"}), kUsage, HasSubstr("unknown or ambiguous option --foo"));
  expect(run({"--frame"}), kUsage, HasSubstr("unknown or ambiguous option --frame"));
  expect(run({"-Z"}), kUsage, HasSubstr("unknown or ambiguous option -Z"));
  expect(run({"-nZ"}), kUsage, HasSubstr("unknown or ambiguous option -Z"));
  // The first option behind the words, which getopt moves.
  expect(run_tool({clip_.reference, clip_.distorted, "--foo"}), kUsage,
         HasSubstr("unknown or ambiguous option --foo"));
  expect(run_tool({clip_.reference, clip_.distorted, "-Z"}), kUsage,
         HasSubstr("unknown or ambiguous option -Z"));
  expect(run_tool({clip_.reference, clip_.distorted, "--out"}), kUsage,
         HasSubstr("option -o/--output needs an argument"));
  expect(run({"--threads"}), kUsage, HasSubstr("option --threads needs an argument"));
  expect(run({"--strict=1"}), kUsage, HasSubstr("option --strict takes no argument"));
  expect(run({"--threads", "abc"}), kUsage,
         HasSubstr("Invalid argument \"abc\" for option --threads; should be an integer"));
  expect(run({"--threads", "1025"}), kUsage, HasSubstr("should be an integer from 0 to 1024"));
  expect(run({"-w", "64x"}), kUsage,
         HasSubstr("Invalid argument \"64x\" for option -w/--width; should be an integer"));
  expect(run({"-w", "64"}), kUsage,
         HasSubstr("required for .yuv input: -h/--height, -p/--pixel_format, -b/--bitdepth"));
  expect(run({"-b", "7"}), kUsage, HasSubstr("a valid bitdepth (8..16)"));
  expect(run({"-p", "411"}), kUsage, HasSubstr("a valid pixel format (400/420/422/444)"));
  expect(run({"--precision", "18"}), kUsage,
         HasSubstr("a number of digits (1..17), max or legacy"));
  expect(run({"--scale", "nearest"}), kUsage, HasSubstr("bicubic, lanczos or bilinear"));
  expect(run({"--convert", "both"}), kUsage, HasSubstr("reference or distorted"));
  expect(run({"-o", "a.xml", "-o", "a.xml"}), kUsage, HasSubstr("a.xml is given twice"));
  expect(run({"-o", "a.xml", "--provenance"}), kUsage, HasSubstr("add -o FILE.json"));
  expect(run({"-o", clip_.distorted}), kUsage, HasSubstr("clip_dis.y4m is an input"));
  expect(run({"--aom_ctc", "v9.0"}), kUsage,
         HasSubstr("unknown version \"v9.0\"; use v1.0 .. v7.0"));
  expect(run({"--nflx_ctc", "v2.0"}), kUsage, HasSubstr("unknown version \"v2.0\"; use v1.0"));
  expect(run_tool({"features", "--json"}), kUsage, HasSubstr("takes --markdown or nothing"));
}

TEST_F(Errors, FeaturesAndModels) {
  expect(run({"--feature", "psnrr"}), kUsage,
         HasSubstr("no extractor is named psnrr; there are: "));
  expect(run({"--feature", "psnr="}), kUsage, HasSubstr("is no option=value pair"));
  expect(run({"--feature", "psnr=enable_mse"}), kUsage,
         HasSubstr("\"enable_mse\" in \"psnr=enable_mse\""));
  expect(run({"--feature", "psnr=enable_mse=yes"}), kUsage,
         HasSubstr("\"yes\" is not true or false"));
  expect(run({"--feature", "psnr=enable_mes=true"}), kUsage,
         HasSubstr("extractor psnr has no option enable_mes; its options are: "));
  expect(run({"--feature", "vif=vif_enhn_gain_limit=101"}), kUsage,
         HasSubstr("a number from 1 to 100"));
  expect(run({"--feature", "adm=adm_norm_view_dist=1"}), kUsage, HasSubstr("adm_norm_view_dist"));
  expect(run({"--model", "version=vmaf_v9"}), kUsage,
         AllOf(HasSubstr("vmaf_v9"), HasSubstr("vmaf_4k_v0.6.1neg")));
  expect(run({"--model", "name=x"}), kUsage, HasSubstr("needs version=NAME or path=FILE"));
  expect(run({"--model", "version=vmaf_v0.6.1:"}), kUsage, HasSubstr("is no key=value pair"));
  expect(run({"--model", "version=vmaf_v0.6.1:colour=red"}), kUsage,
         HasSubstr("unknown key \"colour\""));
  expect(run({"--model", "version=vmaf_v0.6.1:vif.gain=1"}), kUsage,
         HasSubstr("extractor vif has no option gain"));
  expect(run({"-m", "version=vmaf_v0.6.1", "-m", "version=vmaf_v0.6.1neg"}), kUsage,
         HasSubstr("two models are named \"vmaf\""));
  expect(run({"--model", "path=" + folder_.path("none.json")}), kFailure, HasSubstr("none.json"));
}

TEST_F(Errors, ModelFiles) {
  const auto expect_bad = [&](std::string_view json, std::string_view message) {
    const std::string path = folder_.path("model.json");
    write_file(path, json);
    expect(run({"--model", "path=" + path}), kFailure,
           AllOf(HasSubstr("model.json"), HasSubstr(std::string(message))));
  };
  expect_bad("", "");
  expect_bad("{", "");
  expect_bad("[1, 2]", "");
  expect_bad("{\"model_dict\": {\"feature_names\": [\"a\"], \"slopes\": [NaN]}}", "");
  expect_bad("{\"model_dict\": {}}", "");
  expect_bad(R"({"model_dict": {"norm_type": "linear_rescale", "feature_names": 3}})",
             "feature_names");
  expect_bad(std::string(100000, '[') + std::string(100000, ']'), "");
  const auto with_slopes = [](int count) {
    std::string json =
        R"({"model_dict": {"norm_type": "none", "feature_names": ["a"], "slopes": [1)";
    for (int i = 1; i < count; ++i) json += ",1";
    return json + "]}}";
  };
  expect_bad(with_slopes(66), "slopes");
  expect_bad(with_slopes(300000), "more than 200000 values");
  const std::string wanting = R"({"model_dict": {"model_type": "LIBSVMNUSVR", "norm_type": "none",
    "feature_names": ["Unheard_of_score"], "slopes": [1, 1], "intercepts": [0, 0],
    "model": "svm_type nu_svr\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1\n"}})";
  write_file(folder_.path("model.json"), wanting);
  expect(run({"--model", "path=" + folder_.path("model.json")}), kUsage,
         HasSubstr("features that no extractor of this build provides: Unheard_of_score"));
}

TEST_F(Errors, Inputs) {
  const auto expect_input = [&](const std::string& reference,
                                const testing::Matcher<const std::string&>& message) {
    expect(run_tool({reference, clip_.distorted, "-q"}), kFailure, message);
  };
  expect_input(folder_.path("none.y4m"),
               AllOf(HasSubstr("none.y4m"), HasSubstr("No such file or directory")));
  expect_input(folder_.path("."), HasSubstr("directory"));
  write_file(folder_.path("empty.y4m"), "");
  expect_input(folder_.path("empty.y4m"), AllOf(HasSubstr("empty.y4m"), HasSubstr("empty")));
  write_file(folder_.path("header.y4m"), "YUV4MPEG2 W64 F25:1\n");
  expect_input(folder_.path("header.y4m"), HasSubstr("header.y4m"));
  write_file(folder_.path("text.y4m"), "This is no video at all.\n");
  expect_input(folder_.path("text.y4m"), HasSubstr("text.y4m"));
  write_file(folder_.path("none_inside.y4m"), "YUV4MPEG2 W64 H48 F25:1 Ip C420jpeg\n");
  expect_input(folder_.path("none_inside.y4m"), HasSubstr("none_inside.y4m"));
}

TEST_F(Errors, InputsThatDoNotMatch) {
  const auto expect_mismatch = [&](const PictureFormat& format,
                                   const testing::Matcher<const std::string&>& message) {
    const ClipPaths other = make_clip(folder_, "other", format, 2);
    expect(run_tool({clip_.reference, other.distorted, "-q"}), kFailure, message);
  };
  expect_mismatch({66, 50, ChromaFormat::yuv420, 8},
                  AllOf(HasSubstr("64x48"), HasSubstr("66x50"), HasSubstr("--scale")));
  expect_mismatch({64, 48, ChromaFormat::yuv420, 10},
                  AllOf(HasSubstr("10"), HasSubstr("--convert")));
  expect_mismatch({64, 48, ChromaFormat::yuv444, 8},
                  AllOf(HasSubstr("4:2:0"), HasSubstr("4:4:4"), HasSubstr("--convert")));
}

TEST_F(Errors, PicturesThatAreTooSmall) {
  const ClipPaths tiny = make_clip(folder_, "tiny", {16, 16, ChromaFormat::yuv420, 8}, 2);
  expect(run_tool({tiny.reference, tiny.distorted, "-q"}), kFailure,
         HasSubstr("extractor adm needs pictures of at least 17x17, the videos are 16x16"));
  const ClipPaths thin = make_clip(folder_, "thin", {1000, 2, ChromaFormat::yuv420, 8}, 1);
  expect(run_tool({thin.reference, thin.distorted, "-q", "-n", "--feature", "motion"}), kFailure,
         HasSubstr("extractor motion needs pictures of at least 3x3, the videos are 1000x2"));
}

TEST_F(Errors, OutputsAreCheckedBeforeTheWork) {
  expect(run({"-o", folder_.path("missing/report.xml")}), kFailure,
         AllOf(HasSubstr("missing/report.xml"), HasSubstr("No such file or directory")));
  expect(run({"-o", folder_.path(".")}), kFailure, HasSubstr("directory"));
  // Not even a temporary file stays behind.
  expect(run({"-o", folder_.path("report.xml"), "-o", folder_.path("missing/report.json")}),
         kFailure, HasSubstr("missing/report.json"));
  EXPECT_THAT(folder_.files(), testing::UnorderedElementsAre("clip_ref.y4m", "clip_dis.y4m"));
}

TEST_F(Errors, OneFailingReportDoesNotCostTheOthers) {
  const std::string report = folder_.path("report.csv");
  expect(run({"-n", "--feature", "psnr", "-o", "/dev/full", "-o", report}), kFailure,
         HasSubstr("cannot write report /dev/full"));
  EXPECT_THAT(read_file(report), HasSubstr("psnr_y"));
}

TEST_F(Errors, ListingsThatCannotBeWritten) {
  for (const char* listing : {"features", "models", "devices", "--help"}) {
    expect(run_tool({listing}, {}, "/dev/null", "/dev/full"), kFailure,
           HasSubstr("cannot write to standard output"));
  }
}

TEST_F(Errors, AFailedRunLeavesAnOldReportAlone) {
  const std::string report = folder_.path("report.xml");
  write_file(report, "old");
  const ClipPaths tiny = make_clip(folder_, "tiny", {16, 16, ChromaFormat::yuv420, 8}, 2);
  expect(run_tool({tiny.reference, tiny.distorted, "-q", "-o", report}), kFailure,
         HasSubstr("adm"));
  EXPECT_EQ(read_file(report), "old");
}

TEST_F(Errors, SkippingPastTheEnd) {
  expect(run({"--frame_skip_ref", "5"}), kFailure, HasSubstr("clip_ref.y4m"));
}

}  // namespace
}  // namespace hipvmaf::test
