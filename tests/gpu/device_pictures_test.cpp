// Pictures in GPU memory: which are uploaded, and those that the caller has there already, in the
// layouts that decoders leave.
#include "engine/device_pictures.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "gpu/buffer.hpp"
#include "support/clip_generator.hpp"

namespace hipvmaf::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kFrames = 9;
constexpr std::size_t kRowAlignment = 128;

/// Planes on their way to the device, in host memory.
struct Surface {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> offsets;
  std::vector<std::ptrdiff_t> strides;
};

/// Appends a plane whose sample (x, y) is `value(x, y)`.
template <class Sample, class Value>
void append(Surface& surface, int width, int height, const Value& value) {
  const std::size_t row = (static_cast<std::size_t>(width) * sizeof(Sample) + kRowAlignment - 1) /
                          kRowAlignment * kRowAlignment;
  const std::size_t begin = surface.bytes.size();
  surface.offsets.push_back(begin);
  surface.strides.push_back(static_cast<std::ptrdiff_t>(row));
  surface.bytes.resize(begin + row * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto sample = static_cast<Sample>(value(x, y));
      std::memcpy(surface.bytes.data() + begin + static_cast<std::size_t>(y) * row +
                      static_cast<std::size_t>(x) * sizeof(Sample),
                  &sample, sizeof(Sample));
    }
  }
}

template <class Sample>
Surface surface_of(const Picture& picture, SampleLayout layout) {
  Surface surface;
  const PictureFormat& format = picture.format();
  const bool semi_planar = layout == SampleLayout::semi_planar;
  const int shift = semi_planar && sizeof(Sample) > 1 ? 16 - format.bit_depth : 0;
  const auto sample = [&](int plane, int x, int y) {
    return picture.plane<Sample>(plane).row(y)[x] << shift;
  };
  for (int p = 0; p < (semi_planar ? 1 : format.plane_count()); ++p) {
    append<Sample>(surface, format.plane_width(p), format.plane_height(p),
                   [&](int x, int y) { return sample(p, x, y); });
  }
  if (semi_planar) {
    append<Sample>(surface, 2 * format.plane_width(1), format.plane_height(1),
                   [&](int x, int y) { return sample(1 + x % 2, x / 2, y); });
  }
  return surface;
}

/// The same picture in device memory; `released` counts how many have been given back.
Picture on_device(const Picture& picture, SampleLayout layout, int& released) {
  const Surface surface = picture.format().bit_depth == 8
                              ? surface_of<std::uint8_t>(picture, layout)
                              : surface_of<std::uint16_t>(picture, layout);
  auto memory = std::make_shared<gpu::Buffer<std::byte>>(static_cast<int>(surface.bytes.size()));
  gpu::Stream stream;
  stream.upload(memory->view(), surface.bytes.data());
  stream.synchronize();
  std::vector<Picture::Plane> planes;
  for (std::size_t p = 0; p < surface.offsets.size(); ++p) {
    planes.push_back({memory->view().data + surface.offsets[p], surface.strides[p]});
  }
  return Picture::wrap_device(picture.format(), layout, planes, [memory, &released]() mutable {
    memory.reset();
    ++released;
  });
}

std::vector<double> scores_of(const PictureFormat& format, const SampleLayout* layout) {
  Session session({.threads = 2, .backend = Backend::hip});
  session.add_feature("psnr");
  session.add_feature("motion");
  int released = 0;
  const ClipSpec clip{"clip", "texture", "blurnoise", 5, format, kFrames, 0};
  for (int i = 0; i < kFrames; ++i) {
    PicturePair pair = make_frame(clip, i);
    if (layout != nullptr) {
      pair = {on_device(pair.reference, *layout, released),
              on_device(pair.distorted, *layout, released)};
    }
    session.submit(std::move(pair.reference), std::move(pair.distorted));
  }
  session.finish();
  std::vector<double> scores;
  for (std::size_t column = 0; column < session.scores().column_count(); ++column) {
    for (int i = 0; i < kFrames; ++i) scores.push_back(*session.scores().get(column, i));
  }
  EXPECT_EQ(released, layout == nullptr ? 0 : 2 * kFrames);
  return scores;
}

