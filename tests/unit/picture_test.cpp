#include <array>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/picture.hpp>

namespace hipvmaf {
namespace {

constexpr std::array kAllChroma = {ChromaFormat::yuv400, ChromaFormat::yuv420, ChromaFormat::yuv422,
                                   ChromaFormat::yuv444};

PictureFormat format_of(int width, int height, ChromaFormat chroma = ChromaFormat::yuv420,
                        int bit_depth = 8) {
  return {width, height, chroma, bit_depth};
}

template <class Call>
std::optional<ErrorCode> error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

TEST(PictureFormat, RoundsChromaUp) {
  const PictureFormat f420 = format_of(353, 289);
  EXPECT_EQ(f420.plane_count(), 3);
  EXPECT_EQ(f420.plane_width(0), 353);
  EXPECT_EQ(f420.plane_height(0), 289);
  EXPECT_EQ(f420.plane_width(1), 177);
  EXPECT_EQ(f420.plane_height(2), 145);
  const PictureFormat f422 = format_of(353, 289, ChromaFormat::yuv422);
  EXPECT_EQ(f422.plane_width(2), 177);
  EXPECT_EQ(f422.plane_height(1), 289);
  const PictureFormat f444 = format_of(353, 289, ChromaFormat::yuv444);
  EXPECT_EQ(f444.plane_width(1), 353);
  EXPECT_EQ(f444.plane_height(1), 289);
  EXPECT_EQ(format_of(353, 289, ChromaFormat::yuv400).plane_count(), 1);
  EXPECT_EQ(format_of(1, 1).plane_width(1), 1);
}

TEST(PictureFormat, CountsBytesWithoutPadding) {
  EXPECT_EQ(format_of(5, 3).packed_bytes(), 15U + 2 * 3 * 2);
  EXPECT_EQ(format_of(5, 3, ChromaFormat::yuv422, 10).packed_bytes(), 2 * (15U + 2 * 3 * 3));
  EXPECT_EQ(format_of(5, 3, ChromaFormat::yuv444, 9).packed_bytes(), 2 * 45U);
  EXPECT_EQ(format_of(5, 3, ChromaFormat::yuv400).packed_bytes(), 15U);
  EXPECT_EQ(format_of(kMaxPictureSide, kMaxPictureSide, ChromaFormat::yuv444, 16).packed_bytes(),
            std::size_t{6} << 30U);
}

TEST(PictureFormat, DescribesItself) {
  EXPECT_EQ(format_of(1920, 1080, ChromaFormat::yuv422, 10).describe(), "1920x1080 4:2:2 10 bit");
}

TEST(PictureFormat, ValidatesItsRanges) {
  EXPECT_NO_THROW(format_of(1, 1, ChromaFormat::yuv400, 8).validate());
  EXPECT_NO_THROW(format_of(kMaxPictureSide, 1, ChromaFormat::yuv444, 16).validate());
  for (const PictureFormat& bad :
       {format_of(0, 1), format_of(1, 0), format_of(-1, 1), format_of(kMaxPictureSide + 1, 1),
        format_of(1, kMaxPictureSide + 1), format_of(1, 1, ChromaFormat::yuv420, 7),
        format_of(1, 1, ChromaFormat::yuv420, 17)}) {
    EXPECT_EQ(error_of([&] { bad.validate(); }), ErrorCode::unsupported_format) << bad.describe();
    EXPECT_EQ(error_of([&] { PictureBuffer buffer(bad); }), ErrorCode::unsupported_format);
    EXPECT_EQ(error_of([&] { PicturePool pool(bad); }), ErrorCode::unsupported_format);
  }
}

// Fills every row of every plane with its own value.
void fill(const PictureBuffer& buffer) {
  const PictureFormat& format = buffer.format();
  for (int p = 0; p < format.plane_count(); ++p) {
    for (int y = 0; y < format.plane_height(p); ++y) {
      const auto row = buffer.row_bytes(p, y);
      std::memset(row.data(), 80 * p + y, row.size());
    }
  }
}

template <class Sample>
void expect_filled(const Picture& picture) {
  for (int p = 0; p < picture.format().plane_count(); ++p) {
    const auto plane = picture.plane<Sample>(p);
    EXPECT_EQ(plane.width, picture.format().plane_width(p));
    EXPECT_EQ(plane.height, picture.format().plane_height(p));
    for (int y = 0; y < plane.height; ++y) {
      const int byte = 80 * p + y;
      const int expected = sizeof(Sample) == 1 ? byte : byte * 257;
      for (int x = 0; x < plane.width; ++x) ASSERT_EQ(plane.row(y)[x], expected) << p << ' ' << y;
    }
  }
}

TEST(PictureBuffer, HasAlignedRowsThatDoNotOverlap) {
  for (const ChromaFormat chroma : kAllChroma) {
    for (const int width : {1, 31, 32, 33, 64, 65, 129}) {
      for (const int bit_depth : {8, 10}) {
        const PictureFormat format = format_of(width, 5, chroma, bit_depth);
        PictureBuffer buffer(format);
        EXPECT_EQ(buffer.format(), format);
        for (int p = 0; p < format.plane_count(); ++p) {
          for (int y = 0; y < format.plane_height(p); ++y) {
            const auto row = buffer.row_bytes(p, y);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(row.data()) % 64, 0U);
            EXPECT_EQ(row.size(), static_cast<std::size_t>(format.plane_width(p)) *
                                      static_cast<std::size_t>(format.bytes_per_sample()));
          }
        }
        fill(buffer);
        const Picture picture = std::move(buffer).finish();
        if (bit_depth == 8) {
          expect_filled<std::uint8_t>(picture);
        } else {
          expect_filled<std::uint16_t>(picture);
        }
      }
    }
  }
}

TEST(PictureBuffer, HandsItsSamplesOver) {
  PictureBuffer buffer(format_of(16, 4, ChromaFormat::yuv444, 12));
  const auto plane = buffer.plane<std::uint16_t>(2);
  EXPECT_EQ(static_cast<const void*>(plane.row(3)),
            static_cast<const void*>(buffer.row_bytes(2, 3).data()));
  plane.row(3)[15] = 4095;
  const Picture picture = std::move(buffer).finish();
  EXPECT_EQ(picture.plane<std::uint16_t>(2).row(3), plane.row(3));
  EXPECT_EQ(picture.plane<std::uint16_t>(2).row(3)[15], 4095);
}

TEST(Picture, IsEmptyByDefault) {
  EXPECT_FALSE(Picture());
  EXPECT_TRUE(PictureBuffer(format_of(1, 1)).finish());
}

TEST(Picture, CopiesShareSamples) {
  Picture first = PictureBuffer(format_of(8, 8)).finish();
  const auto* samples = first.plane<std::uint8_t>(0).data;
  const Picture second = first;
  first = Picture();
  EXPECT_FALSE(first);
  EXPECT_EQ(second.plane<std::uint8_t>(0).data, samples);
}

/// A 4:2:0 picture of 4x4 samples in memory of the caller's.
class WrapTest : public testing::Test {
 protected:
  [[nodiscard]] std::function<void()> release() {
    return [this] { ++releases_; };
  }
  [[nodiscard]] std::optional<ErrorCode> wrap_error(const PictureFormat& format,
                                                    std::span<const Picture::Plane> planes) {
    return error_of([&] { (void)Picture::wrap(format, planes, release()); });
  }

