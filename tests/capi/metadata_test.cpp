// Handlers hear of every score as it is stored, and models predict by themselves then.
#include "capi/metadata.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "capi/support.hpp"

namespace hipvmaf::test {
namespace {

using Heard = std::vector<std::pair<unsigned, double>>;

void note(void* data, VmafMetadata* metadata) {
  static_cast<Heard*>(data)->emplace_back(metadata->picture_index, metadata->score);
}

VmafMetadataConfiguration handler(char* name, Heard& heard) { return {name, note, &heard}; }

TEST(CMetadata, ComesAsScoresAreMade) {
  const auto frames = frames_of("cif8", 4);
  Session session({.threads = 1});
  session.add_model(load_builtin_model("vmaf_v0.6.1", {}));
  session.add_feature("psnr");
  for (const PicturePair& pair : frames) session.submit(pair.reference, pair.distorted);
  session.finish();

  char vmaf_name[] = "vmaf";
  char psnr_name[] = "psnr_y";
  for (const unsigned threads : {0U, 2U}) {
    CContext context(threads);
    const CModel model("vmaf_v0.6.1");
    Heard vmaf;
    Heard psnr;
    ASSERT_EQ(vmaf_register_metadata_handler(context, handler(vmaf_name, vmaf)), 0);
    ASSERT_EQ(vmaf_register_metadata_handler(context, handler(psnr_name, psnr)), 0);
    ASSERT_EQ(vmaf_use_features_from_model(context, model), 0);
    ASSERT_EQ(context.use("psnr"), 0);
    for (unsigned i = 0; i < frames.size(); ++i) {
      ASSERT_EQ(context.read(frames[i], i), 0);
      if (threads > 0) continue;
      EXPECT_EQ(psnr.size(), i + 1);
      EXPECT_EQ(vmaf.size(), std::max(i, 1U));  // motion looks one frame ahead, but at frame 0
    }
    ASSERT_EQ(context.flush(), 0);
    ASSERT_EQ(vmaf.size(), frames.size());
    ASSERT_EQ(psnr.size(), frames.size());
    for (unsigned i = 0; i < frames.size(); ++i) {
      EXPECT_EQ(vmaf[i], std::pair(i, session.score("vmaf", i).value()));
      EXPECT_EQ(psnr[i], std::pair(i, session.score("psnr_y", i).value()));
    }
    // Asked for, they are what was heard, and no one hears of them again.
    double score = 0;
    ASSERT_EQ(vmaf_score_at_index(context, model, &score, 2), 0);
    EXPECT_EQ(score, vmaf[2].second);
    EXPECT_EQ(vmaf.size(), frames.size());
  }
}

TEST(CMetadata, ComesForImportedScores) {
  char name[] = "mine";
  Heard heard;
  CContext context;
  ASSERT_EQ(vmaf_register_metadata_handler(context, handler(name, heard)), 0);
  ASSERT_EQ(vmaf_import_feature_score(context, "mine", 2.5, 9), 0);
  ASSERT_EQ(vmaf_import_feature_score(context, "other", 1, 9), 0);
  EXPECT_EQ(heard, (Heard{{9, 2.5}}));
}

}  // namespace
}  // namespace hipvmaf::test
