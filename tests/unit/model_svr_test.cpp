#include <array>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include <hipvmaf/error.hpp>

#include "model/svr.hpp"

namespace hipvmaf {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string with_kernel(std::string_view kernel_lines) {
  return fmt::format(
      "svm_type nu_svr\n{}\nnr_class 2\ntotal_sv 2\nrho 0.25\nSV\n2 1:0.5 2:-1 \n-1 2:3\n",
      kernel_lines);
}

std::string failure(std::string_view text, std::size_t inputs = 2) {
  try {
    (void)parse_svr(text, inputs, "zoo");
  } catch (const Error& error) {
    return error.code() == ErrorCode::bad_model ? error.what() : "another code";
  }
  return {};
}

constexpr std::array kPoint{0.75, 0.5};

TEST(Svr, EvaluatesEveryKernel) {
  // Dot products with the two vectors: -0.125 and 1.5; squared distances 2.3125 and 6.8125.
  EXPECT_EQ(parse_svr(with_kernel("kernel_type linear"), 2, "").predict(kPoint),
            2 * -0.125 - 1.5 - 0.25);
  EXPECT_EQ(parse_svr(with_kernel("kernel_type rbf\ngamma 0.5"), 2, "").predict(kPoint),
            2 * std::exp(-0.5 * 2.3125) - std::exp(-0.5 * 6.8125) - 0.25);
  EXPECT_EQ(parse_svr(with_kernel("kernel_type polynomial\ndegree 3\ngamma 2\ncoef0 1"), 2, "")
                .predict(kPoint),
            2 * 0.75 * 0.75 * 0.75 - 64.0 - 0.25);
  EXPECT_EQ(parse_svr(with_kernel("kernel_type sigmoid\ngamma 2\ncoef0 -1"), 2, "").predict(kPoint),
            2 * std::tanh(-1.25) - std::tanh(2.0) - 0.25);
}

TEST(Svr, OneClassGivesTheSign) {
  const auto text = [](std::string_view rho) {
    return fmt::format(
        "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho {}\nSV\n1 1:1\n", rho);
  };
  EXPECT_EQ(parse_svr(text("0.5"), 2, "").predict(kPoint), 1.0);
  EXPECT_EQ(parse_svr(text("0.75"), 2, "").predict(kPoint), -1.0);
}

TEST(Svr, NonFiniteInputs) {
  const Svr svr = parse_svr(with_kernel("kernel_type rbf\ngamma 0.5"), 2, "");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(svr.predict(std::array{infinity, 0.0}), -0.25);
  EXPECT_TRUE(std::isnan(svr.predict(std::array{0.0, std::nan("")})));
}

TEST(SvrText, HeaderKeysComeInAnyOrderAndClassifierKeysAreSkipped) {
  const Svr svr = parse_svr(
      "nr_class 2\nrho -1\nprobA 0.5\nlabel 1 -1\nnr_sv 1 0\ntotal_sv 1\ngamma 0.1\n"
      "kernel_type rbf\nsvm_type epsilon_svr\nSV\n4 1:1 2:2   \nwhatever follows",
      2, "");
  EXPECT_EQ(svr.rho, -1.0);
  EXPECT_EQ(svr.coefficients, std::vector{4.0});
  EXPECT_EQ(svr.vectors, (std::vector{1.0, 2.0}));
}

TEST(SvrText, AbsentIndicesAreZeroAndTheLastNewlineMayMiss) {
  const Svr svr = parse_svr(
      "svm_type nu_svr\nkernel_type rbf\nnr_class 2\ntotal_sv 2\nrho 0\nSV\n1\n-2 3:1e-400", 4, "");
  EXPECT_EQ(svr.vectors, std::vector<double>(8, 0.0));
  EXPECT_EQ(svr.coefficients, (std::vector{1.0, -2.0}));
}

TEST(SvrText, RefusesWhatIsMalformedAndSaysWhere) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  const Case cases[] = {
      {"", "line 1: the text is empty"},
      {"svm_type", "line 1: the text ends where svm_type should be"},
      {"svm_type nu_svr\n", "line 2: the text ends where SV should be"},
      {"svm_type svm\n", "svm_type \"svm\" is unknown"},
      {"svm_type c_svc\n", "svm_type \"c_svc\" is a classifier"},
      {"svm_type nu_svc\n", "svm_type \"nu_svc\" is a classifier"},
      {"kernel_type precomputed\n", "kernel_type \"precomputed\" cannot be evaluated"},
      {"kernel_type gauss\n", "kernel_type \"gauss\" is unknown"},
      {"kernel_type rbf\r\n", "kernel_type \"rbf\r\" is unknown"},
      {"svm_type nu_svr\nfoo 1\n", "line 2: unknown token \"foo\""},
      {"svm_type  nu_svr\n", "svm_type \"\" is unknown"},
      {"gamma x\n", "gamma is \"x\""},
      {"gamma 0,04\n", "gamma is \"0,04\""},
      {"gamma nan\n", "gamma is \"nan\""},
      {"gamma inf\n", "gamma is \"inf\""},
      {"gamma 1e999\n", "gamma is \"1e999\""},
      {"gamma 0x1p1\n", "gamma is \"0x1p1\""},
      {"degree -1\n", "degree is -1, outside 0..1000"},
      {"nr_class 3\n", "nr_class is 3, outside 2..2"},
      {"rho 1\n", "rho comes before nr_class"},
      {"label 1 -1\n", "label comes before nr_class"},
      {"total_sv 0\n", "total_sv is 0, outside"},
      {"total_sv -1\n", "total_sv is -1, outside"},
      {"total_sv 99999999999999999999\n", "total_sv is \"99999999999999999999\""},
      {"svm_type nu_svr\nkernel_type rbf\nnr_class 2\nrho 0\nSV\n", "total_sv is missing"},
      {"svm_type nu_svr\nkernel_type rbf\nnr_class 2\ntotal_sv 1\nSV\n", "rho is missing"},
      {"kernel_type rbf\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n", "svm_type is missing"},
      {"svm_type nu_svr\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n", "kernel_type is missing"},
      {"svm_type nu_svr\nkernel_type rbf\nnr_class 2\ntotal_sv 1\nrho 0\nSV 1 1:1\n",
       "line 6: SV is not followed by a newline"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(failure(c.text), HasSubstr(c.message)) << c.text;
    EXPECT_THAT(failure(c.text), StartsWith("zoo, line ")) << c.text;
  }
}

TEST(SvrText, RefusesBadVectors) {
  struct Case {
    std::string_view vectors;
    std::string_view message;
  };
  const Case cases[] = {
      {"1 1:1\n", "line 8: the text ends after 1 of 2 support vectors (total_sv)"},
      {"", "line 7: the text ends after 0 of 2 support vectors (total_sv)"},
      {"\n1 1:1\n", "line 7: the coefficient is \"\""},
      {"nan 1:1\n1 1:1\n", "line 7: the coefficient is \"nan\""},
      {"1 1:1\n1 1:inf\n", "line 8: a value is \"inf\""},
      {"1 1:1 2\n1\n", "line 7: \"2\" is not index:value"},
      {"1 a:1\n1\n", "an index is \"a\""},
      {"1 0:1\n1\n", "index 0 after 0"},
      {"1 -1:1\n1\n", "index -1 after 0"},
      {"1 1:1 1:1\n1\n", "index 1 after 1"},
      {"1 2:1 1:1\n1\n", "index 1 after 2"},
      {"1 3:1\n1\n", "index 3, but the model has 2 features"},
      {"1 1:1\r\n1\n", "a value is \"1\r\""},
  };
  for (const Case& c : cases) {
    const std::string text = fmt::format(
        "svm_type nu_svr\nkernel_type rbf\nnr_class 2\ntotal_sv 2\nrho 0\nSV\n{}", c.vectors);
    EXPECT_THAT(failure(text), HasSubstr(c.message)) << c.vectors;
  }
}

TEST(SvrText, AClaimedSizeAllocatesNothing) {
  EXPECT_THAT(failure("svm_type nu_svr\nkernel_type rbf\nnr_class 2\ntotal_sv 2147483647\nrho 0\n"
                      "SV\n1 1:1\n",
                      64),
              HasSubstr("ends after 1 of 2147483647 support vectors"));
  std::string sparse =
      "svm_type nu_svr\nkernel_type rbf\nnr_class 2\ntotal_sv 1000000\nrho 0\nSV\n";
  for (int i = 0; i < 100'000; ++i) sparse += "1\n";
  EXPECT_THAT(failure(sparse, 64), HasSubstr("numbers in support vectors"));
}

}  // namespace
}  // namespace hipvmaf
