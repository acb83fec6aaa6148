#include "features/motion/motion.hpp"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

#include <hipvmaf/error.hpp>

#include "support/clip_generator.hpp"

namespace hipvmaf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

OptionValues options_of(const OptionTexts& texts) {
  return {motion_descriptor.name, motion_descriptor.options, texts};
}

OptionValues options_of(std::initializer_list<OptionTexts::Entry> entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, text);
  return options_of(texts);
}

FrameWindow window_of(const std::vector<Picture>& references, std::size_t index) {
  const auto frame = [&](std::size_t i) {
    return std::make_shared<const Frame>(
        Frame{static_cast<std::int64_t>(i), references[i], Picture()});
  };
  std::vector<FrameWindow::FramePtr> earlier;
  for (std::size_t i = index; i > 0 && earlier.size() < kMaxReach; --i)
    earlier.push_back(frame(i - 1));
  return {frame(index), earlier};
}

// Raw sums of all frames. The frames have no distorted picture.
std::vector<std::uint64_t> measure(const std::vector<Picture>& references,
                                   const OptionValues& options) {
  const auto stage = motion::make_cpu_stage(options, references[0].format());
  std::vector<std::uint64_t> sums;
  for (std::size_t i = 0; i < references.size(); ++i) {
    MotionRaw raw{};
    stage->measure_into(window_of(references, i), &raw);
    sums.push_back(raw.sad);
  }
  return sums;
}

// ---- Pixel stage ----

std::vector<std::uint64_t> measure_clip(std::string_view name) {
  const test::ClipSpec& clip = test::standard_clip(name);
  std::vector<Picture> references;
  for (int i = 0; i < clip.frames; ++i) references.push_back(test::make_frame(clip, i).reference);
  return measure(references, options_of({}));
}

TEST(MotionPixels, SumsOfTheStandardClips) {
  EXPECT_THAT(measure_clip("cif8"),
              ElementsAre(0, 209661641, 210885772, 209096904, 209315768, 210353896, 209619228,
                          207370754, 207658680, 205784208));
  EXPECT_THAT(measure_clip("cut8"), ElementsAre(0, 218388712, 217959414, 214985538, 752880762,
                                                216014160, 213406277, 208072140));
  EXPECT_THAT(measure_clip("sd10"), ElementsAre(0, 261730660, 260810451, 260984865, 261519656));
  EXPECT_THAT(measure_clip("oddsize"), ElementsAre(0, 217349296, 215501751, 216442053));
  EXPECT_THAT(measure_clip("small444"), ElementsAre(0, 79323922, 81062860, 81486730));
  EXPECT_THAT(measure_clip("noise16"), ElementsAre(0, 77377559, 76372345, 77673210));
  EXPECT_THAT(measure_clip("same8"), ElementsAre(0, 216988047, 217822783));
  EXPECT_THAT(measure_clip("flat8"), ElementsAre(0, 0, 0));
}

using Samples = std::vector<int>;

template <class Sample>
void fill(const PictureBuffer& buffer, const Samples& samples) {
  const PlaneView<Sample> plane = buffer.plane<Sample>(0);
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; ++x)
      plane.row(y)[x] = static_cast<Sample>(samples[static_cast<std::size_t>(y * plane.width + x)]);
  }
}

Picture picture_of(const PictureFormat& format, const Samples& samples) {
  PictureBuffer buffer(format);
  format.bit_depth == 8 ? fill<std::uint8_t>(buffer, samples)
                        : fill<std::uint16_t>(buffer, samples);
  return std::move(buffer).finish();
}

std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) {
  return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

int reflected(int k, int size) {
  while (k < 0 || k >= size) k = k < 0 ? -k : 2 * size - 2 - k;
  return k;
}

// The definition, term by term in 64 bits.
std::uint64_t direct_sum(const PictureFormat& format, const Samples& earlier,
                         const Samples& current) {
  constexpr std::array<std::int64_t, 5> taps{3571, 16004, 26386, 16004, 3571};
  const int w = format.width;
  const int h = format.height;
  const std::int64_t levels = std::int64_t{1} << format.bit_depth;
  const auto vertical = [&](int x, int y) {
    std::int64_t sum = levels / 2;
    for (int k = -2; k <= 2; ++k) {
      const auto at = static_cast<std::size_t>(reflected(y + k, h) * w + x);
      sum += taps[static_cast<std::size_t>(k + 2)] * (earlier[at] - current[at]);
    }
    return floor_divide(sum, levels);
  };
  std::uint64_t total = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      std::int64_t sum = 32768;
      for (int k = -2; k <= 2; ++k)
        sum += taps[static_cast<std::size_t>(k + 2)] * vertical(reflected(x + k, w), y);
      total += static_cast<std::uint64_t>(std::abs(floor_divide(sum, 65536)));
    }
  }
  return total;
}

