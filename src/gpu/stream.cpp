#include "gpu/stream.hpp"

namespace hipvmaf::gpu {
namespace {

using UniqueGraph = Unique<hipGraph_t, hipGraphDestroy>;

}  // namespace

Event::Event() {
  hipEvent_t event = nullptr;
  check(hipEventCreateWithFlags(&event, hipEventDisableTiming), "hipEventCreateWithFlags");
  event_.reset(event);
}

Stream::Stream() {
  hipStream_t stream = nullptr;
  check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "hipStreamCreateWithFlags");
  stream_.reset(stream);
}

void Stream::copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                       std::size_t row_bytes, int rows, hipMemcpyKind kind) {
  const auto count = static_cast<std::size_t>(rows);
  if (to_pitch == from_pitch) {  // what lies between the rows comes along
    check(hipMemcpyAsync(to, from, to_pitch * (count - 1) + row_bytes, kind, native()),
          "hipMemcpyAsync");
    return;
  }
  check(hipMemcpy2DAsync(to, to_pitch, from, from_pitch, row_bytes, count, kind, native()),
        "hipMemcpy2DAsync");
}

void Stream::begin_capture() {
  check(hipStreamBeginCapture(native(), hipStreamCaptureModeThreadLocal), "hipStreamBeginCapture");
}

Graph Stream::end_capture() {
  hipGraph_t recorded = nullptr;
  check(hipStreamEndCapture(native(), &recorded), "hipStreamEndCapture");
  const UniqueGraph graph(recorded);
  hipGraphExec_t executable = nullptr;
  check(hipGraphInstantiate(&executable, graph.get(), nullptr, nullptr, 0), "hipGraphInstantiate");
  Graph result;
  result.executable_.reset(executable);
  return result;
}

void Stream::abandon_capture() {
  hipGraph_t recorded = nullptr;
  if (hipStreamEndCapture(native(), &recorded) == hipSuccess) UniqueGraph{recorded};
}

}  // namespace hipvmaf::gpu
