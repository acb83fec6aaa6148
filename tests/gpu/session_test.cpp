// Whole sessions on the GPU: the executor, the dispatch plan, and how they fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
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
  EXPECT_THAT(refusal({1, on(Backend::hip)}), HasSubstr("hipErrorOutOfMemory"));
  gpu::emulator::configure(before);
}
#endif

}  // namespace
}  // namespace hipvmaf::test
