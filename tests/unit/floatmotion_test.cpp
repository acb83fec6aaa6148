#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "features/motion/float_motion.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

OptionValues options_of(const Session::Options& entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, text);
  return {float_motion_descriptor.name, float_motion_descriptor.options, texts};
}

// ---- The definition, sample by sample ----

struct Plane {
  int width;
  int height;
  std::vector<float> samples;

  [[nodiscard]] float at(int x, int y) const {
    return samples[static_cast<std::size_t>(y * width + x)];
  }
};

template <class Value>
Plane make_plane(int width, int height, Value value) {
  Plane plane{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) plane.samples.push_back(value(x, y));
  }
  return plane;
}

int reflected(int k, int size) {
  while (k < 0 || k >= size) k = k < 0 ? -k : 2 * size - 2 - k;
  return k;
}

Plane blurred(const Plane& plane, int filter_size) {
  std::vector<float> taps{0.054488685F, 0.244201342F, 0.402619947F, 0.244201342F, 0.054488685F};
  if (filter_size == 1) return plane;
  if (filter_size == 3) taps = {0.166378498F, 0.667243004F, 0.166378498F};
  const int radius = static_cast<int>(taps.size()) / 2;
  const auto sum = [&](auto sample) {
    float total = 0;
    for (int k = -radius; k <= radius; ++k)
      total += taps[static_cast<std::size_t>(k + radius)] * sample(k);
    return total;
  };
  const Plane vertical = make_plane(plane.width, plane.height, [&](int x, int y) {
    return sum([&](int k) { return plane.at(x, reflected(y + k, plane.height)); });
  });
  return make_plane(plane.width, plane.height, [&](int x, int y) {
    return sum([&](int k) { return vertical.at(reflected(x + k, plane.width), y); });
  });
}

Plane halved(const Plane& plane) {
  const int width = static_cast<int>(std::floor(0.5 * plane.width + 0.5));
  const int height = static_cast<int>(std::floor(0.5 * plane.height + 0.5));
  const auto position = [](int index, int size, int halved_size) {
    const float ratio = static_cast<float>(size) / static_cast<float>(halved_size);
    return static_cast<float>((index + 0.5) * static_cast<double>(ratio) - 0.5);
  };
  return make_plane(width, height, [&](int x, int y) {
    const float px = position(x, plane.width, width);
    const float py = position(y, plane.height, height);
    const int x1 = static_cast<int>(std::floor(px));
    const int x2 = static_cast<int>(std::ceil(px));
    const int y1 = static_cast<int>(std::floor(py));
    const int y2 = static_cast<int>(std::ceil(py));
    const float dx = px - static_cast<float>(x1);
    const float dy = py - static_cast<float>(y1);
    float sum = ((1 - dy) * (1 - dx)) * plane.at(x1, y1);
    sum += ((1 - dy) * dx) * plane.at(x2, y1);
    sum += (dy * (1 - dx)) * plane.at(x1, y2);
    sum += (dy * dx) * plane.at(x2, y2);
    return sum;
  });
}

float mean_difference(const Plane& a, const Plane& b) {
  float total = 0;
  for (int y = 0; y < a.height; ++y) {
    float row = 0;
    for (int x = 0; x < a.width; ++x) row += std::fabs(a.at(x, y) - b.at(x, y));
    total += row;
  }
  return total / static_cast<float>(a.width * a.height);
}

template <class Sample>
Plane scored_plane(const Picture& picture, int p) {
  const PictureFormat& format = picture.format();
  const bool narrow =
      p > 0 && (format.chroma == ChromaFormat::yuv420 || format.chroma == ChromaFormat::yuv422);
  const bool low = p > 0 && format.chroma == ChromaFormat::yuv420;
  const auto samples = picture.plane<Sample>(p);
  return make_plane(narrow ? format.width / 2 : format.width,
                    low ? format.height / 2 : format.height, [&](int x, int y) {
                      return static_cast<float>(samples.row(y)[x]) /
                                 static_cast<float>(1 << (format.bit_depth - 8)) -
                             128.0F;
                    });
}

