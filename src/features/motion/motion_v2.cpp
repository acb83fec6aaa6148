#include "features/motion/motion_v2.hpp"

#include <hipvmaf/error.hpp>

namespace hipvmaf::motion_v2 {
namespace {

constexpr std::array<int, 1> kScorePlaces{kSad};

}  // namespace

void check_options(const OptionValues& options) {
  if (!options.flag("motion_five_frame_window")) return;
  throw Error(ErrorCode::invalid_option,
              "extractor motion_v2 has no five-frame window; "
              "motion=motion_five_frame_window=true has");
}

std::unique_ptr<ScalarStage> make_scalar_stage(const OptionValues& options,
                                               const PictureFormat& format) {
  return motion::make_scores(options, format,
                             {.score = kScorePlaces, .motion2 = kMotion2, .motion3 = kMotion3});
}

}  // namespace hipvmaf::motion_v2
