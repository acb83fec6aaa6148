// Queues of device work, events that order them, and recorded graphs of work.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "gpu/check.hpp"
#include "gpu/view.hpp"

namespace hipvmaf::gpu {

/// Deleter of a handle of the runtime.
template <auto destroy>
struct Destroy {
  template <class Handle>
  void operator()(Handle* handle) const {
    static_cast<void>(destroy(handle));
  }
};
template <class Handle, auto destroy>
using Unique = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;

class Event {
 public:
  Event();
  /// Blocks until what was recorded has happened.
  void synchronize() const { check(hipEventSynchronize(native()), "hipEventSynchronize"); }
  [[nodiscard]] hipEvent_t native() const { return event_.get(); }

 private:
  Unique<hipEvent_t, hipEventDestroy> event_;
};

/// Work that was recorded from streams, to be launched at once.
class Graph {
 public:
  Graph() = default;
  explicit operator bool() const { return executable_ != nullptr; }

 private:
  friend class Stream;
  Unique<hipGraphExec_t, hipGraphExecDestroy> executable_;
};

/// Work runs in the order in which it was handed in, independently of other streams unless they
/// wait for events.
class Stream {
 public:
  Stream();

  void record(const Event& event) {
    check(hipEventRecord(event.native(), native()), "hipEventRecord");
  }
  /// Later work of this stream waits for what `event` has recorded last.
  void wait(const Event& event) {
    check(hipStreamWaitEvent(native(), event.native(), 0), "hipStreamWaitEvent");
  }
  void synchronize() const { check(hipStreamSynchronize(native()), "hipStreamSynchronize"); }

  /// Copies rows of host memory to the device. The host memory must stay as it is until the stream
  /// has come past.
  template <class T>
  void upload(View2D<T> to, const T* from, std::ptrdiff_t from_pitch) {
    copy_rows(to.data, to.pitch * sizeof(T), from, static_cast<std::size_t>(from_pitch) * sizeof(T),
              to.width * sizeof(T), to.height, hipMemcpyHostToDevice);
  }
  template <class T>
  void upload(View1D<T> to, const T* from) {
    copy_rows(to.data, to.count * sizeof(T), from, to.count * sizeof(T), to.count * sizeof(T), 1,
              hipMemcpyHostToDevice);
  }
  template <class T>
  void download(T* to, View1D<const T> from) {
    copy_rows(to, from.count * sizeof(T), from.data, from.count * sizeof(T), from.count * sizeof(T),
              1, hipMemcpyDeviceToHost);
  }
  /// Sets all bytes to zero.
  template <class T>
  void clear(View1D<T> values) {
    check(hipMemsetAsync(values.data, 0, values.count * sizeof(T), native()), "hipMemsetAsync");
  }

  /// Records what `work` hands in to this stream (and to streams that wait for it and are waited
  /// for) instead of running it.
  template <class Work>
  [[nodiscard]] Graph capture(const Work& work) {
    begin_capture();
    try {
      work();
    } catch (...) {
      abandon_capture();
      throw;
    }
    return end_capture();
  }
  void launch(const Graph& graph) {
    check(hipGraphLaunch(graph.executable_.get(), native()), "hipGraphLaunch");
  }

  [[nodiscard]] hipStream_t native() const { return stream_.get(); }

  /// Kernels handed in so far, recorded ones included.
  [[nodiscard]] long kernels() const { return kernels_; }
  void count_kernel() { ++kernels_; }

 private:
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t row_bytes, int rows, hipMemcpyKind kind);
  void begin_capture();
  Graph end_capture();
  void abandon_capture();

  Unique<hipStream_t, hipStreamDestroy> stream_;
  long kernels_ = 0;
};

}  // namespace hipvmaf::gpu