double direct_distance(const Picture& earlier, const Picture& current, int filter_size, bool scale1,
                       bool chroma) {
  const auto plane = [&](const Picture& picture, int p) {
    return blurred(picture.format().bit_depth == 8 ? scored_plane<std::uint8_t>(picture, p)
                                                   : scored_plane<std::uint16_t>(picture, p),
                   filter_size);
  };
  double sum = 0;
  for (int p = 0; p < (chroma ? 3 : 1); ++p) {
    const Plane a = plane(earlier, p);
    const Plane b = plane(current, p);
    float distance = mean_difference(a, b);
    if (scale1) distance += mean_difference(halved(a), halved(b));
    sum += static_cast<double>(distance);
  }
  return sum;
}

// ---- Pixels ----

template <class Sample>
void fill(const PictureBuffer& buffer, int mask, std::mt19937& random) {
  for (int p = 0; p < buffer.format().plane_count(); ++p) {
    const auto plane = buffer.plane<Sample>(p);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x)
        plane.row(y)[x] = static_cast<Sample>(random() & static_cast<unsigned>(mask));
    }
  }
}

Picture random_picture(const PictureFormat& format, std::mt19937& random, int mask = 0) {
  PictureBuffer buffer(format);
  if (mask == 0) mask = (1 << format.bit_depth) - 1;
  format.bit_depth == 8 ? fill<std::uint8_t>(buffer, mask, random)
                        : fill<std::uint16_t>(buffer, mask, random);
  return std::move(buffer).finish();
}

class Sink final : public ScoreSink {
 public:
  void emit(int feature, std::int64_t frame, double value) override {
    EXPECT_EQ(frame, static_cast<std::int64_t>(values[feature].size()));
    values[feature].push_back(value);
  }
  void aggregate(std::string_view name, double) override { ADD_FAILURE() << name; }
  std::vector<double> values[3];
};

// Runs both stages over reference pictures.
Sink run(const std::vector<Picture>& references, const OptionValues& options) {
  const PictureFormat& format = references[0].format();
  const auto pixels = float_motion_descriptor.make_cpu_stage(options, format);
  const auto scores = float_motion_descriptor.make_scalar_stage(options, format);
  Sink sink;
  std::vector<FrameWindow::FramePtr> earlier;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const auto frame = std::make_shared<const Frame>(Frame{index, references[i], Picture(), {}});
    FloatMotionRaw raw{};
    pixels->measure_into({frame, earlier}, &raw);
    scores->push_raw(index, &raw, sink);
    earlier = {frame};
  }
  scores->finish(sink);
  return sink;
}

class FloatMotionFormats : public ::testing::TestWithParam<ChromaFormat> {
 protected:
  void expect_direct(int width, int height, int bits, int filter_size, bool scale1, bool chroma) {
    const PictureFormat format{width, height, GetParam(), bits};
    const std::vector<Picture> pictures{random_picture(format, random_),
                                        random_picture(format, random_)};
    Session::Options options{{"motion_filter_size", std::to_string(filter_size)}};
    if (scale1) options.emplace_back("motion_add_scale1", "true");
    if (chroma) options.emplace_back("motion_add_uv", "true");
    const double distance = direct_distance(pictures[0], pictures[1], filter_size, scale1, chroma);
    Sink sink = run(pictures, options_of(options));
    EXPECT_THAT(sink.values[float_motion::kMotion], ElementsAre(0, distance))
        << format.describe() << " filter " << filter_size << (scale1 ? " scale1" : "")
        << (chroma ? " uv" : "");
    EXPECT_THAT(sink.values[float_motion::kMotion2], ElementsAre(0, distance));
    EXPECT_THAT(sink.values[float_motion::kMotion3], ElementsAre(distance, distance));
  }

  std::mt19937 random_{7};
};

