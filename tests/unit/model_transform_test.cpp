#include <array>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>

#include "unit/model_text.hpp"

namespace hipvmaf {
namespace {

using nlohmann::ordered_json;

Model model_with(const ordered_json& transform, const ordered_json& clip) {
  ordered_json file = test::identity_model();
  file["model_dict"]["score_transform"] = transform;
  if (!clip.is_null()) file["model_dict"]["score_clip"] = clip;
  return parse_model(file.dump(), "case", {}).model;
}

double predict(const Model& model, double value) { return model.predict(std::array{value}); }

TEST(ScoreTransform, ReproducesThePublishedVectors) {
  std::ifstream stream(HIPVMAF_TEST_DATA "/golden/model/transform_vectors.json");
  const ordered_json vectors = ordered_json::parse(stream);
  ASSERT_EQ(vectors["cases"].size(), 57U);
  for (const ordered_json& entry : vectors["cases"]) {
    const Model model = model_with(entry["score_transform"], entry["score_clip"]);
    for (std::size_t i = 0; i < vectors["input"].size(); ++i) {
      EXPECT_EQ(predict(model, vectors["input"][i]), entry["out"][i].get<double>())
          << entry["score_transform"] << " clip " << entry["score_clip"];
    }
  }
}

TEST(ScoreTransform, ExtendsTheOuterSegments) {
  const Model model =
      model_with({{"enabled", true}, {"knots", {{10, 20}, {20, 40}, {30, 45}}}}, {});
  EXPECT_EQ(predict(model, 0), 0.0);
  EXPECT_EQ(predict(model, 40), 50.0);
  EXPECT_EQ(predict(model, 15), 30.0);
}

TEST(ScoreTransform, KeepsNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Model model = model_with({{"enabled", true}, {"knots", {{0, 10}, {100, 90}}}}, {0, 100});
  EXPECT_TRUE(std::isnan(predict(model, nan)));
}

TEST(ScoreTransform, AClipUpsideDownEndsAtItsSecondNumber) {
  const Model model = model_with(ordered_json::object(), {60, 40});
  EXPECT_EQ(predict(model, 50), 40.0);
}

TEST(ScoreTransform, NullCoefficientsAreAbsent) {
  const Model model = model_with(
      {{"enabled", true}, {"p0", nullptr}, {"p1", 2}, {"p2", nullptr}, {"knots", nullptr}}, {});
  EXPECT_EQ(predict(model, 21), 42.0);
}

TEST(ScoreTransform, TheConfigEnablesIt) {
  ordered_json file = test::identity_model();
  file["model_dict"]["score_transform"] = {{"p1", 2}};
  file["model_dict"]["score_clip"] = {0, 50};
  const std::string text = file.dump();
  EXPECT_EQ(predict(parse_model(text, "t", {}).model, 30), 30.0);
  EXPECT_EQ(predict(parse_model(text, "t", {.enable_transform = true}).model, 30), 50.0);
  EXPECT_EQ(
      predict(parse_model(text, "t", {.disable_clip = true, .enable_transform = true}).model, 30),
      60.0);
}

}  // namespace
}  // namespace hipvmaf
