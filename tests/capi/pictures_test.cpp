// Pictures: their layout, their references, pools, and who owns what after a call.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

#include "capi/support.hpp"

namespace hipvmaf::test {
namespace {

TEST(CPictures, LieAsProgramsExpect) {
  VmafPicture picture{};
  ASSERT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 9, 17, 33), 0);
  EXPECT_EQ(picture.pix_fmt, VMAF_PIX_FMT_YUV420P);
  EXPECT_EQ(picture.bpc, 9U);
  EXPECT_EQ(picture.w[0], 17U);
  EXPECT_EQ(picture.h[0], 33U);
  EXPECT_EQ(picture.w[2], 9U);
  EXPECT_EQ(picture.h[2], 17U);
  EXPECT_EQ(picture.stride[0], 64);
  EXPECT_EQ(picture.stride[1], 64);
  EXPECT_EQ(static_cast<std::byte*>(picture.data[1]) - static_cast<std::byte*>(picture.data[0]),
            64 * 33);
  for (int p = 0; p < 3; ++p) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(picture.data[p]) % 32, 0U);
    for (unsigned i = 0; i < picture.h[p] * 64; ++i) {
      ASSERT_EQ(static_cast<std::uint8_t*>(picture.data[p])[i], 0);
    }
  }
  ASSERT_EQ(vmaf_picture_unref(&picture), 0);
  EXPECT_EQ(picture.data[0], nullptr);
  EXPECT_EQ(picture.w[0], 0U);
  EXPECT_EQ(vmaf_picture_unref(&picture), -EINVAL);

  ASSERT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 10, 50, 35), 0);
  EXPECT_EQ(picture.stride[0], 128);
  EXPECT_EQ(picture.stride[1], 64);
  ASSERT_EQ(vmaf_picture_unref(&picture), 0);

  ASSERT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV400P, 8, 50, 35), 0);
  EXPECT_EQ(picture.w[1] + picture.h[1] + picture.w[2] + picture.h[2], 0U);
  EXPECT_EQ(picture.data[1], nullptr);
  ASSERT_EQ(vmaf_picture_unref(&picture), 0);
}

TEST(CPictures, OfBadFormatsAreRefused) {
  const CContext silent;  // its log level holds for calls without a context
  VmafPicture picture{};
  EXPECT_EQ(vmaf_picture_alloc(nullptr, VMAF_PIX_FMT_YUV420P, 8, 16, 16), -EINVAL);
  for (const int format : {0, 5, 99}) {
    EXPECT_EQ(vmaf_picture_alloc(&picture, static_cast<VmafPixelFormat>(format), 8, 16, 16),
              -EINVAL);
  }
  for (const unsigned depth : {0U, 7U, 17U, UINT32_MAX}) {
    EXPECT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, depth, 16, 16), -EINVAL);
  }
  EXPECT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, 0, 16), -EINVAL);
  EXPECT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, 16, UINT32_MAX), -EINVAL);
  EXPECT_EQ(picture.ref, nullptr);
  EXPECT_EQ(vmaf_picture_unref(nullptr), -EINVAL);
}

TEST(CPictures, ThatFailToBeReadStayTheCallers) {
  CContext context;
  ASSERT_EQ(context.use("psnr"), 0);
  const auto frames = frames_of("cif8", 1);
  ASSERT_EQ(context.read(frames[0], 0), 0);
  EXPECT_EQ(context.read(frames_of("flat8", 1)[0], 1), -EINVAL);
  const auto deep = frames_of("sd10", 1);
  EXPECT_EQ(context.read(deep[0], 1), -EINVAL);
  EXPECT_EQ(context.read({deep[0].reference, frames[0].distorted}, 1), -EINVAL);
  EXPECT_EQ(context.read({frames[0].reference, deep[0].distorted}, 1), -EINVAL);

  VmafPicture picture = c_picture(frames[0].reference);
  VmafPicture released{};
  EXPECT_EQ(vmaf_read_pictures(context, &picture, nullptr, 1), -EINVAL);
  EXPECT_EQ(vmaf_read_pictures(context, nullptr, &picture, 1), -EINVAL);
  EXPECT_EQ(vmaf_read_pictures(context, &picture, &released, 1), -EINVAL);
  EXPECT_EQ(vmaf_picture_unref(&picture), 0);

  // None of this counts: the next pair is frame 1.
  ASSERT_EQ(context.read(frames[0], 1), 0);
  ASSERT_EQ(context.flush(), 0);
  double score = 0;
  EXPECT_EQ(vmaf_feature_score_pooled(context, "psnr_y", VMAF_POOL_METHOD_MEAN, &score, 0, 1), 0);
}

