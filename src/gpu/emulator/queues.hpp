// Streams, events and graphs of the emulated device. Work is queued, and runs as late as the rules
// of ordering allow: when something waits for it (or, under a shuffling seed, at random moments
// before).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gpu/emulator/grid.hpp"
#include "gpu/emulator/runtime.hpp"

namespace hipvmaf::gpu::emulator {

using Work = std::function<void()>;

/// A place in a stream that others can wait for.
struct Marker {
  Stream* stream;
  bool reached = false;
};

/// Work recorded from streams, with what has to run before each piece.
class Graph {
 public:
  struct Node {
    Work work;
    std::vector<std::size_t> after;
  };
  std::vector<Node> nodes;

  void run(Schedule& schedule);
};

class Stream {
 public:
  struct Operation {
    Work work;                          // empty for waits and marks
    std::shared_ptr<Marker> waits_for;  // of another stream
    std::shared_ptr<Marker> reaches;
  };
  std::deque<Operation> pending;

  Graph* recording = nullptr;         // set while the stream is captured
  std::vector<std::size_t> recorded;  // nodes that the next one comes after
};

class Event {
 public:
  std::shared_ptr<Marker> marker;
  Graph* recording = nullptr;
  std::vector<std::size_t> recorded;
};

/// The one emulated device. Host calls come from any thread, one at a time through `mutex`; kernels
/// run on the device's own thread.
class Device {
 public:
  static Device& instance();

  std::mutex mutex;  // guards everything below

  void configure(const Behaviour& behaviour);
  [[nodiscard]] const Behaviour& behaviour() const { return behaviour_; }

  void add(Stream& stream) { streams_.push_back(&stream); }
  void remove(Stream& stream);
  /// Queues work, or records it if the stream is being captured.
  void enqueue(Stream& stream, Work work);
  void record(Event& event, Stream& stream);
  void wait(Stream& stream, const Event& event);
  void run_until(const std::shared_ptr<Marker>& marker);
  void run_all(Stream& stream);
  void run_everything();

  void begin_capture(Stream& stream);
  /// Null if other streams were captured along and have not been waited for.
  Graph* end_capture(Stream& stream);
  void launch(const Graph& graph, Stream& stream);

  Grid& grid() { return *grid_; }
  Schedule& schedule() { return *schedule_; }
  std::string fault;  // the first one since it was taken

  // Memory, in memory.cpp
  void* allocate(std::size_t bytes);
  [[nodiscard]] bool release(void* memory);
  /// Whether a range lies within one allocation.
  [[nodiscard]] bool owns(const void* memory, std::size_t bytes) const;
  [[nodiscard]] bool touches(const void* memory, std::size_t bytes) const;

 private:
  struct Allocation {
    std::byte* begin;
    std::size_t bytes;
  };

  Device();
  ~Device();
  void step(Stream& stream);
  void perform(const Work& work);
  void run_on_device(const Work& work);
  void make_progress();
  void live();
  void check_fences();

  Behaviour behaviour_;
  std::unique_ptr<Grid> grid_;
  std::optional<Schedule> schedule_;
  std::vector<Stream*> streams_;
  std::vector<Allocation> allocations_;
  std::size_t allocated_ = 0;

  // The hand-over between a host call and the device's thread.
  std::mutex handover_mutex_;
  std::condition_variable handover_;
  const Work* handed_over_ = nullptr;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace hipvmaf::gpu::emulator
