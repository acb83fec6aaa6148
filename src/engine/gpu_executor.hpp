// Runs pixel stages on a GPU: uploads each picture that is read once, keeps several frames in
// flight, and brings the raw scores of a frame back in one piece.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "engine/device_pictures.hpp"
#include "engine/frame_executor.hpp"
#include "gpu/buffer.hpp"

namespace hipvmaf {

class GpuExecutor final : public FrameExecutor {
 public:
  GpuExecutor(const FeaturePlan& plan, const RawLayout& layout, const DispatchPlan& dispatch,
              const PictureFormat& format, std::size_t frames, TaskListener& listener);
  ~GpuExecutor() override;

  void start(const FrameWindow& window, std::span<const std::size_t> instances,
             std::byte* raw) override;
  [[nodiscard]] long kernels(std::size_t instance) const override { return kernels_[instance]; }

 private:
  /// What computes one frame at a time: a stream with stages and their memory.
  struct Lane {
    gpu::Stream stream;
    std::vector<std::unique_ptr<GpuStage>> stages;  // by instance; null for the CPU's
    std::vector<std::vector<gpu::Graph>> graphs;    // by instance and place of the frame
    gpu::DeviceMemory raw;
    gpu::Event done;
  };

  /// A frame on its way.
  struct InFlight {
    std::int64_t frame;
    std::vector<std::size_t> instances;
    const Lane* lane;
    const std::byte* downloaded;
    std::byte* raw;
  };

  void make_lanes(int count);
  Lane& submit(const FrameWindow& window, std::span<const std::size_t> instances);
  void enqueue(Lane& lane, std::size_t instance, const DeviceWindow& window, std::int64_t number,
               bool may_record);
  void collect();
  void hand_out(const InFlight& frame);

  const FeaturePlan& plan_;
  const RawLayout& layout_;
  const DispatchPlan& dispatch_;
  PictureFormat format_;
  TaskListener& listener_;

  gpu::Stream copies_;
  std::unique_ptr<DevicePictures> pictures_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<gpu::PinnedMemory> downloaded_;  // raw scores, by place in the frame ring
  std::vector<long> kernels_;
  std::int64_t submitted_ = 0;  // frames so far

  std::mutex mutex_;  // guards the two below
  std::condition_variable progress_;
  std::deque<InFlight> in_flight_;
  bool stopping_ = false;
  std::thread collector_;
};

}  // namespace hipvmaf
