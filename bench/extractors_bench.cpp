// Time of every registered extractor's pixel stage on 1080p pictures, one thread, in ns per luma
// pixel. Run it as build/release/bin/extractors_bench; --benchmark_filter=psnr picks one,
// --benchmark_filter=/10 a depth.
#include <benchmark/benchmark.h>
#include <cstddef>
#include <ctime>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "clipgen/clip_generator.hpp"
#include "features/registry.hpp"

namespace hipvmaf {
namespace {

constexpr int kWidth = 1920;
constexpr int kHeight = 1080;

using Frames = std::vector<FrameWindow::FramePtr>;  // newest first

// Frames that temporal extractors can look back over.
const Frames& frames_at(int bit_depth) {
  static std::map<int, Frames> made;
  Frames& frames = made[bit_depth];
  if (!frames.empty()) return frames;
  test::ClipSpec clip = test::standard_clip("hd8");
  clip.format = {kWidth, kHeight, ChromaFormat::yuv420, bit_depth};
  for (int i = kMaxReach; i >= 0; --i) {
    test::PicturePair pair = test::make_frame(clip, i);
    frames.push_back(std::make_shared<const Frame>(
        Frame{i, std::move(pair.reference), std::move(pair.distorted)}));
  }
  return frames;
}

// The window of a frame that no one has seen: what is derived from it counts, as in a stream.
FrameWindow fresh_window(const Frames& frames) {
  const Frame& newest = *frames[0];
  return {std::make_shared<const Frame>(Frame{newest.index, newest.reference, newest.distorted}),
          std::span(frames).subspan(1)};
}

void measure(benchmark::State& state, const Descriptor& extractor, int bit_depth) {
  const OptionValues defaults(extractor.options);
  const Frames& frames = frames_at(bit_depth);
  const std::unique_ptr<PixelStage> stage =
      extractor.make_cpu_stage(defaults, frames[0]->reference.format());
  std::vector<std::byte> raw(extractor.raw_bytes);
  const std::clock_t begin = std::clock();
  for (auto _ : state) {
    stage->measure_into(fresh_window(frames), raw.data());
    benchmark::DoNotOptimize(raw.data());
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  state.counters["ns/pixel"] =
      seconds * 1e9 / (static_cast<double>(state.iterations()) * kWidth * kHeight);
}

void register_benchmarks() {
  for (const Descriptor* extractor : registry()) {
    for (const int bit_depth : {8, 10}) {
      if (bit_depth > extractor->maximum_bit_depth) continue;
      benchmark::RegisterBenchmark(fmt::format("{}/{}", extractor->name, bit_depth).c_str(),
                                   [extractor, bit_depth](benchmark::State& state) {
                                     measure(state, *extractor, bit_depth);
                                   })
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace hipvmaf

int main(int argc, char** argv) {
  hipvmaf::register_benchmarks();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