class MotionDepths : public ::testing::TestWithParam<int> {
 protected:
  // Three frames of samples from 0 to peak: noise, its ends only, or slow changes of small values.
  std::vector<Samples> random_frames(const PictureFormat& format) {
    const int peak = (1 << format.bit_depth) - 1;
    const int kind = std::uniform_int_distribution(0, 3)(random_);
    std::vector<Samples> frames(3, Samples(static_cast<std::size_t>(format.width * format.height)));
    for (Samples& samples : frames) {
      for (int& sample : samples) {
        const int value = std::uniform_int_distribution(0, peak)(random_);
        sample = kind == 0 ? value : kind == 1 ? value % 3 : value > peak / 2 ? peak : 0;
      }
      if (kind == 3) std::ranges::fill(samples, &samples == &frames[1] ? peak : 0);
    }
    return frames;
  }

  void expect_direct_sums(int width, int height) {
    const PictureFormat format{width, height, ChromaFormat::yuv400, GetParam()};
    const std::vector<Samples> frames = random_frames(format);
    std::vector<Picture> pictures;
    for (const Samples& samples : frames) pictures.push_back(picture_of(format, samples));
    EXPECT_THAT(measure(pictures, options_of({})),
                ElementsAre(0, direct_sum(format, frames[0], frames[1]),
                            direct_sum(format, frames[1], frames[2])))
        << format.describe();
    EXPECT_THAT(measure(pictures, options_of({{"motion_five_frame_window", "true"}})),
                ElementsAre(0, 0, direct_sum(format, frames[0], frames[2])))
        << format.describe();
  }

  std::mt19937 random_{static_cast<unsigned>(GetParam())};
};

TEST_P(MotionDepths, BordersOfTheSmallestPictures) {
  for (int height = 3; height <= 6; ++height) {
    for (int width = 3; width <= 6; ++width) {
      for (int repeat = 0; repeat < 4; ++repeat) expect_direct_sums(width, height);
    }
  }
}

TEST_P(MotionDepths, EveryVectorRemainder) {
  for (int width = 7; width <= 70; ++width) expect_direct_sums(width, 7);
  expect_direct_sums(331, 11);
}

INSTANTIATE_TEST_SUITE_P(All, MotionDepths, ::testing::Range(8, 17));

TEST(MotionPixels, DependsOnTheOrderOfTheFrames) {
  // A bright row of 32 adds exactly half a unit to the rows beside it: 2000.5 becomes 2001, but
  // -2000.5 becomes -2000.
  const PictureFormat format{3, 5, ChromaFormat::yuv400, 8};
  const Samples black(15, 0);
  Samples line = black;
  std::fill_n(line.begin() + 6, 3, 32);
  const auto sum = [&](const Samples& earlier, const Samples& current) {
    return measure({picture_of(format, earlier), picture_of(format, current)}, options_of({}))[1];
  };
  EXPECT_EQ(sum(line, black), direct_sum(format, line, black));
  EXPECT_EQ(sum(line, black), sum(black, line) + 6);
}

TEST(MotionPixels, ReadsWrappedMemoryByItsStrides) {
  const PictureFormat format{37, 9, ChromaFormat::yuv400, 10};
  const auto count = static_cast<std::size_t>(format.width * format.height);
  std::mt19937 random(1);
  std::vector<Samples> frames(2, Samples(count));
  std::vector<std::vector<std::uint16_t>> memory;
  std::vector<Picture> pictures;
  for (const int stride : {37, 101}) {  // the other frame's rows lie elsewhere
    Samples& samples = frames[memory.size()];
    std::vector<std::uint16_t>& rows =
        memory.emplace_back(static_cast<std::size_t>(stride * (format.height - 1) + format.width),
                            std::uint16_t{0xFFFF});
    for (int y = 0; y < format.height; ++y) {
      for (int x = 0; x < format.width; ++x) {
        const auto value = static_cast<std::uint16_t>(random() % 1024);
        samples[static_cast<std::size_t>(y * format.width + x)] = value;
        rows[static_cast<std::size_t>(y * stride + x)] = value;
      }
    }
    const Picture::Plane plane{rows.data(), stride * 2};
    pictures.push_back(Picture::wrap(format, {&plane, 1}, {}));
  }
  EXPECT_THAT(measure(pictures, options_of({})),
              ElementsAre(0, direct_sum(format, frames[0], frames[1])));
}

