// Scores of the golden clips, predicted from the feature values beside them.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include <hipvmaf/model.hpp>

namespace hipvmaf {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Folder of the published model files; empty if there is none.
fs::path published_models() {
  const char* data = std::getenv("HIPVMAF_EXTRA_DATA");
  return data == nullptr ? fs::path{} : fs::path(data) / "models";
}

struct Golden {
  std::string file;
  json content;

  [[nodiscard]] std::string version() const { return content["model"]["version"]; }
  [[nodiscard]] ModelConfig config() const {
    const auto flags = content["model"]["flags"].get<std::set<std::string>>();
    return {.name = "vmaf",
            .disable_clip = flags.contains("disable_clip"),
            .enable_transform = flags.contains("enable_transform")};
  }
};

// The golden files that have scores.
const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all = [] {
    std::vector<Golden> found;
    for (const auto& entry : fs::directory_iterator(HIPVMAF_TEST_DATA "/golden/model")) {
      std::ifstream stream(entry.path());
      json content = json::parse(stream);
      if (content.contains("frames")) {
        found.push_back({entry.path().filename().string(), std::move(content)});
      }
    }
    std::ranges::sort(found, {}, &Golden::file);
    return found;
  }();
  return all;
}

// "VMAF_integer_feature_adm2_score" -> "integer_adm2", "Cambi_feature_cambi_score" -> "cambi".
std::string printed_name(std::string_view internal_name) {
  constexpr std::string_view kFeature = "feature_";
  const std::size_t at = internal_name.find(kFeature);
  std::string name(internal_name.substr(at + kFeature.size()));
  name.resize(name.size() - std::string_view("_score").size());
  return internal_name.starts_with("VMAF_integer_") ? "integer_" + name : name;
}

// A frame's values of the model's features: the figure of that name, with or without a suffix for
// the extractor's options.
std::vector<double> inputs(const Model& model, const json& frame) {
  std::vector<double> values;
  for (const ModelFeature& feature : model.features()) {
    const std::string name = printed_name(feature.internal_name);
    for (const auto& [key, value] : frame.items()) {
      if (key == name || key.starts_with(name + "_")) values.push_back(value);
    }
  }
  return values;
}

void expect_collection_scores(const LoadedModel& loaded, const json& frame,
                              const std::string& where) {
  const std::vector<double> values = inputs(loaded.model, frame);
  std::vector<double> raw;
  std::vector<double> scores;
  for (const Model& member : loaded.members) {
    raw.push_back(member.predict_raw(values));
    scores.push_back(member.predict(values));
    EXPECT_EQ(scores.back(), frame[member.name()].get<double>()) << where << member.name();
  }
  const BootstrapScores combined = combine_members(loaded.members, raw, scores);
  EXPECT_EQ(combined.bagging, frame["vmaf_bagging"].get<double>()) << where;
  EXPECT_EQ(combined.stddev, frame["vmaf_stddev"].get<double>()) << where;
  EXPECT_EQ(combined.ci_p95_lo, frame["vmaf_ci_p95_lo"].get<double>()) << where;
  EXPECT_EQ(combined.ci_p95_hi, frame["vmaf_ci_p95_hi"].get<double>()) << where;
}

// Equality holds where exp() rounds as in the C library that the figures were made with.
TEST(PublishedModels, GiveTheGoldenScores) {
  if (published_models().empty()) GTEST_SKIP() << "HIPVMAF_EXTRA_DATA is not set";
  std::size_t collections = 0;
  for (const Golden& golden : goldens()) {
    const LoadedModel loaded =
        load_model_file(published_models() / (golden.version() + ".json"), golden.config());
    for (const json& frame : golden.content["frames"]) {
      const std::vector<double> values = inputs(loaded.model, frame);
      ASSERT_EQ(values.size(), loaded.model.features().size()) << golden.file;
      EXPECT_EQ(loaded.model.predict(values), frame["vmaf"].get<double>()) << golden.file;
      if (!loaded.members.empty()) expect_collection_scores(loaded, frame, golden.file + " ");
    }
    collections += loaded.members.empty() ? 0U : 1U;
  }
  EXPECT_EQ(goldens().size(), 77U);
  EXPECT_GT(collections, 0U);
}

}  // namespace
}  // namespace hipvmaf
