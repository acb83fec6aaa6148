#include "features/vif/vif.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "features/vif/vif_tables.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf {
namespace {

using test::PicturePair;

OptionValues options_of(const std::vector<OptionTexts::Entry>& entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, text);
  return {"vif", vif_descriptor.options, texts};
}

VifRaw measure(const PicturePair& pair, const OptionValues& options = options_of({})) {
  const auto stage = vif_descriptor.make_cpu_stage(options, pair.reference.format());
  auto frame = std::make_shared<Frame>();
  frame->reference = pair.reference;
  frame->distorted = pair.distorted;
  VifRaw raw;
  stage->measure_into(FrameWindow(frame, {}), &raw);
  return raw;
}

// ---- Logarithms ----

TEST(VifLogTable, HasThePublishedContent) {
  const auto table = vif::log_table();
  EXPECT_EQ(table.front(), 30720);
  EXPECT_EQ(table.back(), 32768);
  EXPECT_TRUE(std::ranges::is_sorted(table));
  EXPECT_EQ(std::accumulate(table.begin(), table.end(), 0ULL), 1044032097ULL);
  constexpr std::uint64_t kPrime = 1099511628211;
  std::uint64_t fnv1a = 14695981039346656037ULL;
  for (const std::uint16_t entry : table) {
    fnv1a = (fnv1a ^ (entry & 0xFFU)) * kPrime;
    fnv1a = (fnv1a ^ (entry >> 8U)) * kPrime;
  }
  EXPECT_EQ(fnv1a, 0xd6509fd850265c09ULL);
}

// The entries where rounding to binary32 first makes a difference.
TEST(VifLogTable, RoundsTwice) {
  std::vector<std::size_t> differing;
  const auto table = vif::log_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double once = std::round(2048 * std::log2(static_cast<double>(i + 32768)));
    if (table[i] != once) {
      EXPECT_EQ(table[i], once + 1);
      differing.push_back(i + 32768);
    }
  }
  EXPECT_THAT(differing, ::testing::ElementsAre(
                             33108, 33209, 34457, 34492, 34844, 35764, 36399, 37398, 38620, 39319,
                             43418, 44159, 45494, 45772, 45834, 46443, 48961, 50887, 51146, 51633,
                             53104, 53266, 53519, 54765, 55081, 56230, 56727, 58087, 58146, 59985,
                             60168, 61340, 61966, 62134, 62408, 64360, 64469, 64841));
}

TEST(VifLogarithm, TakesTheFirstSixteenBits) {
  const std::uint16_t* table = vif::log_table().data();
  const auto log2 = [&](double v) { return vif::fixed_log2(vif::log_key(v), table); };
  EXPECT_EQ(log2(32768), 30720U);
  EXPECT_EQ(log2(65535), 32768U);
  EXPECT_EQ(log2(vif::kNoise), 17U * 2048);
  EXPECT_EQ(log2(2147483648.0), 31U * 2048);
  EXPECT_EQ(log2(33108.0 * 1024 + 1023), log2(33108.0 * 1024));
  EXPECT_EQ(log2(33108.0 * 1024), table[33108 - 32768] + 10U * 2048);
}

// ---- Filters ----

TEST(VifFilters, SumToOne) {
  for (const vif::Filter& filter : vif::kFilters) {
    int sum = filter.taps[0];
    for (int k = 1; k <= filter.radius; ++k) sum += 2 * filter.taps[k];
    EXPECT_EQ(sum, 65536);
  }
}

TEST(VifFilters, MirrorTheBorderWithoutRepeatingIt) {
  EXPECT_EQ(vif::mirrored(-1, 16), 1);
  EXPECT_EQ(vif::mirrored(-8, 16), 8);
  EXPECT_EQ(vif::mirrored(0, 16), 0);
  EXPECT_EQ(vif::mirrored(15, 16), 15);
  EXPECT_EQ(vif::mirrored(16, 16), 14);
  EXPECT_EQ(vif::mirrored(23, 16), 7);
}

// ---- Pixels ----

TEST(VifInformation, CountsNothingWithoutTexture) {
  const auto flat = vif::information(vif::kNoise - 1, 500000, 500000, 100);
  EXPECT_TRUE(vif::is_flat(vif::kNoise - 1));
  EXPECT_FALSE(vif::is_flat(vif::kNoise));
  EXPECT_EQ(flat.available, vif::kNoise);
  EXPECT_EQ(flat.kept, flat.noise);
}

TEST(VifInformation, KeepsNothingOfAnInvertedPicture) {
  const auto inverted = vif::information(500000, 500000, -500000, 100);
  EXPECT_EQ(inverted.available, vif::kNoise + 500000);
  EXPECT_EQ(inverted.kept, inverted.noise);
}

TEST(VifInformation, LosesAUnitEvenOfIdenticalPictures) {
  const auto same = vif::information(500000, 500000, 500000, 100);
  EXPECT_EQ(same.available, vif::kNoise + 500000);
  EXPECT_EQ(same.noise, vif::kNoise);
  EXPECT_EQ(same.kept, vif::kNoise + 499999);
}

