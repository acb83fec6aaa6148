// Whether pixel stages read the pictures that their descriptors say, and no others.
#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"
#include "features/registry.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {
namespace {

constexpr PictureFormat kFormat{216, 180, ChromaFormat::yuv444, 8};
constexpr int kFrames = kMaxReach + 1;

/// Default options, and each option by itself at other values.
std::vector<OptionValues> option_sets(const Descriptor& extractor) {
  std::vector<OptionValues> sets{OptionValues(extractor.options)};
  for (const OptionSpec& spec : extractor.options) {
    std::vector<std::string> texts{"true", "false"};
    if (spec.type == OptionType::text) continue;  // names of methods and folders
    if (spec.type != OptionType::boolean) {
      texts = {format_general(spec.minimum, 17), format_general(spec.maximum, 17)};
    }
    for (const std::string& text : texts) {
      OptionTexts one;
      one.set(spec.name, text);
      try {
        OptionValues options(extractor.name, extractor.options, one);
        if (extractor.check_options != nullptr) extractor.check_options(options);
        require_format(extractor, options, kFormat);
        sets.push_back(std::move(options));
      } catch (const Error&) {
        continue;  // needs others beside it, or larger pictures
      }
    }
  }
  return sets;
}

using Raw = std::vector<std::byte>;

/// Raw scores of the last of a few frames from two clips.
Raw measure(const Descriptor& extractor, const OptionValues& options, const ClipSpec& reference,
            const ClipSpec& distorted) {
  std::vector<FrameWindow::FramePtr> newest_first;
  for (int i = 0; i < kFrames; ++i) {
    auto frame = std::make_shared<Frame>();
    frame->index = i;
    frame->reference = make_frame(reference, i).reference;
    frame->distorted = make_frame(distorted, i).distorted;
    newest_first.insert(newest_first.begin(), frame);
  }
  const int reach = extractor.reach == nullptr ? 0 : extractor.reach(options);
  Raw raw(extractor.raw_bytes);
  extractor.make_cpu_stage(options, kFormat)
      ->measure_into(
          FrameWindow(newest_first.front(), std::span<const FrameWindow::FramePtr>(newest_first)
                                                .subspan(1, static_cast<std::size_t>(reach))),
          raw.data());
  return raw;
}

class PicturesOf : public ::testing::TestWithParam<const Descriptor*> {
 protected:
  /// `is_read`: what the descriptor says of one picture; `measure_other`: with another one in its
  /// place. What is not read makes no difference; what is read makes one under some options.
  template <class IsRead, class MeasureOther>
  void expect_truth(const IsRead& is_read, const MeasureOther& measure_other) const {
    bool is_ever_read = false;
    bool makes_difference = false;
    for (const OptionValues& options : option_sets(extractor_)) {
      const PictureUse used =
          extractor_.pictures == nullptr ? PictureUse{} : extractor_.pictures(options);
      const bool differs = measure_other(options) != measure(extractor_, options, kClip, kClip);
      if (is_read(used)) {
        is_ever_read = true;
        makes_difference |= differs;
      } else {
        EXPECT_FALSE(differs) << "is read, with" << options.name_suffix();
      }
    }
    EXPECT_EQ(makes_difference, is_ever_read);
  }

  const Descriptor& extractor_ = *GetParam();
  const ClipSpec kClip{"clip", "texture", "blurnoise", 5, kFormat, kFrames, 0};
  const ClipSpec kOther{"other", "dark", "bands", 6, kFormat, kFrames, 0};
};

TEST_P(PicturesOf, References) {
  expect_truth(
      [](const PictureUse& used) { return used.reference; },
      [&](const OptionValues& options) { return measure(extractor_, options, kOther, kClip); });
}

TEST_P(PicturesOf, Distorted) {
  expect_truth(
      [](const PictureUse& used) { return used.distorted; },
      [&](const OptionValues& options) { return measure(extractor_, options, kClip, kOther); });
}

INSTANTIATE_TEST_SUITE_P(Registered, PicturesOf, ::testing::ValuesIn(registry()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace hipvmaf::test
