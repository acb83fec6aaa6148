// Compares every registered extractor with its golden figures. The tests are made from the registry
// and the files under golden/<extractor>/, so an extractor without figures fails, and so does a
// file of an unknown one.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <unistd.h>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "features/registry.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const fs::path kGoldenFolder = fs::path(HIPVMAF_TEST_DATA) / "golden";

// Largest relative difference from the golden figure. Extractors that are not named here must be
// equal. float_adm divides exactly where the golden figures were made with an estimate of the
// reciprocal.
const std::map<std::string, double, std::less<>> kTolerance = {{"float_adm", 4e-7}};

std::map<std::string, std::int64_t> compared_figures;

// Sanitizers make the largest clips take minutes and find in them nothing that smaller ones do not
// have.
#ifdef HIPVMAF_SANITIZED
constexpr int kWidest = 1279;
#else
constexpr int kWidest = kMaxPictureSide;
#endif
int left_out = 0;

/// HIPVMAF_TEST_BACKEND=hip compares the GPU's figures.
Backend backend() {
  const char* const wanted = std::getenv("HIPVMAF_TEST_BACKEND");
  return wanted != nullptr && std::string_view(wanted) == "hip" ? Backend::hip : Backend::cpu;
}

// A clip, and the pictures whose Cr is set to mid-grey after it is made.
struct GoldenClip {
  ClipSpec spec;
  bool grey_reference_cr = false;
  bool grey_distorted_cr = false;
};

// For 8 bit samples.
Picture with_grey_cr(const Picture& picture) {
  PictureBuffer buffer(picture.format());
  for (int p = 0; p < picture.format().plane_count(); ++p) {
    const auto from = picture.plane<std::uint8_t>(p);
    const auto to = buffer.plane<std::uint8_t>(p);
    for (int y = 0; y < from.height; ++y) {
      if (p == 2) {
        std::fill_n(to.row(y), to.width, std::uint8_t{128});
      } else {
        std::copy_n(from.row(y), from.width, to.row(y));
      }
    }
  }
  return std::move(buffer).finish();
}

PicturePair make_golden_frame(const GoldenClip& clip, int index) {
  PicturePair pair = make_frame(clip.spec, index);
  if (clip.grey_reference_cr) pair.reference = with_grey_cr(pair.reference);
  if (clip.grey_distorted_cr) pair.distorted = with_grey_cr(pair.distorted);
  return pair;
}

// The frames of the latest clips, so that the variants of a clip do not make it anew.
const std::vector<PicturePair>& frames_of(const GoldenClip& golden_clip) {
  constexpr std::size_t kKept = 2;
  static std::list<std::pair<std::string, std::vector<PicturePair>>> cache;
  const ClipSpec& clip = golden_clip.spec;
  const std::string key = fmt::format("{} {} {} {} {} {} {} {}", clip.content, clip.distortion,
                                      clip.seed, clip.format.describe(), clip.frames, clip.cut,
                                      golden_clip.grey_reference_cr, golden_clip.grey_distorted_cr);
  for (const auto& [cached, frames] : cache) {
    if (cached == key) return frames;
  }
  std::vector<PicturePair> frames;
  for (int i = 0; i < clip.frames; ++i) frames.push_back(make_golden_frame(golden_clip, i));
  if (cache.size() == kKept) cache.pop_front();
  cache.emplace_back(key, std::move(frames));
  return cache.back().second;
}

ChromaFormat chroma_of(const std::string& digits) {
  if (digits == "400") return ChromaFormat::yuv400;
  if (digits == "420") return ChromaFormat::yuv420;
  if (digits == "422") return ChromaFormat::yuv422;
  if (digits == "444") return ChromaFormat::yuv444;
  throw std::invalid_argument("chroma format " + digits);
}

// The clip for banding detectors: "dark WIDTH HEIGHT BITS FRAMES".
ClipSpec dark_clip(std::istream& words) {
  ClipSpec clip{.name = "dark", .content = "dark", .distortion = "bands", .format = {}};
  words >> clip.format.width >> clip.format.height >> clip.format.bit_depth >> clip.frames;
  return clip;
}