TEST(VifInformation, LimitsTheGainButNotWhatIsLeftAsNoise) {
  const auto free = vif::information(200000, 800000, 400000, 100);
  const auto limited = vif::information(200000, 800000, 400000, 1);
  EXPECT_EQ(free.noise, limited.noise);
  EXPECT_EQ(free.kept - free.noise, 799999);
  EXPECT_EQ(limited.kept - limited.noise, 200000);
}

// ---- Sums of generated clips ----

struct Checkpoint {
  const char* clip;
  std::size_t scale;
  VifSums sums;
};

constexpr Checkpoint kCheckpoints[] = {
    {"cif8", 0, {933235732, 1184278818, 16318839, 35}},
    {"cif8", 1, {235699485, 260425127, 1586251, 5}},
    {"cif8", 2, {59692439, 62916048, 0, 0}},
    {"cif8", 3, {15500583, 16085641, 0, 0}},
    {"oddsize", 0, {1148497245, 1194666432, 3567553, 28}},
    {"oddsize", 1, {260394159, 259502803, 209939, 5}},
    {"oddsize", 2, {62655893, 62506737, 0, 0}},
    {"oddsize", 3, {15961623, 15937666, 0, 0}},
    {"sd10", 0, {1442328375, 1498453873, 1155981, 8}},
    {"sd10", 1, {326802351, 327065009, 0, 0}},
    {"sd10", 2, {77799048, 77813947, 210545, 2}},
    {"sd10", 3, {19650304, 19652479, 126193, 1}},
    {"same8", 0, {1184432124, 1184432183, 0, 0}},
    {"same8", 1, {258921822, 258921838, 442186, 5}},
    {"noise16", 0, {5321700, 322595366, 0, 0}},
    {"noise16", 3, {1369339, 1433374, 40695, 1}},
};

TEST(VifSums, AreTheKnownOnes) {
  for (const Checkpoint& point : kCheckpoints) {
    const VifRaw raw = measure(test::make_frame(test::standard_clip(point.clip), 0));
    const VifSums& sums = raw.sums[0][point.scale];
    SCOPED_TRACE(std::string(point.clip) + " scale " + std::to_string(point.scale));
    EXPECT_EQ(sums.kept_log2, point.sums.kept_log2);
    EXPECT_EQ(sums.available_log2, point.sums.available_log2);
    EXPECT_EQ(sums.flat_variance, point.sums.flat_variance);
    EXPECT_EQ(sums.flat_pixels, point.sums.flat_pixels);
  }
}

TEST(VifSums, SkippingScale0LeavesTheOthers) {
  const PicturePair pair = test::make_frame(test::standard_clip("mono8"), 1);
  VifRaw whole = measure(pair);
  const VifRaw skipped = measure(pair, options_of({{"vif_skip_scale0", "true"}}));
  EXPECT_EQ(skipped.sums[0][0], VifSums{});
  whole.sums[0][0] = {};
  EXPECT_EQ(skipped, whole);
}

// ---- What must not matter ----

test::ClipSpec small_clip(int width, int height, ChromaFormat chroma, int bits) {
  return {.name = "small",
          .content = "texture",
          .distortion = "blurnoise",
          .seed = 77,
          .format = {width, height, chroma, bits},
          .frames = 1};
}

// The same samples in memory of another layout: the rows spread, with `filler` between and around.
template <class Sample>
Picture spread(const Picture& picture, std::ptrdiff_t extra, Sample filler) {
  const PictureFormat& format = picture.format();
  std::array<Picture::Plane, 3> planes;
  auto memory = std::make_shared<std::array<std::vector<Sample>, 3>>();
  for (int p = 0; p < format.plane_count(); ++p) {
    const auto from = picture.plane<Sample>(p);
    const std::ptrdiff_t stride = from.width + extra;
    std::vector<Sample>& to = (*memory)[static_cast<std::size_t>(p)];
    to.assign(static_cast<std::size_t>(stride * (from.height + 2)), filler);
    Sample* first = to.data() + stride + 1;
    for (int y = 0; y < from.height; ++y) std::copy_n(from.row(y), from.width, first + y * stride);
    planes[static_cast<std::size_t>(p)] = {first,
                                           stride * static_cast<std::ptrdiff_t>(sizeof(Sample))};
  }
  return Picture::wrap(format, planes, [memory] {});
}

template <class Sample>
void expect_layout_is_irrelevant(const PicturePair& pair) {
  const auto options = options_of({{"enable_chroma", "true"}});
  const VifRaw expected = measure(pair, options);
  const PicturePair apart{spread<Sample>(pair.reference, 1, 0),
                          spread<Sample>(pair.distorted, 37, static_cast<Sample>(-1))};
  EXPECT_EQ(measure(apart, options), expected) << pair.reference.format().describe();
}