TEST_P(FloatMotionFormats, AreAsDefined) {
  int bits = 8;
  for (const int filter_size : {0, 1, 2, 3, 4, 5, 9}) {
    for (const bool scale1 : {false, true}) {
      for (const bool chroma : {false, true}) {
        if (chroma && GetParam() == ChromaFormat::yuv400) continue;
        bits = bits == 16 ? 8 : bits + 1;
        for (const auto& [width, height] : {std::pair{6, 6}, {7, 9}, {9, 7}, {33, 18}, {64, 17}})
          expect_direct(width, height, bits, filter_size, scale1, chroma);
      }
    }
  }
}

TEST_P(FloatMotionFormats, BordersOfTheSmallestPictures) {
  for (int height = 3; height <= 5; ++height) {
    for (int width = 3; width <= 5; ++width) {
      expect_direct(width, height, 8, 5, true, false);
      expect_direct(width, height, 10, 3, true, false);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FloatMotionFormats,
                         ::testing::Values(ChromaFormat::yuv400, ChromaFormat::yuv420,
                                           ChromaFormat::yuv422, ChromaFormat::yuv444));

TEST(FloatMotionPixels, SurviveSamplesAboveTheNominalDepth) {
  std::mt19937 random(1);
  const PictureFormat format{24, 8, ChromaFormat::yuv420, 10};
  const std::vector<Picture> pictures{random_picture(format, random, 0xFFFF),
                                      random_picture(format, random, 0xFFFF)};
  const Sink sink = run(pictures, options_of({{"motion_add_uv", "true"}}));
  EXPECT_TRUE(std::isfinite(sink.values[float_motion::kMotion2][1]));
}

TEST(FloatMotionPixels, ForceZeroReadsNothing) {
  const OptionValues options = options_of({{"motion_force_zero", "true"}});
  EXPECT_EQ(float_motion_descriptor.reach(options), 0);
  EXPECT_EQ(float_motion_descriptor.reach(options_of({})), 1);
  const auto stage = float_motion_descriptor.make_cpu_stage(options, {64, 64});
  const auto frame = std::make_shared<const Frame>();
  FloatMotionRaw raw{{1, 1, 1}, {1, 1, 1}};
  stage->measure_into({frame, {}}, &raw);
  EXPECT_THAT(raw.full, ElementsAre(0, 0, 0));
  EXPECT_THAT(raw.halved, ElementsAre(0, 0, 0));
}

// ---- Scores ----

// Scores of frames with these distances in a 16x16 picture, which are exact.
Sink score(const std::vector<float>& distances, const Session::Options& options) {
  const auto stage = float_motion_descriptor.make_scalar_stage(options_of(options), {16, 16});
  Sink sink;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const FloatMotionRaw raw{{i == 0 ? 0 : distances[i] * 256, 0, 0}, {}};
    stage->push_raw(static_cast<std::int64_t>(i), &raw, sink);
  }
  stage->finish(sink);
  return sink;
}

TEST(FloatMotionScores, ShortStreams) {
  const Sink one = score({0}, {});
  for (const auto& values : one.values) EXPECT_THAT(values, ElementsAre(0));
  const Sink two = score({0, 4}, {});
  EXPECT_THAT(two.values[float_motion::kMotion], ElementsAre(0, 4));
  EXPECT_THAT(two.values[float_motion::kMotion2], ElementsAre(0, 4));
  EXPECT_THAT(two.values[float_motion::kMotion3], ElementsAre(4, 4));
  const Sink three = score({0, 4, 3}, {});
  EXPECT_THAT(three.values[float_motion::kMotion], ElementsAre(0, 4, 3));
  EXPECT_THAT(three.values[float_motion::kMotion2], ElementsAre(0, 3, 3));
  EXPECT_THAT(three.values[float_motion::kMotion3], ElementsAre(4, 3, 3));
}

TEST(FloatMotionScores, WeightComesBeforeTheLimitAndTheBlend) {
  const Sink limited = score({0, 4, 8, 2}, {{"motion_fps_weight", "1.5"}, {"motion_max_val", "9"}});
  EXPECT_THAT(limited.values[float_motion::kMotion], ElementsAre(0, 6, 9, 3));
  EXPECT_THAT(limited.values[float_motion::kMotion2], ElementsAre(0, 6, 3, 3));
  const Sink blended =
      score({0, 16, 12, 4}, {{"motion_blend_factor", "0.25"}, {"motion_blend_offset", "8"}});
  EXPECT_THAT(blended.values[float_motion::kMotion2], ElementsAre(0, 12, 4, 4));
  EXPECT_THAT(blended.values[float_motion::kMotion3], ElementsAre(10, 9, 4, 4));
}

// ---- Session ----

std::vector<std::string> columns(const Session::Options& options) {
  Session session({});
  session.add_feature("float_motion", options);
  const auto pair = test::make_frame(test::standard_clip("same8"), 0);
  session.submit(pair.reference, pair.distorted);
  session.finish();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < session.scores().column_count(); ++i)
    names.push_back(session.scores().printed_name(i));
  return names;
}

