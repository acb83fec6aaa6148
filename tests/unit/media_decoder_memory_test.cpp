#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <mutex>

#include "media_ffmpeg_support.hpp"

namespace hipvmaf {
namespace {

using test::FfmpegVideo;

/// Memory that knows its blocks.
class CountedMemory {
 public:
  PictureAllocator allocator() {
    return {.allocate =
                [this](std::size_t bytes) {
                  const std::lock_guard lock(mutex_);
                  auto* const block =
                      static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
                  blocks_[block] = bytes;
                  return block;
                },
            .release =
                [this](std::byte* block) {
                  const std::lock_guard lock(mutex_);
                  blocks_.erase(block);
                  std::free(block);
                }};
  }
  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
  [[nodiscard]] bool holds(const Picture& picture) const {
    const PlaneView<const std::uint8_t> luma = picture.plane<std::uint8_t>(0);
    const auto* const first = reinterpret_cast<const std::byte*>(luma.row(0));
    const auto* const last = reinterpret_cast<const std::byte*>(luma.row(luma.height - 1));
    return std::ranges::any_of(blocks_, [&](const auto& block) {
      return first >= block.first && last + luma.width <= block.first + block.second;
    });
  }

 private:
  std::mutex mutex_;
  std::map<std::byte*, std::size_t> blocks_;
};

TEST_F(FfmpegVideo, PicturesAreInMemoryOfTheAllocator) {
  const PictureFormat format{67, 49, ChromaFormat::yuv420, 8};
  const std::vector<std::string> files{
      lossless("planar.mkv", format, 5),
      encoded("packed.nut", format, AV_CODEC_ID_RAWVIDEO, AV_PIX_FMT_NV12, 5),
      encoded("delayed.mkv", format, AV_CODEC_ID_MPEG2VIDEO, AV_PIX_FMT_YUV420P, 5,
              AVCOL_RANGE_UNSPECIFIED, 2)};
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    CountedMemory memory;
    {
      OpenOptions options;
      options.decoder_threads = 3;
      const auto plain = open_video(file, options);
      options.allocator = memory.allocator();
      const auto placed = open_video(file, options);
      std::vector<Picture> pictures;
      while (auto picture = placed->read()) {
        EXPECT_TRUE(memory.holds(*picture));
        const auto wanted = plain->read();
        ASSERT_TRUE(wanted);
        EXPECT_EQ(test::samples_of(*picture), test::samples_of(*wanted));
        pictures.push_back(std::move(*picture));
      }
      EXPECT_EQ(pictures.size(), 5U);
    }
    EXPECT_EQ(memory.blocks(), 0U);
  }
}

}  // namespace
}  // namespace hipvmaf
