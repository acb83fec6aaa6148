// Frames per second of whole sessions on the GPU, with the frames in page-locked memory already:
// each extractor that runs there alone, and the feature sets of the models. Scores are made, models
// are not evaluated. Before that, milliseconds until a session may begin: starting the device, its
// self-test, memory.
//   gpu_bench [FRAMES] [STRATEGY]    FRAMES per measurement (default 2000), STRATEGY direct or
//   graph
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/model.hpp>
#include <hipvmaf/session.hpp>

#include "clipgen/clip_generator.hpp"
#include "features/registry.hpp"
#include "gpu/buffer.hpp"

namespace hipvmaf {
namespace {

/// A copy of a picture in page-locked memory.
Picture pinned(const Picture& picture) {
  const PictureFormat& format = picture.format();
  std::size_t bytes = 0;
  std::vector<std::size_t> offsets;
  std::vector<std::ptrdiff_t> strides;
  for (int p = 0; p < format.plane_count(); ++p) {
    const std::ptrdiff_t row = format.plane_width(p) * format.bytes_per_sample();
    strides.push_back((row + 63) / 64 * 64);
    offsets.push_back(bytes);
    bytes += static_cast<std::size_t>(strides.back() * format.plane_height(p));
  }
  const auto memory = std::make_shared<gpu::PinnedMemory>(bytes);
  std::vector<Picture::Plane> planes;
  for (int p = 0; p < format.plane_count(); ++p) {
    const auto i = static_cast<std::size_t>(p);
    std::byte* const to = memory->data() + offsets[i];
    const auto copy = [&]<class Sample>(Sample) {
      const auto from = picture.plane<Sample>(p);
      for (int y = 0; y < from.height; ++y) {
        std::memcpy(to + y * strides[i], from.row(y),
                    static_cast<std::size_t>(from.width) * sizeof(Sample));
      }
    };
    if (format.bit_depth == 8) {
      copy(std::uint8_t{});
    } else {
      copy(std::uint16_t{});
    }
    planes.push_back({to, strides[i]});
  }
  return Picture::wrap(format, planes, [memory] {});
}

struct Clip {
  PictureFormat format;
  std::vector<Picture> reference, distorted;
};

Clip make_clip(const PictureFormat& format) {
  constexpr int kFrames = 4;
  Clip clip{format, {}, {}};
  for (int i = 0; i < kFrames; ++i) {
    const test::PicturePair pair =
        test::make_frame({"clip", "texture", "blurnoise", 5, format, kFrames, 0}, i);
    clip.reference.push_back(pinned(pair.reference));
    clip.distorted.push_back(pinned(pair.distorted));
  }
  return clip;
}

/// What is measured: an extractor, or the features of a built-in model.
struct Subject {
  std::string name;
  bool is_model = false;
};

double frames_per_second(const Clip& clip, const Subject& subject, int frames,
                         const std::string& strategy) {
  SessionConfig config{.threads = 4, .predict = false, .backend = Backend::hip};
  for (const Descriptor* extractor : registry()) {
    if (!config.dispatch_strategies.empty()) config.dispatch_strategies += ',';
    config.dispatch_strategies += fmt::format("{}:{}", extractor->name, strategy);
  }
  Session session(config);
  if (subject.is_model) {
    session.add_model(load_builtin_model(subject.name, {}));
  } else {
    session.add_feature(subject.name);
  }
  const auto submit = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) % clip.reference.size();
      session.submit(clip.reference[at], clip.distorted[at]);
    }
  };
  submit(50);
  const auto begin = std::chrono::steady_clock::now();
  submit(frames);
  session.finish();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return frames / seconds.count();
}

double milliseconds_to_prepare(const std::vector<Subject>& subjects) {
  const auto begin = std::chrono::steady_clock::now();
  Session session({.threads = 4, .predict = false, .backend = Backend::hip});
  for (const Subject& subject : subjects) {
    if (!subject.is_model) session.add_feature(subject.name);
  }
  session.prepare({1920, 1080, ChromaFormat::yuv420, 8});
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  return time.count();
}

void run(int frames, const std::string& strategy) {
  std::vector<Subject> subjects = {{"vmaf_v0.6.1", true}, {"vmaf_v1.0.16_3d0h", true}};
  for (const Descriptor* extractor : registry()) {
    if (extractor->make_gpu_stage != nullptr) subjects.push_back({std::string(extractor->name)});
  }
  fmt::print("ms to prepare a session at 1080p: psnr, first use of the device {:.0f}",
             milliseconds_to_prepare({{"psnr"}}));
  fmt::print(", again {:.0f}", milliseconds_to_prepare({{"psnr"}}));
  fmt::print("; all extractors {:.0f}", milliseconds_to_prepare(subjects));
  fmt::print(", again {:.0f}\n", milliseconds_to_prepare(subjects));
  fmt::print("{:20} {:>10} {:>10} {:>10} {:>10}   ({}, frames/s)\n", "", "1080p 8", "1080p 10",
             "2160p 8", "2160p 10", strategy);
  std::vector<Clip> clips;
  for (const auto& [width, height] : {std::pair{1920, 1080}, {3840, 2160}}) {
    for (const int bits : {8, 10}) {
      clips.push_back(make_clip({width, height, ChromaFormat::yuv420, bits}));
    }
  }
  for (const Subject& subject : subjects) {
    fmt::print("{:20}", subject.name);
    for (const Clip& clip : clips) {
      try {
        const int count = clip.format.height > 1080 ? frames / 4 : frames;
        fmt::print(" {:>10.0f}", frames_per_second(clip, subject, count, strategy));
      } catch (const Error& error) {
        fmt::print(" {:>10}", "-");
        if (&clip == &clips.back()) fmt::print("  {}", error.what());
      }
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace hipvmaf

int main(int argc, char** argv) {
  hipvmaf::run(argc > 1 ? std::atoi(argv[1]) : 2000, argc > 2 ? argv[2] : "direct");
}
