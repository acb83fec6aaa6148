// The sums of ssimulacra2's error maps.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "features/ssimulacra2/ssimulacra2.hpp"
#include "features/ssimulacra2/ssimulacra2_errors.hpp"
#include "ssimulacra2_support.hpp"
#include "stage_support.hpp"

namespace hipvmaf {
namespace {

using ssimulacra2::kStripRows;
using test::PicturePair;

// ---- One channel, beside its definition ----

struct Channel {
  Channel(int w, int h, std::vector<float> v) : width(w), height(h), values(std::move(v)) {}
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y * width + x);
  }

  int width;
  int height;
  std::vector<float> values;
};

Channel noise_channel(int width, int height, std::uint32_t seed) {
  return {width, height, test::noise(static_cast<std::size_t>(width * height), seed)};
}

Channel product(const Channel& a, const Channel& b) {
  Channel out = a;
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] = a.values[i] * b.values[i];
  return out;
}

Channel blurred(Channel plane) {
  for (int y = 0; y < plane.height; ++y) {
    const auto row = plane.values.begin() + static_cast<std::ptrdiff_t>(plane.index(0, y));
    std::ranges::copy(test::blurred_line({row, row + plane.width}), row);
  }
  for (int x = 0; x < plane.width; ++x) {
    std::vector<float> column;
    for (int y = 0; y < plane.height; ++y) column.push_back(plane.values[plane.index(x, y)]);
    column = test::blurred_line(column);
    for (int y = 0; y < plane.height; ++y)
      plane.values[plane.index(x, y)] = column[static_cast<std::size_t>(y)];
  }
  return plane;
}

Ssimulacra2Sums plain_sums(const Channel& a, const Channel& b, const ssimulacra2::Needs& needs) {
  const Channel mean_a = blurred(a);
  const Channel mean_b = blurred(b);
  const Channel aa = blurred(product(a, a));
  const Channel bb = blurred(product(b, b));
  const Channel ab = blurred(product(a, b));
  Ssimulacra2Sums sums{};
  const auto add = [&](std::size_t map, double error) {
    sums.error[map] += error;
    sums.fourth_power[map] += (error * error) * (error * error);
  };
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (needs.structure) {
      add(0, ssimulacra2::structure_error(mean_a.values[i], mean_b.values[i], aa.values[i],
                                          bb.values[i], ab.values[i]));
    }
    if (needs.edges) {
      const double change =
          ssimulacra2::edge_change(a.values[i], mean_a.values[i], b.values[i], mean_b.values[i]);
      add(1, std::max(change, 0.0));
      add(2, std::max(-change, 0.0));
    }
  }
  return sums;
}

// A strip; the rows below the plane are filled with what must not count.
std::vector<float> strip_of(const Channel& plane, int top) {
  std::vector<float> strip(ssimulacra2::strip_size(plane.width), 1e9F);
  for (int row = 0; row < std::min(kStripRows, plane.height - top); ++row) {
    for (int x = 0; x < plane.width; ++x) {
      strip[static_cast<std::size_t>(x * kStripRows + row)] =
          plane.values[plane.index(x, top + row)];
    }
  }
  return strip;
}

TEST(Ssimulacra2Channel, HasTheSumsOfTheDefinition) {
  ssimulacra2::ChannelMeter meter(70);
  for (const auto& needs :
       {ssimulacra2::Needs{true, true}, {true, false}, {false, true}, {false, false}}) {
    for (const int width : {70, 8, 9, 33}) {  // nothing is left over from a wider plane
      for (int height = 8; height <= 33; ++height) {
        const Channel a = noise_channel(width, height, 7);
        const Channel b = noise_channel(width, height, 8);
        meter.start(width, height, needs);
        for (int top = 0; top < height; top += kStripRows)
          meter.push(strip_of(a, top).data(), strip_of(b, top).data());
        ASSERT_EQ(meter.sums(), plain_sums(a, b, needs)) << width << "x" << height;
      }
    }
  }
}

// ---- Whole pictures ----

TEST(Ssimulacra2Sums, DoNotDependOnTheMemoryLayout) {
  for (const auto& [width, height] : {std::pair{8, 8}, {17, 33}, {71, 90}}) {
    const auto pair = test::small_pair(width, height, ChromaFormat::yuv420, 8);
    const PicturePair apart = test::spread(pair);
    EXPECT_EQ(test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, apart),
              test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, pair));
    const auto deep = test::small_pair(width, height, ChromaFormat::yuv422, 12);
    const PicturePair deep_apart = test::spread(deep);
    EXPECT_EQ(test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, deep_apart),
              test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, deep));
  }
}

TEST(Ssimulacra2Sums, DoNotDependOnWhatWasMeasuredBefore) {
  const auto clip = test::small_clip(67, 53, ChromaFormat::yuv420, 10);
  const auto stage = ssimulacra2_descriptor.make_cpu_stage(
      test::options_of(ssimulacra2_descriptor, {}), clip.format);
  for (const int index : {0, 1, 0}) {
    const PicturePair pair = test::make_frame(clip, index);
    EXPECT_EQ(test::measure_with<Ssimulacra2Raw>(*stage, pair),
              test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, pair))
        << index;
  }
}

TEST(Ssimulacra2Sums, EndWithTheLastScaleThatIsLargeEnough) {
  const auto scales_of = [](int width, int height) {
    const auto pair = test::small_pair(width, height, ChromaFormat::yuv444, 8);
    const auto raw = test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, pair);
    return std::ranges::count_if(raw.sums[0],
                                 [](const auto& sums) { return sums != Ssimulacra2Sums{}; });
  };
  EXPECT_EQ(scales_of(8, 8), 1);
  EXPECT_EQ(scales_of(14, 64), 1);
  EXPECT_EQ(scales_of(15, 64), 2);
  EXPECT_EQ(scales_of(64, 29), 3);
  EXPECT_EQ(scales_of(224, 240), 5);
  EXPECT_EQ(scales_of(225, 225), 6);
}

TEST(Ssimulacra2Sums, SurviveSamplesAboveTheNominalDepth) {
  const PictureFormat format{40, 24, ChromaFormat::yuv420, 10};
  const PicturePair pair = test::wild_pair(format);
  EXPECT_EQ(test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, pair),
            test::measure<Ssimulacra2Raw>(ssimulacra2_descriptor, pair));
}

}  // namespace
}  // namespace hipvmaf