// A clip that the file itself defines: an object, or the same members as one line of words.
ClipSpec described_clip(const Json& description) {
  ClipSpec clip;
  std::string chroma;
  if (description.is_object()) {
    clip.content = description.at("content");
    clip.distortion = description.at("distortion");
    clip.seed = description.at("seed");
    clip.format.width = description.at("width");
    clip.format.height = description.at("height");
    chroma = description.at("format");
    clip.format.bit_depth = description.at("bits");
    clip.frames = description.at("frames");
    clip.cut = description.at("cut");
  } else {
    std::istringstream words(description.get<std::string>());
    words >> clip.content;
    if (clip.content == "dark") return dark_clip(words);
    words >> clip.distortion >> clip.seed >> clip.format.width >> clip.format.height >> chroma >>
        clip.format.bit_depth >> clip.frames >> clip.cut;
    if (!words) throw std::invalid_argument("clip description " + description.dump());
  }
  clip.format.chroma = chroma_of(chroma);
  return clip;
}

GoldenClip clip_of(const Json& golden) {
  for (const char* key : {"clipgen", "clip_args"}) {
    if (!golden.contains(key)) continue;
    GoldenClip clip{described_clip(golden[key])};
    // What follows the members of a line is in words.
    const std::string text = golden[key].is_string() ? golden[key].get<std::string>() : "";
    clip.grey_distorted_cr =
        text.find("the V plane of both pictures set to 128") != std::string::npos;
    clip.grey_reference_cr =
        clip.grey_distorted_cr ||
        text.find("the V plane of the reference pictures only set to 128") != std::string::npos;
    if (text.find("then") != std::string::npos && !clip.grey_reference_cr)
      throw std::invalid_argument("clip description " + text);
    return clip;
  }
  return {standard_clip(golden.at("clip").get<std::string>())};
}

bool agree(double expected, double actual, double tolerance) {
  if (tolerance == 0) return expected == actual;
  return std::abs(actual - expected) <= tolerance * std::abs(expected);
}

// A folder for heatmaps, gone after the test.
class HeatmapFolder {
 public:
  HeatmapFolder()
      : path_(fs::path(testing::TempDir()) / fmt::format("hipvmaf_heatmaps_{}", ::getpid())) {}
  HeatmapFolder(const HeatmapFolder&) = delete;
  HeatmapFolder& operator=(const HeatmapFolder&) = delete;
  ~HeatmapFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path() const { return path_.string(); }

  // Compares every file with its published size and sum, and that there are no others.
  void compare(const Json& files) const {
    for (const auto& [name, file] : files.items()) {
      const fs::path heatmap = path_ / name;
      ASSERT_TRUE(fs::exists(heatmap)) << name;
      EXPECT_EQ(fs::file_size(heatmap), file.at("bytes").get<std::uintmax_t>()) << name;
      EXPECT_EQ(md5(heatmap), file.at("md5").get<std::string>()) << name;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(path_), fs::directory_iterator()),
              static_cast<std::ptrdiff_t>(files.size()));
  }

 private:
  static std::string md5(const fs::path& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(
        ::popen(fmt::format("md5sum < '{}'", file.string()).c_str(), "r"), ::pclose);
    std::array<char, 33> digits{};
    if (output == nullptr || std::fgets(digits.data(), digits.size(), output.get()) == nullptr)
      return "md5sum does not run";
    return digits.data();
  }

  fs::path path_;
};

class GoldenFile : public testing::Test {
 public:
  GoldenFile(const Descriptor& extractor, fs::path file)
      : extractor_(extractor), file_(std::move(file)) {}

  void TestBody() override {
    if (backend() == Backend::hip && extractor_.make_gpu_stage == nullptr) {
      GTEST_SKIP() << extractor_.name << " runs on the CPU only";
    }
    const Json golden = Json::parse(std::ifstream(file_));
    const GoldenClip clip = clip_of(golden);
    if (clip.spec.format.width > kWidest) {
      ++left_out;
      GTEST_SKIP() << "this build leaves out clips wider than " << kWidest;
    }
    const HeatmapFolder heatmaps;
    Session session({.subsample = golden.value("subsample", 1), .backend = backend()});
    for (const Json& request : golden.at("features")) {
      Session::Options options;
      for (const auto& [name, text] : request.at("options").items())
        options.emplace_back(name,
                             name == "heatmaps_path" ? heatmaps.path() : text.get<std::string>());
      session.add_feature(request.at("extractor").get<std::string>(), options);
    }
    const auto& frames = frames_of(clip);
    if (golden.contains("error") || golden.contains("expect")) {
      EXPECT_THROW(session.submit(frames[0].reference, frames[0].distorted), Error);
      ++compared_figures[std::string(extractor_.name)];
      return;
    }
    const std::size_t count =
        std::min<std::size_t>(frames.size(), golden.value("frame_cnt", frames.size()));
    for (std::size_t i = 0; i < count; ++i)
      session.submit(frames[i].reference, frames[i].distorted);
    session.finish();
    compare(golden, session.scores());
    if (golden.contains("heatmaps")) heatmaps.compare(golden["heatmaps"]);
  }

