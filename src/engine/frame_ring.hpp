// The frames in flight: a ring of slots that bounds memory. Frames finish in any order and retire
// in frame order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "engine/task_listener.hpp"
#include "features/feature.hpp"

namespace hipvmaf {

class FrameRing final : public TaskListener {
 public:
  /// Called for each frame in order, one call at a time, when all its tasks have ended; not for the
  /// first frame that failed nor for later ones.
  using Retire = std::function<void(std::int64_t frame, const std::byte* raw)>;

  struct Slot {
    FrameWindow window;
    std::vector<std::byte> raw;
    std::atomic<int> running = 0;
    bool finished = false;
  };

  /// `slots` frames in flight at most, with `raw_bytes` of raw scores each.
  FrameRing(std::size_t slots, std::size_t raw_bytes, Retire retire);
  FrameRing(const FrameRing&) = delete;
  FrameRing& operator=(const FrameRing&) = delete;

  /// Waits for a free slot, puts the next frame there and expects `tasks` calls of end_task() for
  /// it. Throws the first error if one has occurred.
  Slot& begin_frame(std::int64_t frame, FrameWindow window, int tasks);

  /// A task has ended. `instance` ranks the errors of one frame.
  void task_ended(std::int64_t frame, std::size_t instance,
                  const std::exception_ptr& error) override;

  /// False once this frame or an earlier one has failed.
  [[nodiscard]] bool is_wanted(std::int64_t frame) const override { return frame < failed_frame_; }

  /// Waits until every frame has left the ring.
  void drain();

  /// The error of the lowest frame that failed, within it of the lowest order; null if none.
  [[nodiscard]] std::exception_ptr error() const;

  /// Frames retired, that is, handed to Retire without an error.
  [[nodiscard]] std::int64_t retired() const;

 private:
  [[nodiscard]] Slot& slot_of(std::int64_t frame) {
    return slots_[static_cast<std::size_t>(frame) % slots_.size()];
  }
  void fail(std::int64_t frame, std::size_t instance, const std::exception_ptr& error);
  void retire_finished();

  std::vector<Slot> slots_;
  Retire retire_;

  mutable std::mutex mutex_;
  std::condition_variable progress_;
  std::int64_t begun_ = 0;
  std::int64_t next_ = 0;  // the next frame to leave the ring
  std::int64_t retired_ = 0;
  bool retiring_ = false;  // a thread is inside Retire
  static constexpr std::int64_t kNone = INT64_MAX;
  std::atomic<std::int64_t> failed_frame_ = kNone;
  std::size_t failed_instance_ = 0;
  std::exception_ptr error_;
};

}  // namespace hipvmaf
