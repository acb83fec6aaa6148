// The self-test of a device: what is right passes, an extractor that computes wrongly does not.
#include "engine/self_test.hpp"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "features/gpu_stage.hpp"
#include "features/psnr/psnr.hpp"
#include "features/registry.hpp"
#include "gpu/primitive_check.hpp"

namespace hipvmaf::test {
namespace {

using testing::HasSubstr;

TEST(SelfTest, PassesEveryExtractor) {
  EXPECT_EQ(gpu::primitive_fault(), "");
  for (const Descriptor* extractor : registry()) {
    if (extractor->make_gpu_stage == nullptr) continue;
    for (const PictureFormat& format : {PictureFormat{1920, 1080, ChromaFormat::yuv420, 8},
                                        PictureFormat{1920, 1080, ChromaFormat::yuv444, 12}}) {
      EXPECT_EQ(device_fault(0, std::array{extractor}, format), "") << extractor->name;
    }
  }
}

/// Leaves its raw scores as they are: zero.
class IdleStage final : public GpuStage {
 public:
  void enqueue(gpu::Stream&, const DeviceWindow&, void*) override {}
};

TEST(SelfTest, FindsAnExtractorThatComputesWrongly) {
  Descriptor broken = psnr_descriptor;
  broken.make_gpu_stage = [](const OptionValues&,
                             const PictureFormat&) -> std::unique_ptr<GpuStage> {
    return std::make_unique<IdleStage>();
  };
  const Descriptor* const extractor = &broken;
  EXPECT_THAT(device_fault(0, std::array{extractor}, {64, 64, ChromaFormat::yuv420, 8}),
              HasSubstr("extractor psnr gives other scores"));
  broken.gpu_tolerance = 1e-6;
  EXPECT_THAT(device_fault(0, std::array{extractor}, {64, 64, ChromaFormat::yuv420, 8}),
              HasSubstr("extractor psnr gives other scores"));
}

}  // namespace
}  // namespace hipvmaf::test
