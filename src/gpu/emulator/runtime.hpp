// A GPU runtime that runs kernels on the CPU, under HIP's names. It is a test instrument:
// everything that a real device may do late, in another order or with other memory contents, it
// does at the worst moment (see docs/gpu.md).
//
// Behaviour is set through the environment, or emulator::configure():
//   HIPVMAF_EMULATED_WAVE    lanes of a wave: 32 (default) or 64
//   HIPVMAF_EMULATED_SEED    order of blocks, threads and streams: 0 forward, 1 reverse, others
//   shuffled; streams run
//                            as late as they may with 0 and 1, at random moments otherwise
//   HIPVMAF_EMULATED_MEMORY  device memory in MiB (default 4096)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hipvmaf::gpu::emulator {

class Stream;
class Event;
class Graph;

struct Behaviour {
  int wave_size = 32;
  std::uint32_t seed = 0;
  std::size_t memory_bytes = std::size_t{4096} << 20;
  bool is_broken = false;  ///< Lanes do not get each other's values, and no one says so.
};

/// Replaces the behaviour that the environment asked for. No device work may be pending.
void configure(const Behaviour& behaviour);
[[nodiscard]] Behaviour behaviour();

/// What went wrong in a kernel or a copy since the last call, in words; empty if nothing did.
[[nodiscard]] std::string take_fault();

/// Fills device memory with values that no kernel can have meant; a kernel that reads what nothing
/// has written since is found by its result. On the host's side of the stream's order.
void poison(void* memory, std::size_t bytes, Stream* stream);

}  // namespace hipvmaf::gpu::emulator

enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInvalidDevice = 101,
  hipErrorLaunchFailure = 719,
};
enum hipMemcpyKind { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
enum hipStreamCaptureMode { hipStreamCaptureModeThreadLocal = 1 };
inline constexpr unsigned hipStreamNonBlocking = 1;
inline constexpr unsigned hipEventDisableTiming = 2;
inline constexpr unsigned hipHostMallocDefault = 0;
inline constexpr unsigned hipHostMallocPortable = 1;

using hipStream_t = hipvmaf::gpu::emulator::Stream*;
using hipEvent_t = hipvmaf::gpu::emulator::Event*;
using hipGraph_t = hipvmaf::gpu::emulator::Graph*;
using hipGraphExec_t = hipvmaf::gpu::emulator::Graph*;

struct hipDeviceProp_t {
  char name[256];
  std::size_t totalGlobalMem;
  int warpSize;
  char gcnArchName[256];
};

hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device);
hipError_t hipSetDevice(int device);
const char* hipGetErrorName(hipError_t error);
const char* hipGetErrorString(hipError_t error);
hipError_t hipGetLastError();

hipError_t hipMalloc(void** memory, std::size_t bytes);
hipError_t hipFree(void* memory);
hipError_t hipHostMalloc(void** memory, std::size_t bytes, unsigned flags);
hipError_t hipHostFree(void* memory);
hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream);
hipError_t hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                            std::size_t from_pitch, std::size_t width, std::size_t height,
                            hipMemcpyKind kind, hipStream_t stream);
hipError_t hipMemsetAsync(void* memory, int value, std::size_t bytes, hipStream_t stream);

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags);
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventSynchronize(hipEvent_t event);

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph);
hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, void* error_node,
                               char* log, std::size_t log_bytes);
hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream);
hipError_t hipGraphDestroy(hipGraph_t graph);
hipError_t hipGraphExecDestroy(hipGraphExec_t executable);
