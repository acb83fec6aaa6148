// Reports and numbers against files that libvmaf wrote. NAME.scores.json holds, with full
// precision, the scores behind the reports NAME.xml, .json, .csv and .sub.
#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include <hipvmaf/report.hpp>

#include "base/numbers.hpp"
#include "report/number_format.hpp"

namespace hipvmaf {
namespace {

using nlohmann::json;

std::string read_golden(const std::string& name) {
  const std::string path = HIPVMAF_TEST_DATA "/golden/reports/" + name;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// JSON has no infinities; they are texts.
double number(const json& value) {
  return value.is_string() ? leading_real(value.get<std::string>()) : value.get<double>();
}

ScoreTable score_table(const json& source) {
  ScoreTable scores;
  for (const std::string name : source.at("columns")) scores.add_column(name, name);
  for (const json& frame : source.at("frames")) {
    const json& values = frame.at(1);
    for (std::size_t c = 0; c < values.size(); ++c) {
      scores.set(c, frame.at(0).get<std::int64_t>(), number(values[c]));
    }
  }
  for (const json& aggregate : source.at("aggregates")) {
    scores.set_aggregate(aggregate.at(0).get<std::string>(), number(aggregate.at(1)));
  }
  return scores;
}

class GoldenReport : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(GoldenReport, IsReproducedToTheByte) {
  const auto [name, extension] = GetParam();
  const json source = json::parse(read_golden(std::string(name) + ".scores.json"));
  ReportInfo info;
  info.version = "f85a8536";
  info.width = source.at("width");
  info.height = source.at("height");
  info.picture_count = source.at("picture_count");
  info.subsample = source.at("subsample");
  if (source.at("columns").empty()) info.fps = std::numeric_limits<double>::infinity();
  const std::string file = std::string(name) + extension;
  const auto format = format_of_extension(file);
  ASSERT_TRUE(format);
  EXPECT_EQ(format_report(*format, score_table(source), info, Precision{}), read_golden(file));
}

INSTANTIATE_TEST_SUITE_P(All, GoldenReport,
                         testing::Combine(testing::Values("cif8_vmaf_neg_psnr", "same8_inf",
                                                          "cut8_subsample3", "cif8_bootstrap",
                                                          "sd8_v1", "cif8_nofeature"),
                                          testing::Values(".xml", ".json", ".csv", ".sub")));

TEST(GoldenNumbers, AreReproduced) {
  const json pairs = json::parse(read_golden("number_format.json"));
  EXPECT_EQ(pairs.size(), 334U);
  for (const json& pair : pairs) {
    const std::string hexadecimal = pair.at(0);
    EXPECT_EQ(format_score(leading_real(hexadecimal), Precision{}), pair.at(1).get<std::string>())
        << hexadecimal;
  }
}

TEST(GoldenPooling, IsReproduced) {
  const json cases = json::parse(read_golden("pooled.json"));
  EXPECT_EQ(cases.size(), 45U);
  for (const json& c : cases) {
    ScoreTable scores;
    const std::size_t column = scores.add_column("x", "x");
    const auto values = c.at("values").get<std::vector<double>>();
    const auto end = static_cast<std::int64_t>(values.size());
    for (std::int64_t i = 0; i < end; ++i) {
      scores.set(column, i, values[static_cast<std::size_t>(i)]);
    }
    const auto pooled = pool(scores, column, 0, end, 1);
    ASSERT_TRUE(pooled);
    const std::vector<double> figures = {pooled->min, pooled->max, pooled->mean,
                                         pooled->harmonic_mean};
    EXPECT_EQ(figures, c.at("pooled").get<std::vector<double>>()) << c.at("figure");
  }
}

}  // namespace
}  // namespace hipvmaf