TEST(MotionPixels, SurvivesSamplesAboveTheNominalDepth) {
  std::mt19937 random(2);
  for (int bits = 9; bits <= 15; ++bits) {
    const PictureFormat format{40, 8, ChromaFormat::yuv400, bits};
    std::vector<Picture> pictures;
    for (int i = 0; i < 2; ++i) {
      Samples samples(320);
      for (int& sample : samples) sample = random() % 2 == 0 ? 0 : 0xFFFF;
      pictures.push_back(picture_of(format, samples));
    }
    EXPECT_EQ(measure(pictures, options_of({})), measure(pictures, options_of({})));
  }
}

TEST(MotionPixels, ForceZeroReadsNothing) {
  const OptionValues options = options_of({{"motion_force_zero", "true"}});
  const auto stage = motion::make_cpu_stage(options, {64, 64, ChromaFormat::yuv420, 8});
  MotionRaw raw{1};
  stage->measure_into(window_of({Picture(), Picture()}, 1), &raw);
  EXPECT_EQ(raw.sad, 0U);
}

TEST(MotionReach, IsWhatThePixelStageReads) {
  EXPECT_EQ(motion_descriptor.reach(options_of({})), 1);
  EXPECT_EQ(motion_descriptor.reach(options_of({{"motion_five_frame_window", "true"}})), 2);
  EXPECT_EQ(motion_descriptor.reach(
                options_of({{"motion_five_frame_window", "true"}, {"motion_force_zero", "true"}})),
            0);
}

// ---- Scalar stage ----

class RecordingSink final : public ScoreSink {
 public:
  void emit(int feature, std::int64_t frame, double value) override {
    const bool fresh = values_[feature].emplace(frame, value).second;
    EXPECT_TRUE(fresh) << "feature " << feature << " twice on frame " << frame;
  }
  void aggregate(std::string_view name, double) override { ADD_FAILURE() << name; }

  /// Values so far, which have to be those of frames 0, 1, 2...
  std::vector<double> of(int feature) {
    std::vector<double> values;
    for (const auto& [frame, value] : values_[feature]) {
      EXPECT_EQ(frame, static_cast<std::int64_t>(values.size()));
      values.push_back(value);
    }
    return values;
  }

 private:
  std::map<int, std::map<std::int64_t, double>> values_;
};

// A 16x16 picture with this sum has the motion score 1.
constexpr std::uint64_t kUnit = 256 * 256;

class ScalarRun {
 public:
  explicit ScalarRun(std::initializer_list<OptionTexts::Entry> options = {})
      : stage_(motion::make_scalar_stage(options_of(options), {16, 16, ChromaFormat::yuv420, 8})) {}

  ScalarRun& push(double score) {
    const MotionRaw raw{static_cast<std::uint64_t>(score * static_cast<double>(kUnit))};
    stage_->push_raw(frame_++, &raw, sink_);
    return *this;
  }
  ScalarRun& push_all(std::initializer_list<double> scores) {
    for (const double score : scores) push(score);
    return *this;
  }
  ScalarRun& finish() {
    stage_->finish(sink_);
    return *this;
  }
  std::vector<double> of(int feature) { return sink_.of(feature); }
  std::vector<double> sad() { return of(motion::kSad); }
  std::vector<double> motion2() { return of(motion::kMotion2); }
  std::vector<double> motion3() { return of(motion::kMotion3); }

 private:
  RecordingSink sink_;
  std::unique_ptr<ScalarStage> stage_;
  std::int64_t frame_ = 0;
};

// The raw score of a stream's first frames is not looked at.
constexpr double kIgnored = 99;

