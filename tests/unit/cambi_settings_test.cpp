// Tables of the banding detector, what options mean for a picture, and what is refused.
#include "features/cambi/cambi_settings.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"
#include "features/cambi/cambi.hpp"
#include "features/cambi/cambi_contrast.hpp"
#include "features/cambi/cambi_preprocess.hpp"
#include "features/cambi/cambi_visibility.hpp"

namespace hipvmaf::cambi {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

OptionValues options_of(const std::vector<OptionTexts::Entry>& entries) {
  OptionTexts texts;
  for (const auto& [name, text] : entries) texts.set(name, normalise_option_text(text));
  return {"cambi", kOptions, texts};
}

PictureFormat format_of(int width, int height, int bit_depth = 8) {
  return {width, height, ChromaFormat::yuv420, bit_depth};
}

Settings settings_of(const std::vector<OptionTexts::Entry>& entries, const PictureFormat& format) {
  return effective_settings(options_of(entries), format);
}

// ---- Visibility ----

std::vector<int> padded(std::vector<int> levels) {
  levels.resize(kMostSteps, 1023);
  return levels;
}

TEST(CambiVisibility, HasThePublishedLimits) {
  EXPECT_THAT(highest_visible_levels(Eotf::bt1886, 0.019, kMostSteps),
              ElementsAreArray(padded({178, 305, 432, 559, 686, 813})));
  EXPECT_THAT(highest_visible_levels(Eotf::bt1886, 0.05, kMostSteps),
              ElementsAreArray(padded({100, 149, 197, 246, 295, 344, 392, 441, 490, 538, 587, 636,
                                       684, 733, 782, 830, 879})));
  EXPECT_THAT(
      highest_visible_levels(Eotf::bt1886, 0.5, kMostSteps),
      ElementsAre(0, 0, 68, 73, 79, 84, 89, 95, 100, 106, 111, 117, 122, 127, 133, 138, 144, 149,
                  155, 160, 165, 171, 176, 182, 187, 193, 198, 204, 209, 214, 220, 225));
  EXPECT_THAT(highest_visible_levels(Eotf::pq, 0.019, kMostSteps), ElementsAreArray(padded({233})));
  EXPECT_THAT(highest_visible_levels(Eotf::pq, 0.05, kMostSteps),
              ElementsAreArray(padded({110, 179, 277, 433})));
  EXPECT_THAT(
      highest_visible_levels(Eotf::pq, 0.5, kMostSteps),
      ElementsAre(67, 72, 76, 81, 87, 92, 98, 105, 111, 118, 125, 133, 140, 149, 157, 166, 175, 185,
                  195, 206, 217, 228, 240, 253, 267, 281, 296, 312, 329, 348, 367, 389));
}

// The list of steps that count at a level begins somewhere and has no gaps.
TEST(CambiVisibility, GrowsWithTheStep) {
  for (const Eotf eotf : {Eotf::bt1886, Eotf::pq}) {
    for (double threshold = 0.0001; threshold <= 1; threshold *= 1.05) {
      EXPECT_TRUE(std::ranges::is_sorted(highest_visible_levels(eotf, threshold, kMostSteps)))
          << threshold;
    }
  }
}

TEST(CambiVisibility, HasThePublishedDarkLevels) {
  const std::map<double, int> bt1886{{0, 0},     {0.01, 65}, {0.02, 69}, {0.05, 76},
                                     {0.06, 78}, {0.1, 84},  {1, 135},   {10, 268},
                                     {100, 614}, {299, 939}, {300, 940}};
  for (const auto& [threshold, level] : bt1886)
    EXPECT_EQ(lowest_bright_level(Eotf::bt1886, threshold), level) << threshold;
  const std::map<double, int> pq{{0, 0},      {0.01, 83}, {0.02, 91}, {0.05, 105},
                                 {0.06, 108}, {0.1, 119}, {1, 196},   {10, 327},
                                 {100, 510},  {299, 609}, {300, 609}};
  for (const auto& [threshold, level] : pq)
    EXPECT_EQ(lowest_bright_level(Eotf::pq, threshold), level) << threshold;
}

// Recomputes from the definition which steps count, and that what they look at has an index.
TEST(CambiVisibility, ListsTheStepsThatCount) {
  for (const int steps : {1, 4, 32}) {
    for (const double luminance_threshold : {0.0, 0.06, 10.0, 100.0}) {
      const auto highest = highest_visible_levels(Eotf::bt1886, 0.019, steps);
      const int bright = lowest_bright_level(Eotf::bt1886, luminance_threshold);
      const auto visible = visible_steps(Eotf::bt1886, 0.019, luminance_threshold, steps);
      EXPECT_EQ(visible.first_step.size(), static_cast<std::size_t>(visible.level_count));
      for (int level = 0; level <= 1024; ++level) {
        const int index = level - visible.first_level;
        const bool has_index = index >= 0 && index < visible.level_count;
        for (int step = 1; step <= steps; ++step) {
          const bool counts =
              level <= highest[static_cast<std::size_t>(step - 1)] && level + steps + step > bright;
          const bool listed =
              has_index && step >= visible.first_step[static_cast<std::size_t>(index)];
          ASSERT_EQ(listed, counts) << level << " " << step;
          if (counts) {
            ASSERT_GE(index - step, 0);
            ASSERT_LT(index + step, visible.level_count);
          }
        }
      }
    }
  }
}

TEST(CambiVisibility, IsEmptyWhereOnlyBrightBandingCouldBeSeen) {
  EXPECT_EQ(visible_steps(Eotf::bt1886, 0.5, 300, 1).level_count, 0);
}

// ---- Tables ----

TEST(CambiReciprocals, DifferFromExactOnesInThePublishedPlaces) {
  const auto table = reciprocal_table(70226);
  std::vector<int> above;
  std::vector<int> below;
  for (int i = 1; i < kPublishedReciprocals; ++i) {
    const float exact = 1.0F / static_cast<float>(i);
    const float entry = table[static_cast<std::size_t>(i)];
    if (entry == exact) continue;
    EXPECT_EQ(entry, std::nextafter(exact, entry > exact ? 1.0F : 0.0F));
    (entry > exact ? above : below).push_back(i);
  }
  EXPECT_THAT(above, ElementsAre(82, 83, 244, 488, 564, 614, 664, 1419, 1699, 1906, 2443, 2740,
                                 3812, 4130));
  EXPECT_THAT(below, ElementsAre(504, 510, 528, 749, 760, 892, 2040, 2071, 2112, 2223, 2555, 2927,
                                 3285, 3515, 3525, 3705, 3795, 3797, 3837, 3885, 4033, 4080, 4091,
                                 4095, 4142, 4203, 4218, 4224));
  EXPECT_EQ(table[0], 0.0F);
  EXPECT_EQ(table[1], 1.0F);
}

TEST(CambiReciprocals, AreCorrectlyRoundedBeyondThePublishedOnes) {
  const auto table = reciprocal_table(70226);
  for (std::size_t i = kPublishedReciprocals; i < table.size(); ++i) {
    ASSERT_EQ(table[i], static_cast<float>(1.0L / static_cast<long double>(i))) << i;
  }
}

TEST(CambiResizing, StepsInSinglePrecision) {
  EXPECT_THAT(nearest_samples(8, 4), ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(nearest_samples(3, 6), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(nearest_samples(5, 3), ElementsAre(0, 2, 4));
}

TEST(CambiResizing, StaysInsideThePicture) {
  for (const auto& [from, to] : {std::pair{2048, 5921}, {3840, 5993}, {7680, 5993}}) {
    const auto samples = nearest_samples(from, to);
    EXPECT_EQ(samples.back(), from - 1);
    EXPECT_TRUE(std::ranges::is_sorted(samples));
  }
}

// ---- Settings ----

TEST(CambiSettings, FollowThePicture) {
  const Settings settings = settings_of({}, format_of(353, 289));
  EXPECT_EQ(settings.distorted.size, (Size{353, 289}));
  EXPECT_EQ(settings.reference.size, (Size{353, 289}));
  EXPECT_TRUE(settings.smooths_dither);
  EXPECT_FALSE(settings_of({}, format_of(353, 289, 10)).smooths_dither);
  EXPECT_FALSE(settings_of({{"enc_bitdepth", "10"}}, format_of(353, 289)).smooths_dither);
  EXPECT_TRUE(settings_of({{"enc_bitdepth", "8"}}, format_of(353, 289, 12)).smooths_dither);
}

TEST(CambiSettings, TakeSizesInPairs) {
  const PictureFormat format = format_of(640, 360);
  const Size picture{640, 360};
  EXPECT_EQ(settings_of({{"enc_width", "320"}}, format).distorted.size, picture);
  EXPECT_EQ(settings_of({{"src_height", "240"}}, format).reference.size, picture);
  const std::vector<OptionTexts::Entry> smaller{{"enc_width", "320"}, {"enc_height", "240"}};
  EXPECT_EQ(settings_of(smaller, format).distorted.size, (Size{320, 240}));
  const std::vector<OptionTexts::Entry> larger{{"enc_width", "320"}, {"enc_height", "361"}};
  EXPECT_EQ(settings_of(larger, format).distorted.size, picture);
  const std::vector<OptionTexts::Entry> source{{"src_width", "1280"}, {"src_height", "720"}};
  EXPECT_EQ(settings_of(source, format).reference.size, (Size{1280, 720}));
}

TEST(CambiSettings, HaveThePublishedWindows) {
  const auto side = [](int width, int height, const std::string& speedup) {
    return window_side(settings_of({{"cambi_high_res_speedup", speedup}}, format_of(width, height))
                           .distorted.radius);
  };
  EXPECT_EQ(side(352, 288, "1080"), 7);
  EXPECT_EQ(side(640, 360, "0"), 11);
  EXPECT_EQ(side(1280, 720, "1080"), 21);
  EXPECT_EQ(side(1920, 1080, "0"), 33);
  EXPECT_EQ(side(1920, 1080, "1080"), 17);
  EXPECT_EQ(side(1920, 1080, "1440"), 33);
  EXPECT_EQ(side(2560, 1440, "1440"), 23);
  EXPECT_EQ(side(2560, 1440, "2160"), 43);
  EXPECT_EQ(side(3840, 2160, "777"), 65);
  EXPECT_EQ(side(3840, 2160, "2160"), 33);
  EXPECT_EQ(side(8192, 4320, "0"), 135);
  EXPECT_EQ(side(8192, 4320, "2160"), 69);
}

TEST(CambiSettings, PreferOneSpellingToTheOther) {
  const PictureFormat format = format_of(640, 360);
  const auto share = [&](const char* topk, const char* cambi_topk) {
    return settings_of({{"topk", topk}, {"cambi_topk", cambi_topk}}, format).pooled_share;
  };
  EXPECT_EQ(share("0.6", "0.3"), 0.3);
  EXPECT_EQ(share("0.2", "0.3"), 0.2);
  const auto winner = [&](const char* eotf, const char* cambi_eotf) {
    return settings_of({{"eotf", eotf}, {"cambi_eotf", cambi_eotf}}, format).eotf;
  };
  EXPECT_EQ(winner("pq", "bt1886"), Eotf::pq);
  EXPECT_EQ(winner("bt1886", "pq"), Eotf::pq);
  EXPECT_EQ(winner("bt1886", "bt1886"), Eotf::bt1886);
}

TEST(CambiSettings, HalveRoundingUp) {
  EXPECT_EQ(size_at_scale({353, 289}, false, 0), (Size{353, 289}));
  EXPECT_EQ(size_at_scale({353, 289}, false, 4), (Size{23, 19}));
  EXPECT_EQ(size_at_scale({1920, 1080}, true, 4), (Size{60, 34}));
}

TEST(CambiSettings, PoolAtLeastOnePixel) {
  EXPECT_EQ(pooled_count(0.6, {352, 288}), 60825U);
  EXPECT_EQ(pooled_count(0.0001, {22, 18}), 1U);
  EXPECT_EQ(pooled_count(1, {22, 18}), 396U);
}

// ---- Names ----

std::string name_of(const std::vector<OptionTexts::Entry>& entries) {
  return printed_name(kFeatures[kCambi], options_of(entries).name_suffix());
}

TEST(CambiNames, HoldWhatWasGiven) {
  EXPECT_EQ(name_of({}), "cambi");
  EXPECT_EQ(name_of({{"full_ref", "true"},
                     {"heatmaps_path", "folder"},
                     {"window_size", "65"},
                     {"topk", "0.6"},
                     {"eotf", "bt1886"}}),
            "cambi");
  EXPECT_EQ(name_of({{"enc_width", "352"}, {"enc_height", "288"}}), "cambi_ench_288_encw_352");
  EXPECT_EQ(name_of({{"cambi_high_res_speedup", "1080"},
                     {"cambi_vis_lum_threshold", "0.06"},
                     {"cambi_max_val", "17"},
                     {"enc_width", "1280"},
                     {"enc_height", "720"},
                     {"enc_bitdepth", "8"}}),
            "cambi_hrs_1080_cmxv_17_vlt_0.06_encbd_8_ench_720_encw_1280");
  EXPECT_EQ(name_of({{"topk", "0.12345678"},
                     {"cambi_max_val", "17.0"},
                     {"tvi_threshold", "0.0190"},
                     {"window_size", "065"},
                     {"enc_bitdepth", "8"},
                     {"cambi_vis_lum_threshold", "6e-2"}}),
            "cambi_cmxv_17_vlt_0.06_encbd_8_topk_0.123457");
}

// ---- Refusals ----

TEST(CambiOptions, CannotBeTurnedOffExplicitly) {
  for (const char* name : {"enc_width", "enc_height", "enc_bitdepth", "src_width", "src_height"})
    EXPECT_THROW(options_of({{name, "0"}}), Error) << name;
}

TEST(CambiOptions, KnowTwoTransferFunctions) {
  for (const char* name : {"eotf", "cambi_eotf"}) {
    EXPECT_NO_THROW(check_options(options_of({{name, "pq"}})));
    try {
      check_options(options_of({{name, "srgb"}}));
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_option);
      EXPECT_THAT(error.what(), HasSubstr(std::string("option ") + name));
      EXPECT_THAT(error.what(), HasSubstr("\"srgb\" is not bt1886 or pq"));
    }
  }
}

void expect_refused(const std::vector<OptionTexts::Entry>& entries, const PictureFormat& format,
                    const char* text) {
  try {
    require_format(cambi_descriptor, options_of(entries), format);
    FAIL() << format.describe() << " is taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported_format);
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(CambiFormat, NeedsOneLongSide) {
  expect_refused({}, format_of(215, 215),
                 "at least 216, the distorted video is measured at 215x215");
  expect_refused({{"enc_width", "200"}, {"enc_height", "200"}}, format_of(640, 360),
                 "distorted video is measured at 200x200");
  for (const PictureFormat& format : {format_of(216, 1), format_of(1, 216), format_of(8192, 4320),
                                      format_of(kMaxPictureSide, kMaxPictureSide, 16)}) {
    EXPECT_NO_THROW(require_format(cambi_descriptor, options_of({}), format)) << format.describe();
  }
}

TEST(CambiFormat, NeedsSizesThatFitEachOther) {
  const PictureFormat format = format_of(640, 360);
  expect_refused({{"src_width", "700"}, {"src_height", "300"}}, format,
                 "the distorted video at 640x360 and the reference at 700x300");
  expect_refused({{"src_width", "600"}, {"src_height", "400"}}, format, "at least as wide");
  for (const auto& [width, height] :
       {std::pair{"640", "300"}, {"700", "360"}, {"700", "400"}, {"320", "200"}}) {
    EXPECT_NO_THROW(require_format(
        cambi_descriptor, options_of({{"src_width", width}, {"src_height", height}}), format));
  }
}

}  // namespace
}  // namespace hipvmaf::cambi