TEST(VifSums, DoNotDependOnTheMemoryLayout) {
  for (const auto& [width, height] : {std::pair{32, 32}, {33, 47}, {64, 35}, {71, 90}, {100, 33}}) {
    expect_layout_is_irrelevant<std::uint8_t>(
        test::make_frame(small_clip(width, height, ChromaFormat::yuv420, 8), 0));
    expect_layout_is_irrelevant<std::uint16_t>(
        test::make_frame(small_clip(width, height, ChromaFormat::yuv444, 11), 0));
  }
}

TEST(VifSums, OfLumaDoNotDependOnTheChromaFormat) {
  const VifRaw expected = measure(test::make_frame(small_clip(50, 41, ChromaFormat::yuv400, 8), 0));
  for (const auto chroma : {ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444})
    EXPECT_EQ(measure(test::make_frame(small_clip(50, 41, chroma, 8), 0)), expected);
}

TEST(VifSums, DoNotDependOnWhatWasMeasuredBefore) {
  const auto options = options_of({{"enable_chroma", "true"}});
  const PictureFormat format{48, 40, ChromaFormat::yuv420, 10};
  const auto stage = vif_descriptor.make_cpu_stage(options, format);
  test::ClipSpec clip = small_clip(48, 40, ChromaFormat::yuv420, 10);
  VifRaw again;
  for (const int index : {0, 1, 0}) {
    const PicturePair pair = test::make_frame(clip, index);
    auto frame = std::make_shared<Frame>(Frame{index, pair.reference, pair.distorted});
    stage->measure_into(FrameWindow(frame, {}), &again);
    EXPECT_EQ(again, measure(pair, options)) << index;
  }
}

// Sums of deeper samples equal those of 8-bit ones where the samples are the same picture.
TEST(VifSums, DoNotDependOnTheDepthOfTheSamePicture) {
  const PicturePair pair = test::make_frame(small_clip(61, 45, ChromaFormat::yuv400, 8), 0);
  const VifRaw expected = measure(pair);
  for (int bits = 9; bits <= 16; ++bits) {
    const auto deepen = [&](const Picture& picture) {
      PictureBuffer buffer({61, 45, ChromaFormat::yuv400, bits});
      const auto from = picture.plane<std::uint8_t>(0);
      const auto to = buffer.plane<std::uint16_t>(0);
      for (int y = 0; y < from.height; ++y) {
        for (int x = 0; x < from.width; ++x)
          to.row(y)[x] = static_cast<std::uint16_t>(from.row(y)[x] << (bits - 8));
      }
      return std::move(buffer).finish();
    };
    EXPECT_EQ(measure({deepen(pair.reference), deepen(pair.distorted)}), expected) << bits;
  }
}

// Samples above the nominal depth have no meaning, but must do no harm either.
TEST(VifSums, SurviveSamplesAboveTheNominalDepth) {
  for (const int bits : {9, 10, 12}) {
    const PictureFormat format{40, 24, ChromaFormat::yuv400, bits};
    const auto fill = [&](unsigned seed) {
      PictureBuffer buffer(format);
      const auto plane = buffer.plane<std::uint16_t>(0);
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x) {
          seed = seed * 1664525U + 1013904223U;
          plane.row(y)[x] = static_cast<std::uint16_t>(seed >> 16U);
        }
      }
      return std::move(buffer).finish();
    };
    const Picture wild = fill(1);
    EXPECT_EQ(measure({wild, fill(2)}), measure({wild, fill(2)}));
    EXPECT_EQ(measure({wild, wild}), measure({wild, wild}));
  }
}

// ---- Refusals ----

void expect_refused(const std::vector<OptionTexts::Entry>& entries, const PictureFormat& format,
                    const char* text) {
  try {
    require_format(vif_descriptor, options_of(entries), format);
    FAIL() << format.describe() << " is taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
    EXPECT_THAT(error.what(), ::testing::HasSubstr(text));
  }
}

TEST(VifFormat, Needs16x16) {
  expect_refused({}, {15, 64, ChromaFormat::yuv420, 8}, "at least 16x16");
  expect_refused({}, {64, 15, ChromaFormat::yuv400, 10}, "at least 16x16");
  EXPECT_NO_THROW(
      require_format(vif_descriptor, options_of({}), {16, 16, ChromaFormat::yuv420, 8}));
}

TEST(VifFormat, Needs16x16ForChromaToo) {
  const std::vector<OptionTexts::Entry> chroma{{"enable_chroma", "true"}};
  expect_refused(chroma, {33, 31, ChromaFormat::yuv420, 8}, "chroma planes of at least 16x16");
  expect_refused(chroma, {31, 64, ChromaFormat::yuv422, 8}, "chroma planes of at least 16x16");
  for (const PictureFormat& format : {PictureFormat{33, 32, ChromaFormat::yuv420, 8},
                                      {32, 16, ChromaFormat::yuv422, 8},
                                      {16, 16, ChromaFormat::yuv444, 8},
                                      {16, 16, ChromaFormat::yuv400, 8}}) {
    EXPECT_NO_THROW(require_format(vif_descriptor, options_of(chroma), format));
  }
}

}  // namespace
}  // namespace hipvmaf
