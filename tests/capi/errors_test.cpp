// Calls that make no sense: a status and a line, never a crash.
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capi/metadata.h"
#include "capi/support.hpp"

namespace hipvmaf::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(CErrors, NullArgumentsAreRefused) {
  CContext context;
  const CModel model("vmaf_v0.6.1");
  VmafModel* loaded = nullptr;
  VmafModelCollection* collection = nullptr;
  VmafModelConfig config{};
  VmafModelCollectionScore scores{};
  double score = 0;
  EXPECT_EQ(vmaf_init(nullptr, {}), -EINVAL);
  EXPECT_EQ(vmaf_close(nullptr), -EINVAL);
  EXPECT_EQ(vmaf_model_load(nullptr, &config, "vmaf_v0.6.1"), -EINVAL);
  EXPECT_EQ(vmaf_model_load(&loaded, nullptr, "vmaf_v0.6.1"), -EINVAL);
  EXPECT_EQ(vmaf_model_load(&loaded, &config, nullptr), -EINVAL);
  EXPECT_EQ(vmaf_model_load_from_path(&loaded, &config, nullptr), -EINVAL);
  EXPECT_EQ(vmaf_model_collection_load(&loaded, nullptr, &config, "x"), -EINVAL);
  EXPECT_EQ(vmaf_model_collection_load_from_path(nullptr, &collection, &config, "x"), -EINVAL);
  EXPECT_EQ(vmaf_model_feature_overload(nullptr, "vif", nullptr), -EINVAL);
  EXPECT_EQ(vmaf_model_feature_overload(model, "vif", nullptr), -EINVAL);
  EXPECT_EQ(vmaf_model_collection_feature_overload(model, nullptr, "vif", nullptr), -EINVAL);
  EXPECT_EQ(vmaf_use_features_from_model(nullptr, model), -EINVAL);
  EXPECT_EQ(vmaf_use_features_from_model(context, nullptr), -EINVAL);
  EXPECT_EQ(vmaf_use_features_from_model_collection(context, nullptr), -EINVAL);
  EXPECT_EQ(vmaf_use_feature(context, nullptr, nullptr), -EINVAL);
  EXPECT_EQ(vmaf_use_feature(nullptr, "psnr", nullptr), -EINVAL);
  EXPECT_EQ(vmaf_import_feature_score(context, nullptr, 0, 0), -EINVAL);
  EXPECT_EQ(vmaf_preallocate_pictures(nullptr, {}), -EINVAL);
  EXPECT_EQ(vmaf_fetch_preallocated_picture(context, nullptr), -EINVAL);
  EXPECT_EQ(vmaf_read_pictures(nullptr, nullptr, nullptr, 0), -EINVAL);
  EXPECT_EQ(vmaf_score_at_index(context, model, nullptr, 0), -EINVAL);
  EXPECT_EQ(vmaf_score_at_index(context, nullptr, &score, 0), -EINVAL);
  EXPECT_EQ(vmaf_score_at_index_model_collection(context, nullptr, &scores, 0), -EINVAL);
  EXPECT_EQ(vmaf_feature_score_at_index(context, nullptr, &score, 0), -EINVAL);
  EXPECT_EQ(vmaf_feature_score_pooled(context, "x", VMAF_POOL_METHOD_MEAN, nullptr, 0, 0), -EINVAL);
  EXPECT_EQ(vmaf_write_output(context, nullptr, VMAF_OUTPUT_FORMAT_XML), -EINVAL);
  EXPECT_EQ(vmaf_register_metadata_handler(context, {}), -EINVAL);
  VmafFeatureDictionary* options = nullptr;
  EXPECT_EQ(vmaf_feature_dictionary_set(nullptr, "a", "b"), -EINVAL);
  EXPECT_EQ(vmaf_feature_dictionary_set(&options, nullptr, "b"), -EINVAL);
  EXPECT_EQ(vmaf_feature_dictionary_set(&options, "a", nullptr), -EINVAL);
  EXPECT_EQ(options, nullptr);
  EXPECT_EQ(vmaf_feature_dictionary_free(nullptr), -EINVAL);
  EXPECT_EQ(vmaf_feature_dictionary_free(&options), 0);
  vmaf_model_destroy(nullptr);
  vmaf_model_collection_destroy(nullptr);
}

