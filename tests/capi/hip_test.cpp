// The GPU through the C interface: in builds without one, its absence is said.
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libvmaf/libvmaf_hip.h>

#include <hipvmaf/device.hpp>

#include "capi/support.hpp"

namespace hipvmaf::test {
namespace {

using testing::HasSubstr;

constexpr VmafHipConfiguration kFirst{-1, 0};

TEST(CHip, BuildsWithoutGpuSaySo) {
  if (gpu_platform() != "none") GTEST_SKIP() << "this build has GPU support";
  VmafHipState* state = nullptr;
  EXPECT_EQ(vmaf_hip_available(), 0);
  EXPECT_EQ(vmaf_hip_state_init(&state, kFirst), -ENOSYS);
  EXPECT_EQ(state, nullptr);
  EXPECT_EQ(vmaf_hip_list_devices(), -ENOSYS);
}

TEST(CHip, BadArgumentsAreRefused) {
  CContext context;
  VmafHipState* state = nullptr;
  EXPECT_EQ(vmaf_hip_state_init(nullptr, kFirst), -EINVAL);
  EXPECT_EQ(vmaf_hip_state_init(&state, {-2, 0}), -EINVAL);
  EXPECT_EQ(vmaf_hip_state_init(&state, {0, 1}), -EINVAL);
  EXPECT_EQ(vmaf_hip_import_state(context, nullptr), -EINVAL);
  EXPECT_EQ(vmaf_hip_import_state(nullptr, state), -EINVAL);
  EXPECT_EQ(state, nullptr);
  vmaf_hip_state_free(nullptr);
  vmaf_hip_state_free(&state);
}

TEST(CHip, TheEnvironmentChoosesForProgramsThatDoNot) {
  const auto frames = frames_of("cif8", 1);
  const auto status = [&](const char* backend) {
    setenv("HIPVMAF_BACKEND", backend, 1);
    CContext context;
    const int asked = context.use("float_ansnr");  // has no GPU stage
    const int read = asked == 0 ? context.read(frames[0], 0) : asked;
    unsetenv("HIPVMAF_BACKEND");
    return read;
  };
  EXPECT_EQ(status("cpu"), 0);
  EXPECT_EQ(status("auto"), 0);
  EXPECT_EQ(status("hip"), -ENODEV);
  EXPECT_EQ(status("gpu"), -EINVAL);
}

class CHipDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu_platform() == "none" || list_devices().devices.empty()) {
      GTEST_SKIP() << "there is no GPU: " << list_devices().problem;
    }
    ASSERT_EQ(vmaf_hip_state_init(&state_, kFirst), 0);
  }
  void TearDown() override { vmaf_hip_state_free(&state_); }

  VmafHipState* state_ = nullptr;
};

TEST_F(CHipDevice, IsListed) {
  EXPECT_EQ(vmaf_hip_available(), 1);
  testing::internal::CaptureStdout();
  const int count = vmaf_hip_list_devices();
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("0: "));
  EXPECT_EQ(count, static_cast<int>(list_devices().devices.size()));
  VmafHipState* none = nullptr;
  const CContext silent;
  EXPECT_EQ(vmaf_hip_state_init(&none, {count, 0}), -ENODEV);
  EXPECT_EQ(none, nullptr);
}

TEST_F(CHipDevice, GivesTheScoresOfTheCpu) {
  const auto frames = frames_of("noise16", 5);
  Session cpu({.threads = 1, .backend = Backend::cpu});
  cpu.add_model(load_builtin_model("vmaf_v0.6.1", {}));
  cpu.add_feature("psnr");
  for (const PicturePair& pair : frames) cpu.submit(pair.reference, pair.distorted);
  cpu.finish();
  for (const unsigned threads : {0U, 2U}) {
    CContext context(threads);
    const CModel model("vmaf_v0.6.1");
    ASSERT_EQ(vmaf_hip_import_state(context, state_), 0);
    EXPECT_EQ(vmaf_hip_import_state(context, state_), -EINVAL);
    ASSERT_EQ(vmaf_use_features_from_model(context, model), 0);
    ASSERT_EQ(context.use("psnr_hip"), 0);
    for (unsigned i = 0; i < frames.size(); ++i) {
      ASSERT_EQ(context.read(frames[i], i), 0);
      if (threads == 0) {
        double score = 0;
        EXPECT_EQ(vmaf_feature_score_at_index(context, "psnr_y", &score, i), 0);
      }
    }
    ASSERT_EQ(context.flush(), 0);
    for (unsigned i = 0; i < frames.size(); ++i) {
      double score = 0;
      ASSERT_EQ(vmaf_score_at_index(context, model, &score, i), 0);
      EXPECT_EQ(score, cpu.score("vmaf", i));
      ASSERT_EQ(vmaf_feature_score_at_index(context, "psnr_cr", &score, i), 0);
      EXPECT_EQ(score, cpu.score("psnr_cr", i));
    }
  }
}

TEST_F(CHipDevice, NeverFallsBackSilently) {
  const auto frames = frames_of("noise16", 1);
  CContext context(0, 1, VMAF_LOG_LEVEL_ERROR);
  ASSERT_EQ(vmaf_hip_import_state(context, state_), 0);
  ASSERT_EQ(context.use("float_ansnr"), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(context.read(frames[0], 0), -ENODEV);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("extractor float_ansnr runs on the CPU only"));
}

TEST_F(CHipDevice, IsLeftAloneWhereTheMaskSaysSo) {
  const auto frames = frames_of("noise16", 1);
  CContext context(0, 1, VMAF_LOG_LEVEL_NONE, 1);
  ASSERT_EQ(vmaf_hip_import_state(context, state_), 0);
  ASSERT_EQ(context.use("float_ansnr"), 0);
  EXPECT_EQ(context.read(frames[0], 0), 0);
}

TEST_F(CHipDevice, IsChosenBeforeAnythingIsAskedFor) {
  CContext context;
  ASSERT_EQ(context.use("psnr"), 0);
  EXPECT_EQ(vmaf_hip_import_state(context, state_), -EINVAL);
}

}  // namespace
}  // namespace hipvmaf::test