TEST(FloatMotionSession, ColumnsComeInTheOrderOfTheirFirstValues) {
  EXPECT_THAT(columns({}), ElementsAre("motion2", "motion", "motion3"));
  EXPECT_THAT(columns({{"debug", "false"}}), ElementsAre("motion2", "motion3"));
  EXPECT_THAT(columns({{"motion_force_zero", "true"}}),
              ElementsAre("motion2_force_0", "motion3_force_0", "motion_force_0"));
  EXPECT_THAT(columns({{"motion_add_uv", "true"}, {"motion_filter_size", "3"}}),
              ElementsAre("motion2_mau_mfs_3", "motion_mau_mfs_3", "motion3_mau_mfs_3"));
}

std::vector<std::optional<double>> scores_with(int threads) {
  Session session({.threads = threads});
  const Session::Options all{{"motion_add_uv", "true"}, {"motion_add_scale1", "true"}};
  session.add_feature("float_motion");
  session.add_feature("float_motion", all);
  session.add_feature("float_motion", {{"motion_fps_weight", "0.5"}});
  const test::ClipSpec& clip = test::standard_clip("small444");
  for (int i = 0; i < 12; ++i) {
    const auto pair = test::make_frame(clip, i);
    session.submit(pair.reference, pair.distorted);
  }
  session.finish();
  std::vector<std::optional<double>> values;
  for (std::size_t column = 0; column < session.scores().column_count(); ++column) {
    for (std::int64_t frame = 0; frame < 12; ++frame)
      values.push_back(session.scores().get(column, frame));
  }
  return values;
}

TEST(FloatMotionSession, ThreadsChangeNothing) { EXPECT_EQ(scores_with(1), scores_with(5)); }

// ---- What is refused ----

std::string refusal(const Session::Options& options, const PictureFormat& format) {
  try {
    require_format(float_motion_descriptor, options_of(options), format);
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
    return error.what();
  }
}

TEST(FloatMotionFormat, ChromaIsNeededWhereItIsMeasured) {
  const Session::Options chroma{{"motion_add_uv", "true"}};
  EXPECT_EQ(refusal({}, {64, 64, ChromaFormat::yuv400}), "");
  EXPECT_THAT(refusal(chroma, {64, 64, ChromaFormat::yuv400}), HasSubstr("motion_add_uv"));
  EXPECT_EQ(refusal(chroma, {6, 6, ChromaFormat::yuv420}), "");
  EXPECT_EQ(refusal(chroma, {3, 3, ChromaFormat::yuv444}), "");
  EXPECT_THAT(refusal(chroma, {5, 6, ChromaFormat::yuv420}), HasSubstr("3x3"));
  EXPECT_THAT(refusal(chroma, {6, 5, ChromaFormat::yuv420}), HasSubstr("3x3"));
  EXPECT_EQ(refusal(chroma, {6, 5, ChromaFormat::yuv422}), "");
}

TEST(FloatMotionFormat, HalvedPicturesHaveALargestWidth) {
  const Session::Options scale1{{"motion_add_scale1", "true"}};
  EXPECT_EQ(refusal(scale1, {15360, 16}), "");
  EXPECT_THAT(refusal(scale1, {15361, 16}), HasSubstr("15360"));
  EXPECT_EQ(refusal({}, {15361, 16}), "");
}

}  // namespace
}  // namespace hipvmaf