TEST(CErrors, ModelsThatCannotBeLoadedLeaveNothing) {
  const CContext silent;
  VmafModel* model = nullptr;
  VmafModelCollection* collection = nullptr;
  VmafModelConfig config{};
  EXPECT_EQ(vmaf_model_load(&model, &config, "vmaf_v9"), -EINVAL);
  EXPECT_EQ(vmaf_model_load_from_path(&model, &config, "/nonexistent.json"), -EINVAL);
  EXPECT_EQ(vmaf_model_collection_load(&model, &collection, &config, "vmaf_v0.6.1"), -EINVAL);
  EXPECT_EQ(vmaf_model_collection_load_from_path(&model, &collection, &config, "/nonexistent"),
            -EINVAL);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(collection, nullptr);
}

TEST(CErrors, RequestsThatCannotBeMet) {
  CContext context;
  VmafFeatureDictionary* kept = dictionary({{"enable_mse", "true"}});
  EXPECT_EQ(vmaf_use_feature(context, "psrn", kept), -EINVAL);
  EXPECT_EQ(vmaf_feature_dictionary_free(&kept), 0);  // not taken over
  EXPECT_EQ(context.use("psnr", {{"enable_mse", "perhaps"}}), -EINVAL);
  ASSERT_EQ(context.use("psnr", {{"min_sse", "0.5"}}), 0);
  EXPECT_EQ(context.use("psnr", {{"min_sse", "0.25"}}), -EINVAL);
  EXPECT_EQ(context.use("vif", {{"no_such_option", "1"}}), 0);  // a warning
  const CModel model("vmaf_v0.6.1");
  ASSERT_EQ(vmaf_model_feature_overload(model, "vif", dictionary({{"vif_enhn_gain_limit", "0.1"}})),
            0);
  EXPECT_EQ(vmaf_use_features_from_model(context, model), -EINVAL);
  EXPECT_EQ(vmaf_use_features_from_model(context, model), -EINVAL);  // and not known since
  const CModel other("vmaf_v0.6.1");
  EXPECT_EQ(vmaf_use_features_from_model(context, other), 0);
  EXPECT_EQ(vmaf_use_features_from_model(context, other), 0);
  const CModel neg("vmaf_v0.6.1neg");  // of the same name
  EXPECT_EQ(vmaf_use_features_from_model(context, neg), -EINVAL);
  const CModel odd("vmaf_v0.6.1", "a,b");
  EXPECT_EQ(vmaf_use_features_from_model(context, odd), -EINVAL);
}

TEST(CErrors, CallsOutOfOrder) {
  const auto frames = frames_of("cif8", 1);
  CContext context;
  ASSERT_EQ(context.use("motion"), 0);
  EXPECT_EQ(context.flush(), -EINVAL);  // nothing has been read
  EXPECT_EQ(context.read(frames[0], 1), -EINVAL);
  ASSERT_EQ(context.read(frames[0], 0), 0);
  EXPECT_EQ(context.read(frames[0], 0), -EINVAL);
  EXPECT_EQ(context.read(frames[0], 2), -EINVAL);
  EXPECT_EQ(context.use("psnr"), -EINVAL);
  const CModel model("vmaf_v0.6.1");
  EXPECT_EQ(vmaf_use_features_from_model(context, model), -EINVAL);
  EXPECT_EQ(vmaf_import_feature_score(context, "VMAF_integer_feature_motion2_score", 1, 0),
            -EINVAL);
  ASSERT_EQ(context.flush(), 0);
  EXPECT_EQ(context.flush(), -EINVAL);
  EXPECT_EQ(context.read(frames[0], 1), -EINVAL);
}