VmafPictureConfiguration pool_of(unsigned count) {
  return {{64, 48, 8, VMAF_PIX_FMT_YUV420P}, count};
}

TEST(CPictures, OfAPoolComeBack) {
  CContext context(2);
  ASSERT_EQ(context.use("float_psnr"), 0);
  VmafPicture picture{};
  EXPECT_EQ(vmaf_fetch_preallocated_picture(context, &picture), -EINVAL);
  EXPECT_EQ(vmaf_preallocate_pictures(context, pool_of(0)), -EINVAL);
  EXPECT_EQ(vmaf_preallocate_pictures(context, {{0, 48, 8, VMAF_PIX_FMT_YUV420P}, 4}), -EINVAL);
  ASSERT_EQ(vmaf_preallocate_pictures(context, pool_of(4)), 0);
  EXPECT_EQ(vmaf_preallocate_pictures(context, pool_of(4)), -EINVAL);
  for (unsigned i = 0; i < 50; ++i) {
    VmafPicture reference{};
    VmafPicture distorted{};
    ASSERT_EQ(vmaf_fetch_preallocated_picture(context, &reference), 0);
    ASSERT_EQ(vmaf_fetch_preallocated_picture(context, &distorted), 0);
    for (int p = 0; p < 3; ++p) {
      std::memset(reference.data[p], 90,
                  reference.h[p] * static_cast<std::size_t>(reference.stride[p]));
      std::memset(distorted.data[p], 90 + static_cast<int>(i % 7),
                  distorted.h[p] * static_cast<std::size_t>(distorted.stride[p]));
    }
    ASSERT_EQ(vmaf_read_pictures(context, &reference, &distorted, i), 0);
  }
  ASSERT_EQ(context.flush(), 0);
  double score = 0;
  ASSERT_EQ(vmaf_feature_score_at_index(context, "float_psnr", &score, 43), 0);
  EXPECT_NEAR(score, 48.130803608679, 1e-9);  // they differ by 1
}

TEST(CPictures, ThatTemporalExtractorsKeepDoNotExhaustAPool) {
  for (const unsigned threads : {0U, 2U}) {
    CContext context(threads);
    ASSERT_EQ(context.use("motion", {{"motion_five_frame_window", "true"}}), 0);
    ASSERT_EQ(vmaf_preallocate_pictures(context, pool_of(3)), 0);
    for (unsigned i = 0; i < 12; ++i) {
      VmafPicture reference{};
      VmafPicture distorted{};
      ASSERT_EQ(vmaf_fetch_preallocated_picture(context, &reference), 0);
      ASSERT_EQ(vmaf_fetch_preallocated_picture(context, &distorted), 0);
      ASSERT_EQ(vmaf_read_pictures(context, &reference, &distorted, i), 0);
    }
    ASSERT_EQ(context.flush(), 0);
  }
}

TEST(CPictures, AreWaitedForWhenAPoolIsEmpty) {
  CContext context;
  ASSERT_EQ(vmaf_preallocate_pictures(context, pool_of(1)), 0);
  VmafPicture first{};
  ASSERT_EQ(vmaf_fetch_preallocated_picture(context, &first), 0);
  void* const samples = first.data[0];
  std::atomic<bool> fetched = false;
  VmafPicture second{};
  std::thread waiting([&] {
    EXPECT_EQ(vmaf_fetch_preallocated_picture(context, &second), 0);
    fetched = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(fetched);
  ASSERT_EQ(vmaf_picture_unref(&first), 0);
  waiting.join();
  EXPECT_EQ(second.data[0], samples);
  // A picture may outlive its context.
  context.close();
  std::memset(second.data[0], 1, 64 * 48);
  EXPECT_EQ(vmaf_picture_unref(&second), 0);
}

}  // namespace
}  // namespace hipvmaf::test
