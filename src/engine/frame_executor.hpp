// What the session needs of an executor that takes all its instances of a frame at once: the GPU's.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/dispatch_plan.hpp"
#include "engine/feature_plan.hpp"
#include "engine/scorer.hpp"
#include "engine/task_listener.hpp"

namespace hipvmaf {

class FrameExecutor {
 public:
  FrameExecutor() = default;
  FrameExecutor(const FrameExecutor&) = delete;
  FrameExecutor& operator=(const FrameExecutor&) = delete;
  /// Waits for the frames that have been started.
  virtual ~FrameExecutor() = default;

  /// Starts the pixel stages of these instances on a window; their raw scores go to their places in
  /// `raw`. Window and raw must stay valid until the listener has heard of every instance's end.
  virtual void start(const FrameWindow& window, std::span<const std::size_t> instances,
                     std::byte* raw) = 0;

  /// Kernels that an instance has queued or recorded so far.
  [[nodiscard]] virtual long kernels(std::size_t instance) const = 0;
};

/// Serves the instances that `dispatch` has put on the GPU. `frames` is how many frames the ring
/// holds. All arguments must outlive the executor. Throws Error(out_of_memory) if not even one
/// frame at a time fits the device.
std::unique_ptr<FrameExecutor> make_gpu_executor(const FeaturePlan& plan, const RawLayout& layout,
                                                 const DispatchPlan& dispatch,
                                                 const PictureFormat& format, std::size_t frames,
                                                 TaskListener& listener);

}  // namespace hipvmaf
