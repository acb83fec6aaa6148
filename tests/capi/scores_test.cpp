// Scores through the C interface are those of a Session: same values, same reports.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <thread>

#include <hipvmaf/report.hpp>

#include "capi/support.hpp"

namespace hipvmaf::test {
namespace {

constexpr int kFrames = 6;

/// The same requests to a Session.
std::unique_ptr<Session> session_scores(const std::vector<PicturePair>& frames, int subsample = 1) {
  auto session = std::make_unique<Session>(SessionConfig{.threads = 1, .subsample = subsample});
  session->add_model(load_builtin_model("vmaf_v0.6.1", {}));
  session->add_feature("psnr", {{"enable_apsnr", "true"}});
  for (const PicturePair& pair : frames) session->submit(pair.reference, pair.distorted);
  session->finish();
  return session;
}

void measure(CContext& context, VmafModel* model, const std::vector<PicturePair>& frames) {
  ASSERT_EQ(vmaf_use_features_from_model(context, model), 0);
  ASSERT_EQ(context.use("psnr", {{"enable_apsnr", "true"}}), 0);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ASSERT_EQ(context.read(frames[i], static_cast<unsigned>(i)), 0) << i;
  }
  ASSERT_EQ(context.flush(), 0);
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  return text;
}

TEST(CScores, EqualThoseOfASession) {
  for (const char* clip : {"cif8", "sd10", "oddsize"}) {
    const auto frames = frames_of(clip, kFrames);
    const auto session = session_scores(frames);
    for (const unsigned threads : {0U, 1U, 5U}) {
      CContext context(threads);
      const CModel model("vmaf_v0.6.1");
      measure(context, model, frames);
      for (unsigned i = 0; i < kFrames; ++i) {
        double vmaf = 0;
        double psnr = 0;
        double vif = 0;
        ASSERT_EQ(vmaf_score_at_index(context, model, &vmaf, i), 0);
        ASSERT_EQ(vmaf_feature_score_at_index(context, "psnr_cb", &psnr, i), 0);
        ASSERT_EQ(
            vmaf_feature_score_at_index(context, "VMAF_integer_feature_vif_scale2_score", &vif, i),
            0);
        EXPECT_EQ(vmaf, session->score("vmaf", i));
        EXPECT_EQ(psnr, session->score("psnr_cb", i));
        EXPECT_EQ(vif, session->score("integer_vif_scale2", i));
      }
      double none = 7;
      EXPECT_EQ(vmaf_score_at_index(context, model, &none, kFrames), -EINVAL);
      EXPECT_EQ(vmaf_feature_score_at_index(context, "psnr_y", &none, UINT32_MAX), -EINVAL);
      EXPECT_EQ(vmaf_feature_score_at_index(context, "nothing", &none, 0), -EINVAL);
      EXPECT_EQ(none, 7);
    }
  }
}

TEST(CScores, PoolAsReportsDo) {
  const auto frames = frames_of("cif8", kFrames);
  const auto session = session_scores(frames);
  CContext context(2);
  const CModel model("vmaf_v0.6.1");
  measure(context, model, frames);
  const PooledScore expected = session->pooled("vmaf").value();
  const auto pooled = [&](VmafPoolingMethod method, unsigned low, unsigned high) {
    double score = -1;
    EXPECT_EQ(vmaf_score_pooled(context, model, method, &score, low, high), 0);
    return score;
  };
  EXPECT_EQ(pooled(VMAF_POOL_METHOD_MIN, 0, kFrames - 1), expected.min);
  EXPECT_EQ(pooled(VMAF_POOL_METHOD_MAX, 0, kFrames - 1), expected.max);
  EXPECT_EQ(pooled(VMAF_POOL_METHOD_MEAN, 0, kFrames - 1), expected.mean);
  EXPECT_EQ(pooled(VMAF_POOL_METHOD_HARMONIC_MEAN, 0, kFrames - 1), expected.harmonic_mean);
  EXPECT_EQ(pooled(VMAF_POOL_METHOD_MEAN, 3, 3), session->score("vmaf", 3));
  double psnr = 0;
  ASSERT_EQ(
      vmaf_feature_score_pooled(context, "psnr_y", VMAF_POOL_METHOD_MEAN, &psnr, 0, kFrames - 1),
      0);
  EXPECT_EQ(psnr, session->pooled("psnr_y")->mean);

  double score = 7;
  EXPECT_EQ(vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &score, 2, 1), -EINVAL);
  EXPECT_EQ(vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &score, 0, kFrames), -EINVAL);
  EXPECT_EQ(vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &score, 0, UINT32_MAX),
            -EINVAL);
  for (const int method : {0, 5, 7}) {
    EXPECT_EQ(
        vmaf_score_pooled(context, model, static_cast<VmafPoolingMethod>(method), &score, 0, 1),
        -EINVAL);
  }
  EXPECT_EQ(vmaf_feature_score_pooled(context, "none", VMAF_POOL_METHOD_MEAN, &score, 0, 1),
            -EINVAL);
  EXPECT_EQ(score, 7);
}

