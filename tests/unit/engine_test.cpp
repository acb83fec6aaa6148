// The frame ring: order of retirement and of errors, whatever the order in which tasks end.
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

#include "engine/frame_ring.hpp"

namespace hipvmaf {
namespace {

std::exception_ptr failure(const char* text) {
  return std::make_exception_ptr(std::runtime_error(text));
}

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return caught.what();
  }
}

class FrameRingTest : public testing::Test {
 protected:
  std::vector<std::int64_t> retired_;
  FrameRing ring_{4, 16,
                  [this](std::int64_t frame, const std::byte*) { retired_.push_back(frame); }};
};

TEST_F(FrameRingTest, RetiresInOrder) {
  for (int f = 0; f < 3; ++f) ring_.begin_frame(f, {}, 2);
  for (const int f : {2, 1, 1, 2, 0}) ring_.task_ended(f, 0, nullptr);
  EXPECT_TRUE(retired_.empty());
  ring_.task_ended(0, 1, nullptr);
  EXPECT_EQ(retired_, (std::vector<std::int64_t>{0, 1, 2}));
  ring_.drain();
  EXPECT_EQ(ring_.retired(), 3);
  EXPECT_FALSE(ring_.error());
}

TEST_F(FrameRingTest, AFrameWithoutTasksRetiresAtOnce) {
  ring_.begin_frame(0, {}, 0);
  EXPECT_EQ(retired_, (std::vector<std::int64_t>{0}));
}

TEST_F(FrameRingTest, ReportsTheErrorOfTheLowestFrameAndInstance) {
  for (int f = 0; f < 3; ++f) ring_.begin_frame(f, {}, 2);
  ring_.task_ended(2, 0, failure("frame 2"));
  EXPECT_TRUE(ring_.is_wanted(1));
  EXPECT_FALSE(ring_.is_wanted(2));
  ring_.task_ended(1, 1, failure("frame 1, instance 1"));
  ring_.task_ended(1, 0, failure("frame 1, instance 0"));
  ring_.task_ended(2, 1, nullptr);
  ring_.task_ended(0, 0, nullptr);
  ring_.task_ended(0, 1, nullptr);
  ring_.drain();
  EXPECT_EQ(retired_, (std::vector<std::int64_t>{0}));
  EXPECT_EQ(ring_.retired(), 1);
  EXPECT_EQ(message_of(ring_.error()), "frame 1, instance 0");
  EXPECT_THROW(ring_.begin_frame(3, {}, 1), std::runtime_error);
}

TEST(FrameRing, AnErrorWhileRetiringCountsForItsFrame) {
  FrameRing ring(4, 16, [](std::int64_t frame, const std::byte*) {
    if (frame == 1) throw std::runtime_error("scoring");
  });
  for (int f = 0; f < 3; ++f) {
    ring.begin_frame(f, {}, 1);
  }
  for (int f = 0; f < 3; ++f) ring.task_ended(f, 0, nullptr);
  ring.drain();
  EXPECT_EQ(ring.retired(), 1);
  EXPECT_EQ(message_of(ring.error()), "scoring");
}

}  // namespace
}  // namespace hipvmaf