  PictureFormat format_ = format_of(4, 4, ChromaFormat::yuv420, 10);
  alignas(64) std::array<std::uint16_t, 64> memory_{};
  std::array<Picture::Plane, 3> planes_ = {
      {{memory_.data(), 16}, {memory_.data() + 32, 4}, {memory_.data() + 36, 8}}};
  int releases_ = 0;
};

TEST_F(WrapTest, ReadsTheMemoryInPlace) {
  memory_[2 * 8 + 1] = 500;
  memory_[36 + 4 + 1] = 600;
  const Picture picture = Picture::wrap(format_, planes_, release());
  EXPECT_EQ(picture.format(), format_);
  EXPECT_EQ(picture.plane<std::uint16_t>(0).data, memory_.data());
  EXPECT_EQ(picture.plane<std::uint16_t>(0).stride, 8);
  EXPECT_EQ(picture.plane<std::uint16_t>(0).row(2)[1], 500);
  EXPECT_EQ(picture.plane<std::uint16_t>(2).row(1)[1], 600);
}

TEST_F(WrapTest, ReleasesOnceWhenTheLastCopyIsGone) {
  Picture first = Picture::wrap(format_, planes_, release());
  Picture second = first;
  first = Picture();
  EXPECT_EQ(releases_, 0);
  std::optional<Picture> third = std::move(second);
  second = Picture();
  EXPECT_EQ(releases_, 0);
  { const Picture fourth = *third; }
  EXPECT_EQ(releases_, 0);
  third.reset();
  EXPECT_EQ(releases_, 1);
}

TEST_F(WrapTest, NeedsNoRelease) { EXPECT_TRUE(Picture::wrap(format_, planes_, nullptr)); }

TEST_F(WrapTest, TakesOnePlaneOf400) {
  format_.chroma = ChromaFormat::yuv400;
  EXPECT_TRUE(Picture::wrap(format_, std::span(planes_).first(1), release()));
  EXPECT_EQ(releases_, 1);
}

TEST_F(WrapTest, RefusesBadMemoryAndReleasesIt) {
  int expected_releases = 0;
  const auto expect_refused = [&](std::span<const Picture::Plane> planes) {
    EXPECT_EQ(wrap_error(format_, planes), ErrorCode::invalid_argument);
    EXPECT_EQ(releases_, ++expected_releases);
  };
  expect_refused(std::span(planes_).first(2));
  expect_refused({});
  const auto with = [&](std::size_t p, const void* data, std::ptrdiff_t stride) {
    auto planes = planes_;
    planes[p] = {data, stride};
    return planes;
  };
  expect_refused(with(2, nullptr, 8));
  expect_refused(with(0, memory_.data(), 6));    // shorter than 4 samples
  expect_refused(with(0, memory_.data(), -16));  // rows from the bottom up
  expect_refused(with(0, memory_.data(), 9));    // odd bytes for 16-bit samples
  expect_refused(with(1, reinterpret_cast<const char*>(memory_.data()) + 1, 16));
}

TEST_F(WrapTest, RefusesBadFormatsAndReleasesTheMemory) {
  format_.bit_depth = 17;
  EXPECT_EQ(wrap_error(format_, planes_), ErrorCode::unsupported_format);
  EXPECT_EQ(releases_, 1);
}

TEST_F(WrapTest, TakesAnyAddressAt8Bit) {
  format_.bit_depth = 8;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(memory_.data());
  planes_ = {{{bytes + 1, 5}, {bytes + 33, 3}, {bytes + 65, 2}}};
  const Picture picture = Picture::wrap(format_, planes_, release());
  EXPECT_EQ(picture.plane<std::uint8_t>(0).row(1), bytes + 6);
}

const void* samples_of(const Picture& picture) { return picture.plane<std::uint8_t>(0).data; }

TEST(PicturePool, ReusesWhatIsFree) {
  PicturePool pool(format_of(64, 64));
  EXPECT_EQ(pool.format(), format_of(64, 64));
  const void* first = samples_of(pool.acquire().finish());
  EXPECT_EQ(samples_of(pool.acquire().finish()), first);
  // A buffer that was never finished comes back too.
  { const PictureBuffer dropped = pool.acquire(); }
  EXPECT_EQ(samples_of(pool.acquire().finish()), first);
}

TEST(PicturePool, NeverHandsOutSamplesInUse) {
  PicturePool pool(format_of(64, 64));
  std::vector<Picture> pictures;
  std::set<const void*> samples;
  for (int i = 0; i < 5; ++i) {
    pictures.push_back(pool.acquire().finish());
    samples.insert(samples_of(pictures.back()));
  }
  EXPECT_EQ(samples.size(), 5U);
  const Picture kept = pictures[2];
  pictures.clear();
  for (int i = 0; i < 4; ++i) {
    pictures.push_back(pool.acquire().finish());
    EXPECT_EQ(samples.count(samples_of(pictures.back())), 1U);
    EXPECT_NE(samples_of(pictures.back()), samples_of(kept));
  }
  pictures.push_back(pool.acquire().finish());
  EXPECT_EQ(samples.count(samples_of(pictures.back())), 0U);
}

TEST(PicturePool, PicturesOutliveIt) {
  std::optional<PicturePool> pool(format_of(33, 5));
  PictureBuffer buffer = pool->acquire();
  const Picture idle = pool->acquire().finish();
  pool.reset();
  fill(buffer);
  expect_filled<std::uint8_t>(std::move(buffer).finish());
}

TEST(PicturePool, ServesSeveralThreads) {
  PicturePool pool(format_of(65, 3));
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool] {
      for (int i = 0; i < 200; ++i) {
        PictureBuffer buffer = pool.acquire();
        fill(buffer);
        expect_filled<std::uint8_t>(std::move(buffer).finish());
      }
    });
  }
}

}  // namespace
}  // namespace hipvmaf