TEST(CScores, SkipWhatSubsamplingExcludes) {
  const auto frames = frames_of("cif8", kFrames);
  const auto session = session_scores(frames, 4);
  CContext context(0, 4);
  const CModel model("vmaf_v0.6.1");
  measure(context, model, frames);
  double score = 0;
  EXPECT_EQ(vmaf_score_at_index(context, model, &score, 1), -EINVAL);
  ASSERT_EQ(vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &score, 0, kFrames - 1), 0);
  EXPECT_EQ(score, session->pooled("vmaf")->mean);
  EXPECT_EQ(vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &score, 5, 6), -EINVAL);
}

TEST(CScores, OfAFrameAreThereOneFrameLaterAtTheLatest) {
  const auto frames = frames_of("cif8", kFrames);
  const auto session = session_scores(frames);
  CContext context(0);
  const CModel model("vmaf_v0.6.1", "self");
  ASSERT_EQ(vmaf_use_features_from_model(context, model), 0);
  ASSERT_EQ(context.use("psnr"), 0);
  double score = 0;
  EXPECT_EQ(vmaf_score_at_index(context, model, &score, UINT32_MAX), -EINVAL);
  for (unsigned i = 0; i < kFrames; ++i) {
    ASSERT_EQ(context.read(frames[i], i), 0);
    ASSERT_EQ(vmaf_feature_score_at_index(context, "psnr_y", &score, i), 0);
    EXPECT_EQ(score, session->score("psnr_y", i));
    if (i == 0) continue;
    ASSERT_EQ(vmaf_score_at_index(context, model, &score, i - 1), 0);
    EXPECT_EQ(score, session->score("vmaf", i - 1));
  }
}

TEST(CScores, MayBeAskedForBesideReading) {
  const auto frames = frames_of("cif8", kFrames);
  const auto session = session_scores(frames);
  CContext context(2);
  ASSERT_EQ(context.use("psnr"), 0);
  std::thread watcher([&] {
    for (unsigned i = 0; i < kFrames;) {
      double score = 0;
      if (vmaf_feature_score_at_index(context, "psnr_y", &score, i) != 0) continue;
      EXPECT_EQ(score, session->score("psnr_y", i));
      ++i;
    }
  });
  for (unsigned i = 0; i < kFrames; ++i) EXPECT_EQ(context.read(frames[i], i), 0);
  EXPECT_EQ(context.flush(), 0);
  watcher.join();
}

TEST(CScores, GoIntoTheReportsOfASession) {
  const auto frames = frames_of("cif8", kFrames);
  const auto session = session_scores(frames);
  CContext context(3);
  const CModel model("vmaf_v0.6.1");
  measure(context, model, frames);
  double score = 0;
  ASSERT_EQ(vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, &score, 0, kFrames - 1), 0);
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "hipvmaf_capi";
  const std::vector<std::pair<VmafOutputFormat, ReportFormat>> formats{
      {VMAF_OUTPUT_FORMAT_XML, ReportFormat::xml},
      {VMAF_OUTPUT_FORMAT_JSON, ReportFormat::json},
      {VMAF_OUTPUT_FORMAT_CSV, ReportFormat::csv},
      {VMAF_OUTPUT_FORMAT_SUB, ReportFormat::sub}};
  for (const auto& [c_format, format] : formats) {
    ASSERT_EQ(vmaf_write_output(context, path.c_str(), c_format), 0);
    EXPECT_EQ(without_fps(file_text(path)),
              without_fps(format_report(format, session->scores(), session->report_info(), {})));
  }
}

TEST(CScores, TakeOptionsAndOverloads) {
  const auto frames = frames_of("cif8", 2);
  Session session({.threads = 1});
  session.add_model(load_builtin_model("vmaf_v0.6.1", {}),
                    {{"vif", {{"vif_enhn_gain_limit", "1"}}}});
  session.add_feature("adm", {{"adm_enhn_gain_limit", "1.1"}});
  for (const PicturePair& pair : frames) session.submit(pair.reference, pair.distorted);
  session.finish();

  CContext context(0);
  const CModel model("vmaf_v0.6.1");
  ASSERT_EQ(vmaf_model_feature_overload(model, "vif", dictionary({{"vif_enhn_gain_limit", "1.0"}})),
            0);
  ASSERT_EQ(vmaf_use_features_from_model(context, model), 0);
  ASSERT_EQ(context.use("adm", {{"adm_enhn_gain_limit", "7"}, {"adm_enhn_gain_limit", "1.10"}}), 0);
  ASSERT_EQ(context.use("null"), 0);
  for (unsigned i = 0; i < 2; ++i) ASSERT_EQ(context.read(frames[i], i), 0);
  ASSERT_EQ(context.flush(), 0);
  double score = 0;
  ASSERT_EQ(vmaf_score_at_index(context, model, &score, 1), 0);
  EXPECT_EQ(score, session.score("vmaf", 1));
  ASSERT_EQ(vmaf_feature_score_at_index(context, "integer_adm2_egl_1.1", &score, 1), 0);
  EXPECT_EQ(score, session.score("integer_adm2_egl_1.1", 1));
}

