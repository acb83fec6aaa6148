#include "base/numbers.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace hipvmaf {
namespace {

TEST(ParseReal, TakesWholeDecimalNumbersOnly) {
  EXPECT_EQ(parse_real("1.5"), 1.5);
  EXPECT_EQ(parse_real("+2e3"), 2000.0);
  EXPECT_EQ(parse_real("-0.25"), -0.25);
  for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "inf", "nan", "1e999", "+-1", "--1"}) {
    EXPECT_FALSE(parse_real(text)) << text;
  }
}

TEST(LeadingReal, FollowsAtof) {
  EXPECT_EQ(leading_real("  2.5abc"), 2.5);
  EXPECT_EQ(leading_real("abc"), 0.0);
  EXPECT_EQ(leading_real("0x1p-1"), 0.5);
  EXPECT_EQ(leading_real("0x"), 0.0);
  EXPECT_EQ(leading_real("1e-999"), 0.0);
  EXPECT_EQ(leading_real("1e999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(leading_real("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(leading_real("nan")));
}

TEST(LeadingInteger, FollowsAtoi) {
  EXPECT_EQ(leading_integer("63.9"), 63);
  EXPECT_EQ(leading_integer("63abc"), 63);
  EXPECT_EQ(leading_integer("1.23457e+07"), 1);
  EXPECT_EQ(leading_integer(" -7"), -7);
  EXPECT_EQ(leading_integer("x"), 0);
  EXPECT_EQ(leading_integer("+7"), 7);
  EXPECT_EQ(leading_integer("+-7"), 0);
}

TEST(ParseWholeFloat, TakesWhatScanfTakes) {
  EXPECT_EQ(parse_whole_float(" 0.5 "), 0.5F);
  EXPECT_EQ(parse_whole_float("0x1p-1"), 0.5F);
  EXPECT_EQ(parse_whole_float("1e-300"), 0.0F);
  EXPECT_FALSE(parse_whole_float("65abc"));
  EXPECT_FALSE(parse_whole_float("true"));
  EXPECT_FALSE(parse_whole_float(""));
}

TEST(Format, MatchesPrintf) {
  EXPECT_EQ(format_general(0.5), "0.5");
  EXPECT_EQ(format_general(12345678.0), "1.23457e+07");
  EXPECT_EQ(format_general(0.1, 17), "0.10000000000000001");
  EXPECT_EQ(format_fixed(2.0 / 3, 6), "0.666667");
  EXPECT_EQ(format_fixed(-0.0, 6), "-0.000000");
  EXPECT_EQ(format_fixed(std::numeric_limits<double>::max(), 16).size(), 326U);
}

}  // namespace
}  // namespace hipvmaf