TEST(CErrors, ExtractorsWithoutAPastTakeAnyOrderOfIndices) {
  const auto frames = frames_of("cif8", 3);
  CContext context(2);
  ASSERT_EQ(context.use("float_psnr"), 0);
  ASSERT_EQ(vmaf_import_feature_score(context, "mine", 4.5, 7), 0);
  ASSERT_EQ(context.read(frames[0], 7), 0);
  ASSERT_EQ(context.read(frames[1], 2), 0);
  ASSERT_EQ(context.read(frames[2], 0), 0);
  EXPECT_EQ(context.read(frames[0], 2), -EINVAL);
  EXPECT_EQ(context.read(frames[0], UINT32_MAX), -EINVAL);
  ASSERT_EQ(context.flush(), 0);
  Session session({.threads = 1});
  session.add_feature("float_psnr");
  for (const PicturePair& pair : frames) session.submit(pair.reference, pair.distorted);
  session.finish();
  const std::array<unsigned, 3> indices{7, 2, 0};
  for (std::size_t i = 0; i < indices.size(); ++i) {
    double score = 0;
    ASSERT_EQ(vmaf_feature_score_at_index(context, "float_psnr", &score, indices[i]), 0);
    EXPECT_EQ(score, session.score("float_psnr", static_cast<std::int64_t>(i)));
  }
  double score = 0;
  EXPECT_EQ(vmaf_feature_score_at_index(context, "float_psnr", &score, 1), -EINVAL);
  ASSERT_EQ(vmaf_feature_score_at_index(context, "mine", &score, 7), 0);
  EXPECT_EQ(score, 4.5);
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "hipvmaf_gaps.csv";
  ASSERT_EQ(vmaf_write_output(context, path.c_str(), VMAF_OUTPUT_FORMAT_CSV), 0);
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  EXPECT_EQ(header, "Frame,mine,float_psnr,");  // in the order in which they came
  std::filesystem::remove(path);
}

TEST(CErrors, PicturesBelowAnExtractorsMinimum) {
  for (const unsigned threads : {0U, 2U}) {
    CContext context(threads);
    ASSERT_EQ(context.use("vif"), 0);
    VmafPicture pair[2];
    for (VmafPicture& picture : pair) {
      ASSERT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, 15, 15), 0);
    }
    EXPECT_EQ(vmaf_read_pictures(context, &pair[0], &pair[1], 0), -EINVAL);
    for (VmafPicture& picture : pair) EXPECT_EQ(vmaf_picture_unref(&picture), 0);
  }
}

TEST(CErrors, ReportsThatCannotBeWritten) {
  CContext context;
  EXPECT_EQ(vmaf_write_output(context, "/nonexistent/report.xml", VMAF_OUTPUT_FORMAT_XML), -EINVAL);
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "hipvmaf_none.xml";
  for (const int format : {0, 5, 99}) {
    EXPECT_EQ(vmaf_write_output(context, path.c_str(), static_cast<VmafOutputFormat>(format)),
              -EINVAL);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  EXPECT_EQ(vmaf_write_output(context, path.c_str(), VMAF_OUTPUT_FORMAT_JSON), 0);  // empty
  std::filesystem::remove(path);
}

TEST(CErrors, AreSaidAtTheLevelOfTheContext) {
  for (const VmafLogLevel level : {VMAF_LOG_LEVEL_NONE, VMAF_LOG_LEVEL_ERROR}) {
    CContext context(0, 1, level);
    testing::internal::CaptureStderr();
    EXPECT_EQ(context.use("psrn"), -EINVAL);
    EXPECT_EQ(context.use("psnr", {{"unknown", "1"}}), 0);  // a warning
    const std::string text = testing::internal::GetCapturedStderr();
    if (level == VMAF_LOG_LEVEL_NONE) {
      EXPECT_THAT(text, IsEmpty());
    } else {
      EXPECT_THAT(text, HasSubstr("libvmaf ERROR no extractor is named psrn"));
      EXPECT_THAT(text, testing::Not(HasSubstr("WARNING")));
    }
  }
}

}  // namespace
}  // namespace hipvmaf::test