TEST(DevicePictures, ScoreAsThoseOfTheHost) {
  for (const PictureFormat& format : {PictureFormat{75, 51, ChromaFormat::yuv420, 8},
                                      PictureFormat{75, 51, ChromaFormat::yuv420, 10},
                                      PictureFormat{64, 48, ChromaFormat::yuv422, 12},
                                      PictureFormat{64, 48, ChromaFormat::yuv444, 16}}) {
    const std::vector<double> expected = scores_of(format, nullptr);
    for (const SampleLayout layout : {SampleLayout::planar, SampleLayout::semi_planar}) {
      EXPECT_EQ(scores_of(format, &layout), expected)
          << format.describe() << (layout == SampleLayout::planar ? " planar" : " semi-planar");
    }
  }
}

std::string refusal(SessionConfig config, const std::string& extractor) {
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  int released = 0;
  try {
    Session session(std::move(config));
    session.add_feature(extractor);
    const PicturePair pair = make_frame({"clip", "texture", "blurnoise", 5, format, 1, 0}, 0);
    session.submit(on_device(pair.reference, SampleLayout::semi_planar, released),
                   on_device(pair.distorted, SampleLayout::semi_planar, released));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device);
    EXPECT_EQ(released, 2);
    return error.what();
  }
  return "it was not refused";
}

TEST(DevicePictures, AreRefusedWhereTheCpuWouldReadThem) {
  EXPECT_THAT(refusal({.threads = 1, .backend = Backend::cpu}, "psnr"),
              AllOf(HasSubstr("frame 0: the pictures lie in GPU memory"),
                    HasSubstr("psnr runs on the CPU: the CPU was asked for")));
}

// A picture that is not uploaded need not even be there.
TEST(DevicePictures, AreThoseThatAreRead) {
  const PictureFormat format{64, 48, ChromaFormat::yuv420, 8};
  const PicturePair pair = make_frame({"clip", "texture", "blurnoise", 5, format, 1, 0}, 0);
  const auto upload = [&](const PictureUse& used) {
    Frame frame;
    if (used.reference) frame.reference = pair.reference;
    if (used.distorted) frame.distorted = pair.distorted;
    const std::size_t before = gpu::device_bytes_in_use();
    DevicePictures pictures(format, PlaneUse::all, used, 2);
    gpu::Stream stream;
    pictures.require(0, frame, stream);
    stream.synchronize();
    EXPECT_EQ(pictures.frame(0).reference.planes[0].data != nullptr, used.reference);
    EXPECT_EQ(pictures.frame(0).distorted.planes[0].data != nullptr, used.distorted);
    return gpu::device_bytes_in_use() - before;
  };
  const std::size_t both = upload({});
  EXPECT_EQ(upload(kReferenceOnly), both / 2);
  EXPECT_EQ(upload(kDistortedOnly), both / 2);
}

/// Device memory of a session in multiples of a picture's luma.
double pictures_of(const std::vector<std::string>& extractors) {
  const PictureFormat format{1024, 512, ChromaFormat::yuv420, 8};
  Session session({.threads = 1, .backend = Backend::hip});
  for (const std::string& extractor : extractors) session.add_feature(extractor);
  const std::size_t before = gpu::device_bytes_in_use();
  session.prepare(format);
  return static_cast<double>(gpu::device_bytes_in_use() - before) / (1024.0 * 512.0);
}

// These extractors need hardly any memory beside the pictures.
TEST(DevicePictures, OfASessionAreThoseThatItsExtractorsRead) {
  const double of_one = pictures_of({"motion"});
  EXPECT_GT(of_one, 1);
  EXPECT_NEAR(pictures_of({"motion", "motion_v2"}), of_one, 0.1);
  EXPECT_NEAR(pictures_of({"motion", "float_psnr"}), 2 * of_one, 0.1);
}

TEST(DevicePictures, WrapWhatTheFormatSays) {
  const PictureFormat mono{64, 48, ChromaFormat::yuv400, 8};
  const std::vector<Picture::Plane> planes(2, {&mono, 64});
  int released = 0;
  const auto release = [&] { ++released; };
  EXPECT_THROW(
      static_cast<void>(Picture::wrap_device(mono, SampleLayout::semi_planar, planes, release)),
      Error);
  const PictureFormat too_wide{66, 48, ChromaFormat::yuv420, 8};
  EXPECT_THROW(
      static_cast<void>(Picture::wrap_device(too_wide, SampleLayout::planar, planes, release)),
      Error);
  EXPECT_EQ(released, 2);
}

}  // namespace
}  // namespace hipvmaf::test
