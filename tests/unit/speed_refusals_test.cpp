// What the SpEED extractors refuse, and that they can measure all else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "speed_support.hpp"

namespace hipvmaf {
namespace {

using test::frames_of;
using test::measure_chroma;
using test::measure_temporal;
using test::options_of;
using test::Requests;
using test::texture_clip;

const std::vector<const Descriptor*> kBoth{&speed_chroma_descriptor, &speed_temporal_descriptor};

std::string refusal_of(const Descriptor& extractor, const Requests& requests,
                       const PictureFormat& format, ErrorCode code) {
  try {
    const OptionValues options = options_of(extractor, requests);
    extractor.check_options(options);
    require_format(extractor, options, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "nothing refused";
}

TEST(SpeedRefusals, NameTheKernelScalesAndMethods) {
  const PictureFormat format{640, 360, ChromaFormat::yuv420, 8};
  for (const Descriptor* extractor : kBoth) {
    EXPECT_THAT(
        refusal_of(*extractor, {{"speed_kernelscale", "1.3"}}, format, ErrorCode::invalid_option),
        ::testing::AllOf(::testing::HasSubstr("speed_kernelscale"),
                         ::testing::HasSubstr(std::string(extractor->name)),
                         ::testing::HasSubstr("0.444444, 0.5")));
    EXPECT_EQ(refusal_of(*extractor, {{"speed_prescale_method", "spline"}}, format,
                         ErrorCode::invalid_option),
              "option speed_prescale_method of extractor " + std::string(extractor->name) +
                  ": 'spline' is none of nearest, bilinear, bicubic or lanczos4");
    for (const char* method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
      EXPECT_EQ(refusal_of(*extractor, {{"speed_prescale_method", method}}, format,
                           ErrorCode::invalid_option),
                "nothing refused");
    }
  }
}

TEST(SpeedRefusals, GreyVideosHaveNoChroma) {
  const PictureFormat grey{640, 360, ChromaFormat::yuv400, 8};
  EXPECT_THAT(refusal_of(speed_chroma_descriptor, {}, grey, ErrorCode::unsupported_format),
              ::testing::HasSubstr("needs chroma planes"));
  EXPECT_EQ(refusal_of(speed_temporal_descriptor, {}, grey, ErrorCode::unsupported_format),
            "nothing refused");
}

struct SizeCase {
  const Descriptor* extractor;
  const char* prescale;
  PictureFormat smallest;
};

const std::vector<SizeCase> kSizes{
    {&speed_temporal_descriptor, "1", {80, 80, ChromaFormat::yuv420, 8}},
    {&speed_temporal_descriptor, "0.5", {159, 159, ChromaFormat::yuv420, 8}},
    {&speed_temporal_descriptor, "4", {20, 20, ChromaFormat::yuv420, 8}},
    {&speed_chroma_descriptor, "1", {160, 160, ChromaFormat::yuv420, 8}},
    {&speed_chroma_descriptor, "1", {160, 80, ChromaFormat::yuv422, 10}},
    {&speed_chroma_descriptor, "1", {80, 80, ChromaFormat::yuv444, 8}},
    {&speed_chroma_descriptor, "4", {40, 40, ChromaFormat::yuv420, 8}},
    {&speed_chroma_descriptor, "0.9991", {80, 80, ChromaFormat::yuv444, 8}},
};

TEST(SpeedRefusals, NameTheSizeAfterScaling) {
  for (const SizeCase& c : kSizes) {
    const Requests requests{{"speed_prescale", c.prescale}};
    EXPECT_EQ(refusal_of(*c.extractor, requests, c.smallest, ErrorCode::unsupported_format),
              "nothing refused");
    PictureFormat narrow = c.smallest;
    PictureFormat low = c.smallest;
    --narrow.width;
    --low.height;
    for (const PictureFormat& format : {narrow, low}) {
      EXPECT_THAT(refusal_of(*c.extractor, requests, format, ErrorCode::unsupported_format),
                  ::testing::AllOf(::testing::HasSubstr(std::string(c.extractor->name)),
                                   ::testing::HasSubstr(" of at least "),
                                   ::testing::HasSubstr(format.describe())));
    }
  }
  EXPECT_EQ(refusal_of(speed_chroma_descriptor, {}, {176, 144, ChromaFormat::yuv420, 8},
                       ErrorCode::unsupported_format),
            "extractor speed_chroma needs chroma planes of at least 80x80 after scaling by "
            "speed_prescale; in videos of 176x144 4:2:0 8 bit they are 88x72: use larger videos or "
            "raise speed_prescale (now 1)");
}

// The smallest pictures can be measured, whatever is done to them.
TEST(SpeedRefusals, LeaveNothingThatCannotBeMeasured) {
  for (const SizeCase& c : kSizes) {
    if (c.smallest.bit_depth != 8) continue;
    test::ClipSpec clip = texture_clip(c.smallest.width, c.smallest.height, c.smallest.chroma, 8);
    for (const char* method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
      for (const char* kernel_scale : {"0.444444", "3.71134"}) {
        const Requests requests{{"speed_prescale", c.prescale},
                                {"speed_prescale_method", method},
                                {"speed_kernelscale", kernel_scale}};
        const auto frames = frames_of(clip);
        if (c.extractor == &speed_chroma_descriptor) {
          // A single block has a single window position and no covariance.
          EXPECT_EQ(measure_chroma(frames[0], requests),
                    (SpeedChromaRaw{{speed::PlaneScore{0, 1}, speed::PlaneScore{0, 1}}}));
        } else {
          EXPECT_EQ(measure_temporal(frames, 1, requests), (SpeedTemporalRaw{{0, 1}}));
        }
      }
    }
  }
}

}  // namespace
}  // namespace hipvmaf