TEST(MotionScores, EachIsOutAsSoonAsItIsFinal) {
  ScalarRun run;
  run.push(kIgnored);
  EXPECT_THAT(run.sad(), ElementsAre(0));
  EXPECT_THAT(run.motion2(), ElementsAre(0));
  EXPECT_THAT(run.motion3(), IsEmpty());
  run.push(3);
  EXPECT_THAT(run.sad(), ElementsAre(0, 3));
  EXPECT_THAT(run.motion2(), ElementsAre(0));
  EXPECT_THAT(run.motion3(), ElementsAre(3));
  run.push(2);
  EXPECT_THAT(run.sad(), ElementsAre(0, 3, 2));
  EXPECT_THAT(run.motion2(), ElementsAre(0, 2));
  EXPECT_THAT(run.motion3(), ElementsAre(3, 2));
  run.push(5);
  EXPECT_THAT(run.motion2(), ElementsAre(0, 2, 2));
  EXPECT_THAT(run.motion3(), ElementsAre(3, 2, 2));
  run.finish();
  EXPECT_THAT(run.sad(), ElementsAre(0, 3, 2, 5));
  EXPECT_EQ(run.of(motion::kMotion), run.sad());
  EXPECT_THAT(run.motion2(), ElementsAre(0, 2, 2, 5));
  EXPECT_THAT(run.motion3(), ElementsAre(3, 2, 2, 5));
}

TEST(MotionScores, EachIsOutAsSoonAsItIsFinalWithFiveFrames) {
  ScalarRun run({{"motion_five_frame_window", "true"}});
  run.push(kIgnored).push(kIgnored);
  EXPECT_THAT(run.sad(), ElementsAre(0, 0));
  EXPECT_THAT(run.motion2(), ElementsAre(0, 0));
  EXPECT_THAT(run.motion3(), IsEmpty());
  run.push(3);
  EXPECT_THAT(run.motion2(), ElementsAre(0, 0));
  EXPECT_THAT(run.motion3(), ElementsAre(3, 3));
  run.push(8);  // frame 2 has no left neighbour
  EXPECT_THAT(run.motion2(), ElementsAre(0, 0, 8));
  run.push(7);  // frame 3: min of 3 and 7
  EXPECT_THAT(run.motion2(), ElementsAre(0, 0, 8, 3));
  run.push(9);  // frame 4: min of 8 and 9
  EXPECT_THAT(run.motion2(), ElementsAre(0, 0, 8, 3, 8));
  run.finish();
  EXPECT_THAT(run.motion2(), ElementsAre(0, 0, 8, 3, 8, 9));
  EXPECT_THAT(run.motion3(), ElementsAre(3, 3, 8, 3, 8, 9));
}

TEST(MotionScores, EmptyStream) {
  ScalarRun run;
  run.finish();
  EXPECT_THAT(run.motion2(), IsEmpty());
  EXPECT_THAT(run.motion3(), IsEmpty());
}

TEST(MotionScores, ShortStreams) {
  ScalarRun one;
  one.push(kIgnored).finish();
  EXPECT_THAT(one.sad(), ElementsAre(0));
  EXPECT_THAT(one.motion2(), ElementsAre(0));
  EXPECT_THAT(one.motion3(), ElementsAre(0));
  ScalarRun two;
  two.push_all({kIgnored, 4}).finish();
  EXPECT_THAT(two.motion2(), ElementsAre(0, 4));
  EXPECT_THAT(two.motion3(), ElementsAre(4, 4));
  ScalarRun three;
  three.push_all({kIgnored, 4, 6}).finish();
  EXPECT_THAT(three.motion2(), ElementsAre(0, 4, 6));
  EXPECT_THAT(three.motion3(), ElementsAre(4, 4, 6));
}

TEST(MotionScores, ShortStreamsWithFiveFrames) {
  const OptionTexts::Entry five{"motion_five_frame_window", "true"};
  ScalarRun one({five});
  one.push(kIgnored).finish();
  EXPECT_THAT(one.motion2(), ElementsAre(0));
  EXPECT_THAT(one.motion3(), ElementsAre(0));
  ScalarRun two({five});
  two.push_all({kIgnored, kIgnored}).finish();
  EXPECT_THAT(two.sad(), ElementsAre(0, 0));
  EXPECT_THAT(two.motion2(), ElementsAre(0, 0));
  EXPECT_THAT(two.motion3(), ElementsAre(0, 0));
  ScalarRun three({five});
  three.push_all({kIgnored, kIgnored, 4}).finish();
  EXPECT_THAT(three.motion2(), ElementsAre(0, 0, 4));
  EXPECT_THAT(three.motion3(), ElementsAre(4, 4, 4));
  ScalarRun four({five});
  four.push_all({kIgnored, kIgnored, 4, 6}).finish();
  EXPECT_THAT(four.motion2(), ElementsAre(0, 0, 6, 6));
  EXPECT_THAT(four.motion3(), ElementsAre(4, 4, 6, 6));
}

