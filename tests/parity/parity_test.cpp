// Compares every extractor's GPU stage with its CPU stage: raw scores of extractor x option
// variants x clips, made from the registry. The variants are those of the golden figures. Runs on
// whatever GPU platform the build has.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include <hipvmaf/device.hpp>
#include <hipvmaf/error.hpp>

#include "engine/device_pictures.hpp"
#include "features/gpu_stage.hpp"
#include "features/registry.hpp"
#include "gpu/buffer.hpp"
#include "parity/raw_compare.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {
namespace {

namespace fs = std::filesystem;

/// What was compared, for the summary and for the check that nothing was left out.
struct Count {
  int variants = 0;
  int frames = 0;
  int refused = 0;  // clip formats that the extractor does not take
  long kernels = 0;
  double largest_difference = 0;
};
std::map<std::string, Count> counts;

struct ParityClip {
  std::string name;
  PictureFormat format;
  int frames;
  std::string content = "texture";
  std::string distortion = "blurnoise";
  bool leaves_depth = false;  // has samples above the peak, as wrapped pictures may
  bool is_large = false;
};

/// Every depth class, chroma format and parity of size; most are small, because the emulator is
/// slow.
const std::vector<ParityClip>& clips() {
  static const std::vector<ParityClip> all = {
      {"yuv420p8", {96, 64, ChromaFormat::yuv420, 8}, 3},
      {"odd420p10", {83, 61, ChromaFormat::yuv420, 10}, 3},
      {"odd422p12", {75, 51, ChromaFormat::yuv422, 12}, 2},
      {"yuv444p16", {64, 48, ChromaFormat::yuv444, 16}, 2},
      {"mono9", {70, 50, ChromaFormat::yuv400, 9}, 2},
      {"tall8", {34, 130, ChromaFormat::yuv420, 8}, 2},
      {"wide10", {260, 36, ChromaFormat::yuv420, 10}, 2},
      {.name = "ssimulacra8",
       .format = {176, 144, ChromaFormat::yuv420, 8},
       .frames = 2,
       .is_large = true},
      {.name = "msssim10",
       .format = {177, 179, ChromaFormat::yuv444, 10},
       .frames = 1,
       .is_large = true},
      {"above10", {260, 176, ChromaFormat::yuv420, 10}, 2, "texture", "blurnoise", true},
  };
  return all;
}

/// SpEED gives no score to planes of so few blocks that their covariance has no inverse.
const std::vector<ParityClip>& larger_clips() {
  static const std::vector<ParityClip> all = {
      {"speed444p8", {162, 165, ChromaFormat::yuv444, 8}, 3},
      {"speed420p10", {486, 323, ChromaFormat::yuv420, 10}, 2},
  };
  return all;
}

/// CAMBI finds no flat areas in the other clips: all their contrasts are 0.
const std::vector<ParityClip>& banded_clips() {
  static const std::vector<ParityClip> all = {
      {"banded420p8", {251, 121, ChromaFormat::yuv420, 8}, 1, "dark", "bands"},
      {"banded400p12", {260, 52, ChromaFormat::yuv400, 12}, 1, "dark", "bands"},
  };
  return all;
}

/// The largest pictures that every extractor has to take, for devices that are asked for them with
/// HIPVMAF_PARITY_8K=1; compared with default options.
const ParityClip& largest_clip(const Descriptor& extractor) {
  static const ParityClip deepest = {"largest16", {8192, 4320, ChromaFormat::yuv420, 16}, 2};
  static const ParityClip shallower = {"largest12", {8192, 4320, ChromaFormat::yuv420, 12}, 2};
  return extractor.maximum_bit_depth < 16 ? shallower : deepest;
}

/// Whether a clip is worth its time: the emulator takes large ones with default options, and with
/// others only for extractors that measure little or nothing of small ones.
bool is_worth_it(const Descriptor& extractor, const OptionTexts& texts, const ParityClip& clip) {
  if (!clip.is_large || gpu_platform() != "emulated" || texts.entries().empty()) return true;
  return extractor.minimum_height > 64 || extractor.name == "ssimulacra2";
}

std::vector<const ParityClip*> clips_of(const Descriptor& extractor, const OptionTexts& texts) {
  std::vector<const ParityClip*> chosen;
  const char* const large = std::getenv("HIPVMAF_PARITY_8K");
  if (large != nullptr && std::string_view(large) == "1") {
    if (texts.entries().empty()) chosen.push_back(&largest_clip(extractor));
    return chosen;
  }
  for (const ParityClip& clip : clips()) {
    if (is_worth_it(extractor, texts, clip)) chosen.push_back(&clip);
  }
  if (extractor.name.starts_with("speed_")) {
    for (const ParityClip& clip : larger_clips()) chosen.push_back(&clip);
  }
  if (extractor.name == "cambi") {
    for (const ParityClip& clip : banded_clips()) chosen.push_back(&clip);
  }
  return chosen;
}

/// The picture with bits above its depth set in a third of the samples; `step` varies them.
Picture with_higher_bits(const Picture& picture, int step) {
  const PictureFormat& format = picture.format();
  PictureBuffer changed(format);
  for (int p = 0; p < format.plane_count(); ++p) {
    const auto from = picture.plane<std::uint16_t>(p);
    const auto to = changed.plane<std::uint16_t>(p);
    for (int y = 0; y < from.height; ++y) {
      for (int x = 0; x < from.width; ++x) {
        const int higher = (x + y) % 3 == 0 ? step * x + y : 0;
        to.row(y)[x] = static_cast<std::uint16_t>(from.row(y)[x] | higher << format.bit_depth);
      }
    }
  }
  return std::move(changed).finish();
}

const std::vector<PicturePair>& frames_of(const ParityClip& clip) {
  static std::map<std::string, std::vector<PicturePair>> made;
  std::vector<PicturePair>& frames = made[clip.name];
  if (frames.empty()) {
    const ClipSpec spec{clip.name, clip.content, clip.distortion, 11, clip.format, clip.frames, 0};
    for (int i = 0; i < clip.frames; ++i) {
      PicturePair pair = make_frame(spec, i);
      if (clip.leaves_depth) {
        pair = {with_higher_bits(pair.reference, 5), with_higher_bits(pair.distorted, 7)};
      }
      frames.push_back(pair);
    }
  }
  return frames;
}

/// The distinct option sets of an extractor's golden figures.
std::vector<OptionTexts> variants_of(const Descriptor& extractor) {
  std::set<std::string> seen;
  std::vector<OptionTexts> variants;
  std::vector<fs::path> files;
  const fs::path folder = fs::path(HIPVMAF_TEST_DATA) / "golden" / extractor.name;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const nlohmann::json golden = nlohmann::json::parse(std::ifstream(file));
    for (const auto& request : golden.at("features")) {
      if (request.at("extractor") != extractor.name) continue;
      if (request.at("options").contains("heatmaps_path")) continue;  // files, not scores
      if (!seen.insert(request.at("options").dump()).second) continue;
      OptionTexts texts;
      for (const auto& [name, text] : request.at("options").items()) {
        texts.set(name, text.get<std::string>());
      }
      variants.push_back(std::move(texts));
    }
  }
  // Default options are always among them.
  if (seen.insert("{}").second) variants.emplace_back();
  return variants;
}