TEST(CScores, MayBeImported) {
  CContext context(0);
  const CModel model("vmaf_v0.6.1");
  const std::vector<const char*> inputs{
      "VMAF_integer_feature_adm2_score",       "VMAF_integer_feature_motion2_score",
      "VMAF_integer_feature_vif_scale0_score", "VMAF_integer_feature_vif_scale1_score",
      "VMAF_integer_feature_vif_scale2_score", "VMAF_integer_feature_vif_scale3_score"};
  const std::vector<double> values{0.95, 3.5, 0.5, 0.8, 0.9, 0.93};
  double score = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(vmaf_score_at_index(context, model, &score, 3), -EINVAL);
    ASSERT_EQ(vmaf_import_feature_score(context, inputs[i], values[i], 3), 0);
  }
  EXPECT_EQ(vmaf_import_feature_score(context, inputs[0], 1, 3), -EINVAL);
  EXPECT_EQ(vmaf_import_feature_score(context, "a,b", 1, 3), -EINVAL);
  EXPECT_EQ(vmaf_import_feature_score(context, "far", 1, UINT32_MAX), -EINVAL);
  ASSERT_EQ(vmaf_score_at_index(context, model, &score, 3), 0);
  const LoadedModel expected = load_builtin_model("vmaf_v0.6.1", {});
  std::vector<double> in_order;
  for (const ModelFeature& feature : expected.model.features()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (feature.internal_name == inputs[i]) in_order.push_back(values[i]);
    }
  }
  EXPECT_EQ(score, expected.model.predict(in_order));
  ASSERT_EQ(context.flush(), 0);  // nothing is measured
}

TEST(CScores, OfACollectionAreItsStatistics) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "hipvmaf_collection.json";
  write_collection(path);
  const auto frames = frames_of("cif8", 3);
  ModelConfig config;
  config.name = "self";
  Session session({.threads = 1});
  session.add_model(load_model_file(path, config));
  for (const PicturePair& pair : frames) session.submit(pair.reference, pair.distorted);
  session.finish();

  VmafModel* model = nullptr;
  VmafModelCollection* collection = nullptr;
  VmafModelConfig c_config{"self", 0};
  EXPECT_EQ(vmaf_model_load_from_path(&model, &c_config, path.c_str()), -EINVAL);
  EXPECT_EQ(model, nullptr);
  ASSERT_EQ(vmaf_model_collection_load_from_path(&model, &collection, &c_config, path.c_str()), 0);
  std::filesystem::remove(path);
  CContext context(0);
  ASSERT_EQ(vmaf_use_features_from_model(context, model), 0);
  ASSERT_EQ(vmaf_use_features_from_model_collection(context, collection), 0);
  ASSERT_EQ(vmaf_use_features_from_model_collection(context, collection), 0);  // once more
  for (unsigned i = 0; i < 3; ++i) ASSERT_EQ(context.read(frames[i], i), 0);
  ASSERT_EQ(context.flush(), 0);
  VmafModelCollectionScore score{};
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (unsigned i = 0; i < 3; ++i) {
      ASSERT_EQ(vmaf_score_at_index_model_collection(context, collection, &score, i), 0);
      EXPECT_EQ(score.type, VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP);
      EXPECT_EQ(score.bootstrap.bagging_score, session.score("self_bagging", i));
      EXPECT_EQ(score.bootstrap.stddev, session.score("self_stddev", i));
      EXPECT_EQ(score.bootstrap.ci.p95.lo, session.score("self_ci_p95_lo", i));
      EXPECT_EQ(score.bootstrap.ci.p95.hi, session.score("self_ci_p95_hi", i));
    }
  }
  ASSERT_EQ(
      vmaf_score_pooled_model_collection(context, collection, VMAF_POOL_METHOD_MEAN, &score, 0, 2),
      0);
  EXPECT_EQ(score.bootstrap.bagging_score, session.pooled("self_bagging")->mean);
  EXPECT_EQ(score.bootstrap.ci.p95.lo, session.pooled("self_ci_p95_lo")->mean);
  double one = 0;
  ASSERT_EQ(vmaf_score_at_index(context, model, &one, 1), 0);
  EXPECT_EQ(one, session.score("self", 1));
  ASSERT_EQ(vmaf_feature_score_at_index(context, "self_0002", &one, 1), 0);
  EXPECT_EQ(one, session.score("self_0002", 1));
  vmaf_model_collection_destroy(collection);
  vmaf_model_destroy(model);
}

}  // namespace
}  // namespace hipvmaf::test