TEST(MotionScores, AverageTakesTheUnaveragedScoreBefore) {
  ScalarRun run({{"motion_moving_average", "true"}});
  run.push_all({kIgnored, 8, 4, 16}).finish();
  EXPECT_THAT(run.motion2(), ElementsAre(0, 4, 4, 16));
  EXPECT_THAT(run.motion3(), ElementsAre(8, 6, 4, 10));
  ScalarRun five({{"motion_moving_average", "true"}, {"motion_five_frame_window", "true"}});
  five.push_all({kIgnored, kIgnored, 8, 4, 16}).finish();
  EXPECT_THAT(five.motion2(), ElementsAre(0, 0, 4, 8, 16));
  EXPECT_THAT(five.motion3(), ElementsAre(8, 8, 6, 6, 12));
}

TEST(MotionScores, BlendAppliesToMotion3Only) {
  ScalarRun run({{"motion_blend_factor", "0.25"}, {"motion_blend_offset", "8"}});
  run.push_all({kIgnored, 16, 12, 4}).finish();
  EXPECT_THAT(run.sad(), ElementsAre(0, 16, 12, 4));
  EXPECT_THAT(run.motion2(), ElementsAre(0, 12, 4, 4));
  EXPECT_THAT(run.motion3(), ElementsAre(10, 9, 4, 4));  // 0.25 m + 0.75 min(8, m)
}

TEST(MotionScores, WeightComesBeforeTheLimit) {
  ScalarRun run({{"motion_fps_weight", "1.5"}, {"motion_max_val", "9"}});
  run.push_all({kIgnored, 4, 8, 2}).finish();
  EXPECT_THAT(run.sad(), ElementsAre(0, 6, 9, 3));
  EXPECT_THAT(run.motion2(), ElementsAre(0, 6, 3, 3));
  EXPECT_THAT(run.motion3(), ElementsAre(6, 6, 3, 3));
}

TEST(MotionScores, ASceneCutIsNoMotion) {
  ScalarRun run;
  run.push_all({kIgnored, 2, 3, 50, 4, 5}).finish();
  EXPECT_THAT(run.motion2(), ElementsAre(0, 2, 3, 4, 4, 5));
}

TEST(MotionScores, RoundedLikeTheDefinition) {
  const auto stage = motion::make_scalar_stage(options_of({{"motion_fps_weight", "2.5"}}),
                                               {353, 289, ChromaFormat::yuv420, 8});
  RecordingSink sink;
  for (std::int64_t i = 0; i < 2; ++i) {
    const MotionRaw raw{217349296};
    stage->push_raw(i, &raw, sink);
  }
  EXPECT_EQ(sink.of(motion::kSad)[1], (217349296.0 / 256.0) / (353.0 * 289.0) * 2.5);
}

// ---- Refusals ----

TEST(MotionFormat, NeedsThreeRowsAndColumns) {
  const OptionValues options = options_of({});
  EXPECT_NO_THROW(require_format(motion_descriptor, options, {3, 3, ChromaFormat::yuv400, 16}));
  for (const auto& [width, height] : {std::pair{2, 3}, {3, 2}, {1, 1}}) {
    try {
      require_format(motion_descriptor, options, {width, height, ChromaFormat::yuv420, 8});
      ADD_FAILURE() << width << "x" << height;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
      EXPECT_THAT(error.what(), ::testing::HasSubstr("extractor motion needs pictures of at least "
                                                     "3x3"));
    }
  }
}

TEST(MotionOptions, RefusesWhatIsOutOfRange) {
  for (const auto& [name, text] : std::vector<OptionTexts::Entry>{{"motion_blend_factor", "1.1"},
                                                                  {"motion_blend_offset", "1001"},
                                                                  {"motion_fps_weight", "5.5"},
                                                                  {"motion_max_val", "10001"},
                                                                  {"motion_max_val", "nan"},
                                                                  {"motion_force_zero", "1"}}) {
    EXPECT_THROW(options_of({{name, text}}), Error) << name << "=" << text;
  }
}

}  // namespace
}  // namespace hipvmaf
