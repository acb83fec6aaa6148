#include "engine/gpu_executor.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include <hipvmaf/error.hpp>

#include "gpu/device.hpp"

namespace hipvmaf {
namespace {

// Frames computed at the same time: enough that the small kernels of one fill the gaps of another.
constexpr int kLanes = 4;

PlaneUse planes_of(const FeaturePlan& plan, const DispatchPlan& dispatch) {
  for (std::size_t i = 0; i < plan.instances().size(); ++i) {
    const ExtractorInstance& instance = plan.instances()[i];
    if (dispatch.is_on_gpu(i) && instance.extractor->planes != nullptr &&
        instance.extractor->planes(instance.options) == PlaneUse::all) {
      return PlaneUse::all;
    }
  }
  return PlaneUse::luma;
}

PictureUse pictures_of(const FeaturePlan& plan, const DispatchPlan& dispatch) {
  PictureUse used{.reference = false, .distorted = false};
  for (std::size_t i = 0; i < plan.instances().size(); ++i) {
    if (!dispatch.is_on_gpu(i)) continue;
    const PictureUse reads = plan.instances()[i].pictures();
    used.reference |= reads.reference;
    used.distorted |= reads.distorted;
  }
  return used;
}

int reach_of(const FeaturePlan& plan, const DispatchPlan& dispatch) {
  int reach = 0;
  for (std::size_t i = 0; i < plan.instances().size(); ++i) {
    if (dispatch.is_on_gpu(i)) reach = std::max(reach, plan.instances()[i].reach());
  }
  return reach;
}

}  // namespace

std::unique_ptr<FrameExecutor> make_gpu_executor(const FeaturePlan& plan, const RawLayout& layout,
                                                 const DispatchPlan& dispatch,
                                                 const PictureFormat& format, std::size_t frames,
                                                 TaskListener& listener) {
  gpu::use_device(dispatch.device());
  return std::make_unique<GpuExecutor>(plan, layout, dispatch, format, frames, listener);
}

GpuExecutor::GpuExecutor(const FeaturePlan& plan, const RawLayout& layout,
                         const DispatchPlan& dispatch, const PictureFormat& format,
                         std::size_t frames, TaskListener& listener)
    : plan_(plan),
      layout_(layout),
      dispatch_(dispatch),
      format_(format),
      listener_(listener),
      kernels_(plan.instances().size()) {
  // A device that is short of memory computes fewer frames at a time.
  for (int count = kLanes;; count /= 2) {
    try {
      make_lanes(count);
      break;
    } catch (const Error& error) {
      lanes_.clear();
      pictures_.reset();
      if (error.code() != ErrorCode::out_of_memory || count == 1) throw;
    }
  }
  for (std::size_t i = 0; i < frames; ++i) downloaded_.emplace_back(layout.bytes);
  collector_ = std::thread([this] { collect(); });
}

GpuExecutor::~GpuExecutor() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  progress_.notify_all();
  collector_.join();
}

void GpuExecutor::make_lanes(int count) {
  // A multiple of the lanes, so that a place always meets the same lane, and recorded work the same
  // addresses.
  const int reach = reach_of(plan_, dispatch_);
  const int places = (count + reach + count - 1) / count * count;
  pictures_ = std::make_unique<DevicePictures>(format_, planes_of(plan_, dispatch_),
                                               pictures_of(plan_, dispatch_), places);
  for (int l = 0; l < count; ++l) {
    auto lane = std::make_unique<Lane>();
    lane->raw = gpu::DeviceMemory(layout_.bytes);
    for (std::size_t i = 0; i < plan_.instances().size(); ++i) {
      const ExtractorInstance& instance = plan_.instances()[i];
      const gpu::WorkLabel label(instance.extractor->name, 0);
      lane->stages.push_back(dispatch_.is_on_gpu(i)
                                 ? instance.extractor->make_gpu_stage(instance.options, format_)
                                 : nullptr);
      lane->graphs.emplace_back(static_cast<std::size_t>(places));
    }
    lanes_.push_back(std::move(lane));
  }
}

void GpuExecutor::start(const FrameWindow& window, std::span<const std::size_t> instances,
                        std::byte* raw) {
  const std::int64_t frame = window.current().index;
  const Lane* lane = nullptr;
  try {
    gpu::use_device(dispatch_.device());
    if (!listener_.is_wanted(frame)) {
      for (const std::size_t i : instances) listener_.task_ended(frame, i, nullptr);
      return;
    }
    lane = &submit(window, instances);
  } catch (...) {
    for (const std::size_t i : instances) {
      listener_.task_ended(frame, i, std::current_exception());
    }
    return;
  }
  const auto slot = static_cast<std::size_t>(frame) % downloaded_.size();
  {
    const std::lock_guard lock(mutex_);
    in_flight_.push_back(
        {frame, {instances.begin(), instances.end()}, lane, downloaded_[slot].data(), raw});
  }
  progress_.notify_all();
}