class Parity : public testing::Test {
 public:
  Parity(const Descriptor& extractor, OptionTexts texts, const ParityClip& clip)
      : extractor_(extractor), texts_(std::move(texts)), clip_(clip) {}

  void TestBody() override {
    Count& count = counts[std::string(extractor_.name)];
    const OptionValues options(extractor_.name, extractor_.options, texts_);
    try {
      require_format(extractor_, options, clip_.format);
    } catch (const Error&) {
      ++count.refused;
      return;
    }
    const auto cpu = extractor_.make_cpu_stage(options, clip_.format);
    const auto gpu = extractor_.make_gpu_stage(options, clip_.format);
    const int reach = extractor_.reach == nullptr ? 0 : extractor_.reach(options);
    // What else it reads is not there.
    const PlaneUse planes =
        extractor_.planes == nullptr ? PlaneUse::luma : extractor_.planes(options);
    const PictureUse used =
        extractor_.pictures == nullptr ? PictureUse{} : extractor_.pictures(options);

    const std::vector<PicturePair>& pairs = frames_of(clip_);
    DevicePictures pictures(clip_.format, planes, used, clip_.frames);
    std::vector<FrameWindow::FramePtr> frames;
    for (int i = 0; i < clip_.frames; ++i) {
      const PicturePair& pair = pairs[static_cast<std::size_t>(i)];
      auto frame = std::make_shared<Frame>();
      frame->index = i;
      frame->reference = pair.reference;
      frame->distorted = pair.distorted;
      frames.insert(frames.begin(), frame);
      const auto earlier = std::span<const FrameWindow::FramePtr>(frames).subspan(
          1, static_cast<std::size_t>(std::min(i, reach)));
      std::vector<std::byte> expected(extractor_.raw_bytes);
      cpu->measure_into(FrameWindow(frames[0], earlier), expected.data());

      pictures.require(i, *frames[0], stream_);
      DeviceWindow window;
      for (int d = 0; d <= std::min(i, reach); ++d) window.frame(d) = pictures.frame(i - d);
      window.set_count(std::min(i, reach) + 1);
      compare(expected, measure(*gpu, window, false), i);
      compare(expected, measure(*gpu, window, true), i);
      ++count.frames;
    }
    ++count.variants;
    count.kernels += stream_.kernels();
  }

