// Whole sessions on the GPU: the executor, the dispatch plan, and how they fail.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "gpu/buffer.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr PictureFormat kFormat{48, 32, ChromaFormat::yuv420, 8};

/// Scores of a clip by column and frame.
using Scores = std::map<std::string, std::vector<double>>;

struct Run {
  int frames = 3;
  SessionConfig config;
  std::vector<std::string> extractors = {"psnr", "vif"};
};

Scores score(const Run& run) {
  const ClipSpec clip{"clip", "texture", "blurnoise", 3, kFormat, run.frames, 0};
  Session session(run.config);
  for (const std::string& extractor : run.extractors) session.add_feature(extractor);
  for (int i = 0; i < run.frames; ++i) {
    // Pictures of the last few frames come again: made once, they keep long runs short.
    PicturePair pair = make_frame(clip, i % 4);
    session.submit(std::move(pair.reference), std::move(pair.distorted));
  }
  session.finish();
  Scores scores;
  const ScoreTable& table = session.scores();
  for (std::size_t column = 0; column < table.column_count(); ++column) {
    for (std::int64_t frame = 0; frame < table.frame_end(); ++frame) {
      const auto value = table.get(column, frame);
      if (value) scores[std::string(table.printed_name(column))].push_back(*value);
    }
  }
  return scores;
}

SessionConfig on(Backend backend) { return {.threads = 2, .backend = backend}; }

TEST(GpuSession, GivesTheScoresOfTheCpuForAnyNumberOfFrames) {
  for (const int frames : {1, 2, 3, 40}) {
    const Scores expected = score({frames, on(Backend::cpu)});
    EXPECT_EQ(expected.begin()->second.size(), static_cast<std::size_t>(frames));
    EXPECT_EQ(score({frames, on(Backend::hip)}), expected) << frames << " frames";
  }
}

TEST(GpuSession, GivesTheSameScoresWithEitherStrategy) {
  SessionConfig recorded = on(Backend::hip);
  recorded.dispatch_strategies = "vif:graph,psnr:direct";
  EXPECT_EQ(score({20, recorded}), score({20, on(Backend::hip)}));
}

TEST(GpuSession, ScoresEveryNthFrame) {
  SessionConfig cpu = on(Backend::cpu);
  SessionConfig gpu = on(Backend::hip);
  cpu.subsample = gpu.subsample = 3;
  EXPECT_EQ(score({11, gpu}), score({11, cpu}));
}

// Frames that come to the GPU take turns on its lanes, whatever their indices.
TEST(GpuSession, ScoresEveryNthFrameOfWindowlessExtractors) {
  SessionConfig cpu = on(Backend::cpu);
  SessionConfig gpu = on(Backend::hip);
  cpu.subsample = gpu.subsample = 4;
  EXPECT_EQ(score({37, gpu, {"vif", "ssim"}}), score({37, cpu, {"vif", "ssim"}}));
}

TEST(GpuSession, SaysWhereEachExtractorRuns) {
  Session session(on(Backend::hip));
  session.add_feature("psnr");
  session.prepare(kFormat);
  ASSERT_EQ(session.dispatch().size(), 1U);
  EXPECT_TRUE(session.dispatch()[0].on_gpu);
  EXPECT_EQ(session.dispatch()[0].kernels, 0);
  PicturePair pair = make_frame({"clip", "texture", "blurnoise", 3, kFormat, 1, 0}, 0);
  session.submit(std::move(pair.reference), std::move(pair.distorted));
  session.finish();
  EXPECT_EQ(session.dispatch()[0].kernels, 3);  // one per plane
}

std::string refusal(const Run& run) {
  try {
    score(run);
  } catch (const Error& error) {
    return error.what();
  }
  return "it was not refused";
}

TEST(GpuSession, NeverFallsBackSilently) {
  EXPECT_THAT(refusal({1, on(Backend::hip), {"float_ansnr"}}),
              AllOf(HasSubstr("--backend hip"), HasSubstr("float_ansnr runs on the CPU only")));
  SessionConfig other = on(Backend::hip);
  other.device = 99;
  EXPECT_THAT(refusal({1, other}), HasSubstr("there is no GPU 99"));
}

TEST(GpuSession, RunsOnTheGpuWhatIsNamedSo) {
  EXPECT_EQ(score({2, on(Backend::automatic), {"psnr_hip", "integer_vif_hip"}}),
            score({2, on(Backend::cpu)}));
  EXPECT_THAT(refusal({1, on(Backend::automatic), {"ansnr_hip"}}),
              HasSubstr("float_ansnr_hip: extractor float_ansnr runs on the CPU only"));
  EXPECT_THAT(refusal({1, on(Backend::cpu), {"psnr_hip"}}),
              HasSubstr("psnr_hip: the CPU was asked for"));
}

