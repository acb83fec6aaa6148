// Helpers of the tests of the SSIM family.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "stage_support.hpp"

namespace hipvmaf::test {

/// Everything that the scalar stage emits for a pair of pictures, by the features' internal names.
template <class Raw>
std::map<std::string, double, std::less<>> score(const Descriptor& extractor,
                                                 const PicturePair& pair,
                                                 const Requests& requests = {}) {
  const Scores scores = scores_of<Raw>(extractor, pair, requests);
  std::map<std::string, double, std::less<>> named;
  for (const auto& [feature, value] : scores.values())
    named.emplace(extractor.features[static_cast<std::size_t>(feature)].internal_name, value);
  return named;
}

/// The same samples as a luma-only picture, taken from any plane.
inline Picture luma_of(const Picture& picture, int plane) {
  const PictureFormat& format = picture.format();
  return luma_picture(format.plane_width(plane), format.plane_height(plane), format.bit_depth,
                      [&](int x, int y) { return sample_at(picture, plane, x, y); });
}

/// The 11x11 pictures of a worked example.
inline PicturePair worked_example() {
  const auto reference = [](int x, int y) { return 16 + (37 * x + 91 * y) % 200; };
  return {luma_picture(11, 11, 8, reference), luma_picture(11, 11, 8, [&](int x, int y) {
            return reference(x, y) + (x * x + 3 * y) % 11 - 5;
          })};
}

}  // namespace hipvmaf::test
