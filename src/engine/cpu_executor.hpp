// Runs pixel stages on the CPU: one task per frame and extractor on a oneTBB arena of the requested
// size.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <hipvmaf/picture.hpp>

#include "engine/feature_plan.hpp"
#include "engine/task_listener.hpp"

namespace hipvmaf {

class CpuExecutor {
 public:
  /// `threads` is at least 1. Plan and listener must outlive the executor.
  CpuExecutor(const FeaturePlan& plan, const PictureFormat& format, int threads,
              TaskListener& listener);
  /// Waits for the tasks that have been started.
  ~CpuExecutor();
  CpuExecutor(const CpuExecutor&) = delete;
  CpuExecutor& operator=(const CpuExecutor&) = delete;

  /// Starts an instance's pixel stage on a window; it writes its raw scores to `raw`. Both must
  /// stay valid until the listener has heard of the task's end.
  void start(std::size_t instance, const FrameWindow& window, std::byte* raw);

 private:
  struct Arena;

  /// Idle pixel stages of one instance; there are never more than threads that ran it at a time.
  struct StagePool {
    std::mutex mutex;
    std::vector<std::unique_ptr<PixelStage>> idle;
  };

  void run(std::size_t instance, const FrameWindow& window, std::byte* raw);
  std::unique_ptr<PixelStage> take_stage(std::size_t instance);
  void give_back_stage(std::size_t instance, std::unique_ptr<PixelStage> stage);

  const FeaturePlan& plan_;
  PictureFormat format_;
  TaskListener& listener_;
  std::vector<StagePool> pools_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace hipvmaf