std::string refusal_to_prepare(const std::string& extractor, const Session::Options& options,
                               const PictureFormat& format) {
  Session session(on(Backend::hip));
  session.add_feature(extractor, options);
  try {
    session.prepare(format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device);
    return error.what();
  }
  return "it was not refused";
}

TEST(GpuSession, SaysWhatAGpuCannotMeasure) {
  EXPECT_THAT(
      refusal_to_prepare("cambi", {{"window_size", "127"}}, {32768, 1024, ChromaFormat::yuv400, 8}),
      AllOf(HasSubstr("--backend hip: extractor cambi has windows of"),
            HasSubstr("window_size makes them smaller")));
  EXPECT_THAT(refusal_to_prepare("psnr", {}, {16384, 8192, ChromaFormat::yuv400, 8}),
              HasSubstr("more than the 67108864 pixels that a GPU measures"));
}

// Thousands of frames on devices; the emulator takes its time.
TEST(GpuSession, MemoryDoesNotGrowWithLength) {
  const int frames = gpu_platform() == "emulated" ? 300 : 10'000;
  const PictureFormat format{64, 64, ChromaFormat::yuv420, 8};
  const PicturePair pair = make_frame({"clip", "texture", "blurnoise", 3, format, 1, 0}, 0);
  Session session(on(Backend::hip));
  session.add_feature("psnr");
  session.add_feature("motion");
  std::size_t after_some = 0;
  for (int i = 0; i < frames; ++i) {
    session.submit(pair.reference, pair.distorted);
    if (i == 50) after_some = gpu::device_bytes_in_use();
  }
  session.finish();
  EXPECT_GT(after_some, 0U);
  EXPECT_EQ(gpu::device_bytes_in_use(), after_some);
  EXPECT_EQ(session.picture_count(), frames);
  std::cout << fmt::format("{} frames of 64x64, {} bytes of device memory\n", frames, after_some);
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(GpuSession, WritesTheHeatmapsOfTheCpu) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / fmt::format("heatmaps_{}", ::getpid());
  const ClipSpec clip{"clip", "dark", "bands", 3, {228, 60, ChromaFormat::yuv420, 10}, 5, 0};
  for (const Backend backend : {Backend::cpu, Backend::hip}) {
    const std::string name = backend == Backend::cpu ? "cpu" : "hip";
    Session session(on(backend));
    session.add_feature("cambi", {{"heatmaps_path", (folder / name).string()}});
    for (int i = 0; i < clip.frames; ++i) {
      PicturePair pair = make_frame(clip, i);
      session.submit(std::move(pair.reference), std::move(pair.distorted));
    }
    session.finish();
  }
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "cpu")) {
    const std::string wanted = content(entry.path());
    EXPECT_NE(wanted, std::string(wanted.size(), '\0'));
    EXPECT_EQ(content(folder / "hip" / entry.path().filename()), wanted);
    ++compared;
  }
  EXPECT_EQ(compared, 5);  // one per scale
  std::filesystem::remove_all(folder);
}

TEST(GpuSession, NamesWhatTheStrategiesCanBe) {
  SessionConfig config = on(Backend::hip);
  config.dispatch_strategies = "psnr:graph,nonsense:graph";
  EXPECT_THAT(refusal({1, config}), AllOf(HasSubstr("\"nonsense\""), HasSubstr("float_psnr")));
  config.dispatch_strategies = "psnr:fast";
  EXPECT_THAT(refusal({1, config}), AllOf(HasSubstr("\"fast\""), HasSubstr("direct, graph")));
}

TEST(GpuSession, GivesItsMemoryBack) {
  const std::size_t before = gpu::device_bytes_in_use();
  score({5, on(Backend::hip)});
  EXPECT_EQ(gpu::device_bytes_in_use(), before);
}

#if defined(HIPVMAF_GPU_EMULATED)
TEST(GpuSession, ComputesFewerFramesAtATimeWhenMemoryIsShort) {
  const auto before = gpu::emulator::behaviour();
  auto small = before;
  small.memory_bytes = 140'000;  // a lane with its stages and pictures takes about 100'000 bytes
  gpu::emulator::configure(small);
  EXPECT_EQ(score({5, on(Backend::hip)}), score({5, on(Backend::cpu)}));
  small.memory_bytes = 10'000;
  gpu::emulator::configure(small);
  EXPECT_THAT(refusal({1, on(Backend::hip)}), AllOf(HasSubstr("does not get through the self-test"),
                                                    HasSubstr("hipErrorOutOfMemory")));
  gpu::emulator::configure(before);
}

TEST(GpuSession, TrustsNoDeviceThatComputesWrongly) {
  const auto before = gpu::emulator::behaviour();
  auto broken = before;
  broken.is_broken = true;
  gpu::emulator::configure(broken);
  EXPECT_THAT(refusal({1, on(Backend::hip)}),
              AllOf(HasSubstr("is not to be trusted"), HasSubstr("sums over blocks")));
  gpu::emulator::configure(before);
}
#endif

}  // namespace
}  // namespace hipvmaf::test
