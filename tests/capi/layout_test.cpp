// What other programs were compiled against: sizes, offsets, numbers and names.
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <libvmaf/libvmaf.h>
#include <libvmaf/libvmaf_hip.h>
#include <libvmaf/version.h>

#include "capi/consumer.h"

namespace hipvmaf::test {
namespace {

#if defined(__x86_64__)
static_assert(sizeof(VmafConfiguration) == 32);
static_assert(offsetof(VmafConfiguration, n_threads) == 4);
static_assert(offsetof(VmafConfiguration, n_subsample) == 8);
static_assert(offsetof(VmafConfiguration, cpumask) == 16);
static_assert(offsetof(VmafConfiguration, gpumask) == 24);
static_assert(sizeof(VmafPicture) == 96);
static_assert(offsetof(VmafPicture, bpc) == 4);
static_assert(offsetof(VmafPicture, w) == 8);
static_assert(offsetof(VmafPicture, h) == 20);
static_assert(offsetof(VmafPicture, stride) == 32);
static_assert(offsetof(VmafPicture, data) == 56);
static_assert(offsetof(VmafPicture, ref) == 80);
static_assert(offsetof(VmafPicture, priv) == 88);
static_assert(sizeof(VmafModelConfig) == 16);
static_assert(offsetof(VmafModelConfig, flags) == 8);
static_assert(sizeof(VmafModelCollectionScore) == 40);
static_assert(offsetof(VmafModelCollectionScore, bootstrap.bagging_score) == 8);
static_assert(offsetof(VmafModelCollectionScore, bootstrap.stddev) == 16);
static_assert(offsetof(VmafModelCollectionScore, bootstrap.ci.p95.lo) == 24);
static_assert(offsetof(VmafModelCollectionScore, bootstrap.ci.p95.hi) == 32);
static_assert(sizeof(VmafPictureConfiguration) == 20);
static_assert(offsetof(VmafPictureConfiguration, pic_params.bpc) == 8);
static_assert(offsetof(VmafPictureConfiguration, pic_params.pix_fmt) == 12);
static_assert(offsetof(VmafPictureConfiguration, pic_cnt) == 16);
static_assert(sizeof(VmafHipConfiguration) == 8);
static_assert(offsetof(VmafHipConfiguration, flags) == 4);
#endif

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CLayout, PkgConfigTellsTheVersionOfTheHeaders) {
  EXPECT_THAT(text_of(VMAF_PC_FILE),
              testing::HasSubstr(fmt::format("Version: {}.{}.{}\n", VMAF_API_VERSION_MAJOR,
                                             VMAF_API_VERSION_MINOR, VMAF_API_VERSION_PATCH)));
}

TEST(CLayout, AProgramInCMeasures) {
  const std::filesystem::path report =
      std::filesystem::path(testing::TempDir()) / "hipvmaf_consumer.xml";
  double vmaf = 0;
  double psnr = 0;
  for (const unsigned threads : {0U, 3U}) {
    ASSERT_EQ(consume(threads, 5, 4, report.c_str(), &vmaf, &psnr), 0);
    EXPECT_GT(vmaf, 50);
    EXPECT_LT(vmaf, 100);
    // The last picture is darker by 16: 10 log10(255^2 / 256).
    EXPECT_NEAR(psnr, 24.0484, 1e-3);
    EXPECT_THAT(text_of(report), testing::HasSubstr("<metric name=\"vmaf\" min="));
    std::filesystem::remove(report);
  }
}

}  // namespace
}  // namespace hipvmaf::test