 private:
  void compare(const Json& golden, const ScoreTable& scores) {
    const Json& frames = golden.at("frames");
    ASSERT_FALSE(frames.empty());
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const std::int64_t frame = golden.contains("frame_index")
                                     ? golden["frame_index"][i].get<std::int64_t>()
                                     : static_cast<std::int64_t>(i) * golden.value("subsample", 1);
      EXPECT_EQ(frames[i].size(), scores.column_count()) << "frame " << frame;
      for (const auto& [name, value] : frames[i].items()) {
        const auto column = scores.find(name);
        ASSERT_TRUE(column) << name;
        compare_figure(name, frame, value, scores.get(*column, frame));
      }
    }
    EXPECT_EQ(scores.frame_end(), last_frame(golden) + 1);
    const Json aggregates = golden.value("aggregate", Json::object());
    for (const auto& [name, value] : aggregates.items()) {
      std::optional<double> actual;
      for (const auto& [aggregate, figure] : scores.aggregates()) {
        if (aggregate == name) actual = figure;
      }
      compare_figure(name, -1, value, actual);
    }
  }

  static std::int64_t last_frame(const Json& golden) {
    if (golden.contains("frame_index")) return golden["frame_index"].back().get<std::int64_t>();
    return (static_cast<std::int64_t>(golden["frames"].size()) - 1) * golden.value("subsample", 1);
  }

  void compare_figure(const std::string& name, std::int64_t frame, const Json& expected,
                      std::optional<double> actual) {
    ++compared_figures[std::string(extractor_.name)];
    ASSERT_TRUE(actual) << name << " of frame " << frame << " is missing";
    if (expected.is_null()) {
      EXPECT_FALSE(std::isfinite(*actual)) << name << " of frame " << frame;
      return;
    }
    const auto tolerance = kTolerance.find(extractor_.name);
    EXPECT_TRUE(agree(expected.get<double>(), *actual,
                      tolerance == kTolerance.end() ? 0.0 : tolerance->second))
        << fmt::format("{} of frame {}: {:.17g}, expected {:.17g}", name, frame, *actual,
                       expected.get<double>());
  }

  const Descriptor& extractor_;
  fs::path file_;
};

class HasGoldens : public testing::Test {
 public:
  explicit HasGoldens(const Descriptor& extractor) : extractor_(extractor) {}
  void TestBody() override {
    EXPECT_TRUE(fs::is_directory(kGoldenFolder / extractor_.name))
        << "extractor " << extractor_.name << " has no golden figures";
  }

 private:
  const Descriptor& extractor_;
};

class PrintCounts : public testing::Environment {
 public:
  void TearDown() override {
    for (const auto& [extractor, count] : compared_figures) {
      std::cout << fmt::format("golden: {} figures of {} compared\n", count, extractor);
    }
    if (left_out > 0) {
      std::cout << fmt::format(
          "golden: {} files left out, of clips wider than {}: this build has sanitizers; the "
          "release "
          "build compares them\n",
          left_out, kWidest);
    }
  }
};

void register_tests() {
  for (const Descriptor* extractor : registry()) {
    const std::string suite(extractor->name);
    testing::RegisterTest(suite.c_str(), "HasGoldens", nullptr, nullptr, __FILE__, __LINE__,
                          [extractor]() -> testing::Test* { return new HasGoldens(*extractor); });
    const fs::path folder = kGoldenFolder / suite;
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      testing::RegisterTest(suite.c_str(), entry.path().stem().c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, [extractor, file = entry.path()]() -> testing::Test* {
                              return new GoldenFile(*extractor, file);
                            });
    }
  }
}

}  // namespace
}  // namespace hipvmaf::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new hipvmaf::test::PrintCounts);
  hipvmaf::test::register_tests();
  return RUN_ALL_TESTS();
}
