#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

#include "features/derived_data.hpp"

namespace hipvmaf {
namespace {

struct Square {
  int value;
};
struct Cube {
  int value;
};

TEST(DerivedData, IsMadeOncePerTypeAndKey) {
  const DerivedData data;
  int made = 0;
  const auto square = [&](int n) -> const Square& {
    return data.get<Square>(n, [&] {
      ++made;
      return Square{n * n};
    });
  };
  const Square& three = square(3);
  EXPECT_EQ(three.value, 9);
  EXPECT_EQ(square(4).value, 16);
  EXPECT_EQ(&square(3), &three);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(data.get<Cube>(3, [] { return Cube{27}; }).value, 27);
  EXPECT_EQ(square(3).value, 9);
}

TEST(DerivedData, CanBeMadeOfOtherData) {
  const DerivedData data;
  const Cube& cube = data.get<Cube>(
      3, [&] { return Cube{3 * data.get<Square>(3, [] { return Square{9}; }).value}; });
  EXPECT_EQ(cube.value, 27);
}

TEST(DerivedData, IsSharedByCopies) {
  const DerivedData data;
  const DerivedData copy = data;
  const Square& first = data.get<Square>(1, [] { return Square{1}; });
  EXPECT_EQ(&copy.get<Square>(1, [] { return Square{2}; }), &first);
}

TEST(DerivedData, IsTriedAgainAfterAnError) {
  const DerivedData data;
  EXPECT_THROW(data.get<Square>(1, []() -> Square { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(data.get<Square>(1, [] { return Square{1}; }).value, 1);
}

TEST(DerivedData, IsMadeOnceByManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kKeys = 200;
  const DerivedData data;
  std::atomic<int> made = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int key = 0; key < kKeys; ++key) {
        const Square& square = data.get<Square>(key, [&] {
          ++made;
          return Square{key * key};
        });
        if (square.value != key * key) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, kKeys);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace hipvmaf
