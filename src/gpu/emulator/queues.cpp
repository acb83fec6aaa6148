#include "gpu/emulator/queues.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "gpu/emulator/kernel_language.hpp"

namespace hipvmaf::gpu::emulator {
namespace {

std::size_t setting(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

Behaviour behaviour_from_environment() {
  Behaviour wanted;
  wanted.wave_size = setting("HIPVMAF_EMULATED_WAVE", 32) == 64 ? 64 : 32;
  wanted.seed = static_cast<std::uint32_t>(setting("HIPVMAF_EMULATED_SEED", 0));
  wanted.memory_bytes = setting("HIPVMAF_EMULATED_MEMORY", wanted.memory_bytes >> 20) << 20;
  return wanted;
}

}  // namespace

void Graph::run(Schedule& schedule) {
  std::vector<bool> done(nodes.size());
  for (std::size_t remaining = nodes.size(); remaining > 0; --remaining) {
    std::vector<std::size_t> ready;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const bool may_run =
          !done[n] && std::ranges::all_of(nodes[n].after, [&](std::size_t m) { return done[m]; });
      if (may_run) ready.push_back(n);
    }
    const std::size_t next = ready[schedule.pick(ready.size())];
    nodes[next].work();
    done[next] = true;
  }
}

Device& Device::instance() {
  static Device device;
  return device;
}

Device::Device() : thread_([this] { live(); }) { configure(behaviour_from_environment()); }

Device::~Device() {
  {
    const std::lock_guard lock(handover_mutex_);
    stopping_ = true;
  }
  handover_.notify_all();
  thread_.join();
}

void Device::configure(const Behaviour& behaviour) {
  behaviour_ = behaviour;
  schedule_.emplace(behaviour.seed);
  // Fibers belong to the device's thread from their making to their end.
  run_on_device([this] { grid_ = std::make_unique<Grid>(behaviour_); });
}

// The device's thread: runs what is handed over.
void Device::live() {
  std::unique_lock lock(handover_mutex_);
  while (true) {
    handover_.wait(lock, [this] { return stopping_ || handed_over_ != nullptr; });
    if (handed_over_ == nullptr) break;
    (*handed_over_)();
    handed_over_ = nullptr;
    handover_.notify_all();
  }
  grid_.reset();
}

void Device::run_on_device(const Work& work) {
  std::unique_lock lock(handover_mutex_);
  handed_over_ = &work;
  handover_.notify_all();
  handover_.wait(lock, [this] { return handed_over_ == nullptr; });
}

void Device::perform(const Work& work) {
  if (!fault.empty()) return;  // as on a device, nothing runs after a fault
  run_on_device([&] {
    try {
      work();
      check_fences();
    } catch (const std::exception& error) {
      fault = error.what();
    }
  });
}

void Device::remove(Stream& stream) {
  run_all(stream);
  std::erase(streams_, &stream);
}

void Device::enqueue(Stream& stream, Work work) {
  if (stream.recording != nullptr) {
    std::vector<Graph::Node>& nodes = stream.recording->nodes;
    nodes.push_back({std::move(work), stream.recorded});
    stream.recorded = {nodes.size() - 1};
    return;
  }
  stream.pending.push_back({.work = std::move(work), .waits_for = {}, .reaches = {}});
  make_progress();
}

void Device::record(Event& event, Stream& stream) {
  event.recording = stream.recording;
  if (stream.recording != nullptr) {
    event.recorded = stream.recorded;
    return;
  }
  event.marker = std::make_shared<Marker>(Marker{&stream});
  stream.pending.push_back({.work = {}, .waits_for = {}, .reaches = event.marker});
}

void Device::wait(Stream& stream, const Event& event) {
  if (event.recording != nullptr) {  // draws the stream into the capture
    stream.recording = event.recording;
    stream.recorded.insert(stream.recorded.end(), event.recorded.begin(), event.recorded.end());
    return;
  }
  if (!event.marker || event.marker->reached) return;
  stream.pending.push_back({.work = {}, .waits_for = event.marker, .reaches = {}});
}

// Runs the stream's next operation, and before it what that waits for.
void Device::step(Stream& stream) {
  const Stream::Operation next = std::move(stream.pending.front());
  stream.pending.pop_front();
  if (next.waits_for) run_until(next.waits_for);
  if (next.work) perform(next.work);
  if (next.reaches) next.reaches->reached = true;
}

void Device::run_until(const std::shared_ptr<Marker>& marker) {
  while (!marker->reached) step(*marker->stream);
}

void Device::run_all(Stream& stream) {
  while (!stream.pending.empty()) step(stream);
}

void Device::run_everything() {
  for (Stream* stream : streams_) run_all(*stream);
}

void Device::make_progress() {
  if (!schedule_->chance()) return;
  Stream& stream = *streams_[schedule_->pick(streams_.size())];
  if (!stream.pending.empty()) step(stream);
}

void Device::begin_capture(Stream& stream) {
  stream.recording = new Graph;
  stream.recorded.clear();
}

Graph* Device::end_capture(Stream& stream) {
  std::unique_ptr<Graph> graph(stream.recording);
  // Everything has to come before the end of the stream that began the capture.
  std::vector<bool> joined(graph->nodes.size());
  for (const std::size_t n : stream.recorded) joined[n] = true;
  for (std::size_t n = joined.size(); n-- > 0;) {
    if (!joined[n]) continue;
    for (const std::size_t m : graph->nodes[n].after) joined[m] = true;
  }
  for (Stream* other : streams_) {
    if (other->recording != graph.get()) continue;
    other->recording = nullptr;
    other->recorded.clear();
  }
  if (!std::ranges::all_of(joined, [](bool is) { return is; })) return nullptr;
  return graph.release();
}

void Device::launch(const Graph& graph, Stream& stream) {
  enqueue(stream, [this, copy = graph]() mutable { copy.run(*schedule_); });
}

void launch(Stream* stream, dim3 grid, dim3 block, std::string label,
            std::function<void()> thread) {
  Device& device = Device::instance();
  const std::lock_guard lock(device.mutex);
  device.enqueue(*stream,
                 [&device, grid, block, label = std::move(label), thread = std::move(thread)] {
                   try {
                     device.grid().run(grid, block, thread);
                   } catch (const KernelFault& fault) {
                     throw KernelFault(label + fault.what());
                   }
                 });
}

Grid& grid() { return Device::instance().grid(); }

void configure(const Behaviour& behaviour) {
  Device& device = Device::instance();
  const std::lock_guard lock(device.mutex);
  device.run_everything();
  device.configure(behaviour);
}

Behaviour behaviour() {
  Device& device = Device::instance();
  const std::lock_guard lock(device.mutex);
  return device.behaviour();
}

std::string take_fault() {
  Device& device = Device::instance();
  const std::lock_guard lock(device.mutex);
  return std::exchange(device.fault, {});
}

}  // namespace hipvmaf::gpu::emulator