GpuExecutor::Lane& GpuExecutor::submit(const FrameWindow& window,
                                       std::span<const std::size_t> instances) {
  const std::int64_t frame = window.current().index;
  // Frames that come here are numbered without gaps, so that all lanes have work when subsampling
  // leaves frames out. It leaves none out where windows reach back (Descriptor::every_frame).
  const std::int64_t number = submitted_++;
  Lane& lane = *lanes_[static_cast<std::size_t>(number) % lanes_.size()];
  {
    // The lane's event is about to be recorded anew; the frame before it must have been collected.
    std::unique_lock lock(mutex_);
    progress_.wait(lock, [&] {
      return std::ranges::none_of(in_flight_, [&](const InFlight& f) { return f.lane == &lane; });
    });
  }
  // Whoever read the places that this frame takes is done by now: the frames of the other lanes are
  // younger than those by the number of lanes, and so read other places.
  DeviceWindow on_device;
  const int reach = reach_of(plan_, dispatch_);
  int count = 0;
  for (int distance = 0; distance <= reach; ++distance) {
    const Frame* wanted = distance == 0 ? &window.current() : window.earlier(distance);
    if (wanted == nullptr) break;
    pictures_->require(number - distance, *wanted, copies_);
    pictures_->wait_for(number - distance, lane.stream);
    on_device.frame(distance) = pictures_->frame(number - distance);
    ++count;
  }
  on_device.set_count(count);

  lane.stream.clear(gpu::View1D<std::byte>{static_cast<std::byte*>(lane.raw.data()),
                                           static_cast<int>(layout_.bytes)});
  for (const std::size_t i : instances) {
    const gpu::WorkLabel label(plan_.instances()[i].extractor->name, frame);
    enqueue(lane, i, on_device, number, count == reach + 1);
  }
  const auto slot = static_cast<std::size_t>(frame) % downloaded_.size();
  lane.stream.download(downloaded_[slot].data(),
                       gpu::View1D<const std::byte>{static_cast<const std::byte*>(lane.raw.data()),
                                                    static_cast<int>(layout_.bytes)});
  lane.stream.record(lane.done);
  return lane;
}

void GpuExecutor::enqueue(Lane& lane, std::size_t instance, const DeviceWindow& window,
                          std::int64_t number, bool may_record) {
  void* const raw = static_cast<std::byte*>(lane.raw.data()) + layout_.offsets[instance];
  const long before = lane.stream.kernels();
  if (may_record && dispatch_.of(instance).submission == Submission::graph) {
    gpu::Graph& graph =
        lane.graphs[instance][static_cast<std::size_t>(pictures_->place_of(number))];
    if (!graph) {
      graph =
          lane.stream.capture([&] { lane.stages[instance]->enqueue(lane.stream, window, raw); });
    }
    lane.stream.launch(graph);
  } else {
    lane.stages[instance]->enqueue(lane.stream, window, raw);
  }
  kernels_[instance] += lane.stream.kernels() - before;
}

// The collector's thread: waits for the frames in order and hands out their raw scores.
void GpuExecutor::collect() {
  gpu::use_device(dispatch_.device());
  std::unique_lock lock(mutex_);
  while (true) {
    progress_.wait(lock, [this] { return stopping_ || !in_flight_.empty(); });
    if (in_flight_.empty()) return;
    const InFlight frame = in_flight_.front();
    lock.unlock();
    hand_out(frame);
    lock.lock();
    in_flight_.pop_front();
    progress_.notify_all();
  }
}

void GpuExecutor::hand_out(const InFlight& frame) {
  std::exception_ptr error;
  try {
    const gpu::WorkLabel label("GPU work", frame.frame);
    frame.lane->done.synchronize();
    for (const std::size_t i : frame.instances) {
      std::byte* const raw = frame.raw + layout_.offsets[i];
      std::memcpy(raw, frame.downloaded + layout_.offsets[i],
                  plan_.instances()[i].extractor->raw_bytes);
      frame.lane->stages[i]->collect(frame.frame, raw);
    }
  } catch (...) {
    error = std::current_exception();
  }
  for (const std::size_t i : frame.instances) listener_.task_ended(frame.frame, i, error);
}

}  // namespace hipvmaf
