#include "engine/frame_ring.hpp"

#include <utility>

namespace hipvmaf {
namespace {

// Rank of errors in the scalar stages and models of a frame: after all pixel stages.
constexpr std::size_t kScoring = SIZE_MAX;

}  // namespace

FrameRing::FrameRing(std::size_t slots, std::size_t raw_bytes, Retire retire)
    : slots_(slots), retire_(std::move(retire)) {
  for (Slot& slot : slots_) slot.raw.resize(raw_bytes);
}

FrameRing::Slot& FrameRing::begin_frame(std::int64_t frame, FrameWindow window, int tasks) {
  std::unique_lock lock(mutex_);
  progress_.wait(lock, [&] { return frame - next_ < static_cast<std::int64_t>(slots_.size()); });
  if (error_) std::rethrow_exception(error_);
  Slot& slot = slot_of(frame);
  slot.window = std::move(window);
  slot.running = tasks;
  slot.finished = tasks == 0;
  begun_ = frame + 1;
  if (slot.finished) {
    lock.unlock();
    retire_finished();
  }
  return slot;
}

void FrameRing::task_ended(std::int64_t frame, std::size_t instance,
                           const std::exception_ptr& error) {
  if (error) fail(frame, instance, error);
  Slot& slot = slot_of(frame);
  if (slot.running.fetch_sub(1) > 1) return;
  {
    const std::lock_guard lock(mutex_);
    slot.finished = true;
  }
  retire_finished();
}

void FrameRing::fail(std::int64_t frame, std::size_t instance, const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  const bool is_first =
      frame < failed_frame_ || (frame == failed_frame_ && instance < failed_instance_);
  if (!is_first) return;
  failed_frame_ = frame;
  failed_instance_ = instance;
  error_ = error;
}

// Retires frames in order. One thread does it at a time; another that finishes a frame meanwhile
// leaves it to that thread, which looks again before it stops.
void FrameRing::retire_finished() {
  std::unique_lock lock(mutex_);
  if (retiring_) return;
  retiring_ = true;
  while (next_ < begun_ && slot_of(next_).finished) {
    const std::int64_t frame = next_;
    Slot& slot = slot_of(frame);
    lock.unlock();
    if (is_wanted(frame)) {
      try {
        retire_(frame, slot.raw.data());
      } catch (...) {
        fail(frame, kScoring, std::current_exception());
      }
    }
    slot.window = {};
    lock.lock();
    if (is_wanted(frame)) retired_ = frame + 1;
    slot.finished = false;
    next_ = frame + 1;
    progress_.notify_all();
  }
  retiring_ = false;
  progress_.notify_all();
}

void FrameRing::drain() {
  std::unique_lock lock(mutex_);
  progress_.wait(lock, [&] { return next_ == begun_ && !retiring_; });
}

std::exception_ptr FrameRing::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::int64_t FrameRing::retired() const {
  const std::lock_guard lock(mutex_);
  return retired_;
}

}  // namespace hipvmaf