 private:
  /// Raw scores from the device, handed in kernel by kernel or recorded and replayed.
  std::vector<std::byte> measure(GpuStage& stage, const DeviceWindow& window, bool recorded) {
    const gpu::Buffer<std::byte> raw(static_cast<int>(extractor_.raw_bytes));
    stream_.clear(raw.view());
    if (recorded) {
      stream_.launch(stream_.capture([&] { stage.enqueue(stream_, window, raw.view().data); }));
    } else {
      stage.enqueue(stream_, window, raw.view().data);
    }
    std::vector<std::byte> downloaded(extractor_.raw_bytes);
    stream_.download(downloaded.data(), raw.view().readable());
    stream_.synchronize();
    return downloaded;
  }

  void compare(const std::vector<std::byte>& expected, const std::vector<std::byte>& actual,
               int frame) {
    const double difference = raw_difference(extractor_, expected, actual);
    Count& count = counts[std::string(extractor_.name)];
    count.largest_difference = std::max(count.largest_difference, difference);
    EXPECT_LE(difference, raw_tolerance(extractor_)) << "frame " << frame;
  }

  const Descriptor& extractor_;
  OptionTexts texts_;
  const ParityClip& clip_;
  gpu::Stream stream_;
};

/// Extractors that have no GPU stage by intention.
constexpr std::array<std::string_view, 1> kCpuOnly = {"float_ansnr"};

/// Every extractor of the registry was compared, and did work on the GPU.
class Complete : public testing::Test {
 public:
  void TestBody() override {
    int compared = 0;
    for (const Descriptor* extractor : registry()) {
      if (std::ranges::find(kCpuOnly, extractor->name) != kCpuOnly.end()) {
        std::cout << fmt::format("parity: {} runs on the CPU only\n", extractor->name);
        continue;
      }
      EXPECT_NE(extractor->make_gpu_stage, nullptr) << extractor->name << " has no GPU stage";
      const Count& count = counts[std::string(extractor->name)];
      EXPECT_GT(count.frames, 0) << extractor->name << " was not compared";
      EXPECT_GT(count.kernels, 0) << extractor->name << " launched no kernel";
      std::cout << fmt::format(
          "parity: {}: {} variants x clips, {} frames, {} kernels, largest difference {:.3g}; {} "
          "formats refused\n",
          extractor->name, count.variants, count.frames, count.kernels, count.largest_difference,
          count.refused);
      ++compared;
    }
    std::cout << fmt::format("parity: {} of {} extractors compared with their CPU stages\n",
                             compared, registry().size());
  }
};

void register_tests() {
  for (const Descriptor* extractor : registry()) {
    if (extractor->make_gpu_stage == nullptr) continue;
    const std::string suite(extractor->name);
    const std::vector<OptionTexts> variants = variants_of(*extractor);
    for (std::size_t v = 0; v < variants.size(); ++v) {
      for (const ParityClip* clip : clips_of(*extractor, variants[v])) {
        if (clip->leaves_depth && v > 0) continue;  // options make no difference to that
        testing::RegisterTest(suite.c_str(), fmt::format("{}_{}", clip->name, v).c_str(), nullptr,
                              nullptr, __FILE__, __LINE__, [=]() -> testing::Test* {
                                return new Parity(*extractor, variants[v], *clip);
                              });
      }
    }
  }
  testing::RegisterTest("zz", "Complete", nullptr, nullptr, __FILE__, __LINE__,
                        []() -> testing::Test* { return new Complete; });
}

}  // namespace
}  // namespace hipvmaf::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  hipvmaf::test::register_tests();
  return RUN_ALL_TESTS();
}
