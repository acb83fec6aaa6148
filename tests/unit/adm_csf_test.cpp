#include "features/adm/adm_csf.hpp"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "features/adm/adm_scales.hpp"

namespace hipvmaf::adm {
namespace {

using testing::ElementsAre;

using Requests = std::vector<std::pair<const char*, const char*>>;
using Weights = std::array<std::pair<float, float>, 4>;  // H and V, D by scale
using IntegerWeights = std::array<std::pair<unsigned, unsigned>, 4>;

template <class Csf>
Weights by_scale(const Csf& csf) {
  Weights weights;
  for (int s = 0; s < 4; ++s) {
    const CsfWeights scale = csf(s);
    weights[static_cast<std::size_t>(s)] = {scale.straight, scale.diagonal};
  }
  return weights;
}

IntegerWeights integer_weights(const Requests& requests) {
  OptionTexts texts;
  for (const auto& [name, text] : requests) texts.set(name, text);
  const OptionValues options(adm_descriptor.name, adm_descriptor.options, texts);
  IntegerWeights weights;
  const Setup setup = make_setup(options, {1920, 1080});
  for (std::size_t s = 0; s < setup.size(); ++s) {
    EXPECT_EQ(setup[s].bands[0].weight, setup[s].bands[1].weight);
    weights[s] = {setup[s].bands[0].weight, setup[s].bands[2].weight};
  }
  return weights;
}

TEST(AdmCsf, Watson) {
  const auto watson = [](Viewing viewing) {
    return by_scale([&](int scale) { return watson_csf(scale, viewing); });
  };
  EXPECT_EQ(watson({3, 1080}), (Weights{{{0x1.1cc774p-6F, 0x1.820d54p-8F},
                                         {0x1.06050cp-5F, 0x1.d48d46p-7F},
                                         {0x1.634f1p-5F, 0x1.8fb80cp-6F},
                                         {0x1.762816p-5F, 0x1.008392p-5F}}}));
  EXPECT_EQ(watson({5, 1080}), (Weights{{{0x1.c0364ep-8F, 0x1.0ad7fep-9F},
                                         {0x1.dbf058p-7F, 0x1.75c678p-8F},
                                         {0x1.746c1p-6F, 0x1.700066p-7F},
                                         {0x1.c49c48p-6F, 0x1.108d0ep-6F}}}));
  EXPECT_EQ(watson({3, 2160}), (Weights{{{0x1.392e4ep-8F, 0x1.6408d8p-10F},
                                         {0x1.5e020ep-7F, 0x1.0670cp-8F},
                                         {0x1.20415cp-6F, 0x1.0ff286p-7F},
                                         {0x1.70b4fap-6F, 0x1.a7f684p-7F}}}));
}

TEST(AdmCsf, Barten) {
  const auto weights = by_scale([](int scale) { return barten_csf(scale, {3, 1080}, 1, 1); });
  EXPECT_EQ(weights, (Weights{{{0x1.35e31ap+0F, 0x1.35e31ap+0F},
                               {0x1.42b3c6p+2F, 0x1.42b3c6p+2F},
                               {0x1.d410eap+3F, 0x1.d410eap+3F},
                               {0x1.af9d36p+4F, 0x1.af9d36p+4F}}}));
  const CsfWeights scaled = barten_csf(0, {3, 1080}, 2, 0.5);
  EXPECT_EQ(scaled.straight, 0x1.35e31ap+1F);
  EXPECT_EQ(scaled.diagonal, 0x1.35e31ap-1F);
}

TEST(AdmCsf, OfTheDetailLossMeasure) {
  const auto weights = by_scale([](int scale) { return dlm_csf(scale, {3, 1080}); });
  EXPECT_EQ(weights, (Weights{{{0x1.64e63ap-8F, 0x1.e381b4p-13F},
                               {0x1.55ad9ep-3F, 0x1.4dc9d8p-5F},
                               {0x1.55f234p-1F, 0x1.8e8f96p-2F},
                               {0x1.f8f7acp-1F, 0x1.c13552p-1F}}}));
}

TEST(AdmCsf, BlendsAreForListedViewingsOnly) {
  const auto weights = blended_csf(CsfBlend::standard, 3, {5, 720});
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->straight, 0.05672F);
  EXPECT_EQ(weights->diagonal, 0.034641F);
  const auto mae = blended_csf(CsfBlend::mean_absolute_error, 0, {1.5, 2160});
  ASSERT_TRUE(mae);
  EXPECT_EQ(mae->straight, 0.011249F);
  EXPECT_EQ(mae->diagonal, 0.004097F);
  EXPECT_FALSE(blended_csf(CsfBlend::standard, 0, {4, 1080}));
  EXPECT_FALSE(blended_csf(CsfBlend::mean_absolute_error, 0, {3, 1440}));
}

TEST(AdmCsf, IntegerWeightsOfWatson) {
  EXPECT_EQ(integer_weights({}), (IntegerWeights{{{36453, 49417},
                                                  {137373792, 61414028},
                                                  {186284160, 104783920},
                                                  {196165808, 134487184}}}));
  EXPECT_EQ(
      integer_weights({{"adm_norm_view_dist", "5"}}),
      (IntegerWeights{
          {{14342, 17077}, {62382256, 24495736}, {97628224, 48234700}, {118649120, 71447608}}}));
  EXPECT_EQ(
      integer_weights({{"adm_norm_view_dist", "6"}}),
      (IntegerWeights{
          {{10021, 11393}, {45876252, 17199296}, {75564400, 35644684}, {96654312, 55569672}}}));
}

TEST(AdmCsf, IntegerWeightsOfBartenKeepTheLowBits) {
  const IntegerWeights weights = integer_weights({{"adm_csf_mode", "1"}});
  EXPECT_EQ(weights[0], std::pair(48227U, 61837U));
  EXPECT_EQ(weights[1].first, 181344256U);
  EXPECT_EQ(weights[2].first, 2693222400U);
  EXPECT_EQ(weights[3].first, 4191379456U);
}

}  // namespace
}  // namespace hipvmaf::adm
