// HIP's functions on the emulated device.
#include "gpu/emulator/runtime.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>

#include "gpu/emulator/queues.hpp"

namespace {

using hipvmaf::gpu::emulator::Device;
using hipvmaf::gpu::emulator::Event;
using hipvmaf::gpu::emulator::Graph;
using hipvmaf::gpu::emulator::KernelFault;
using hipvmaf::gpu::emulator::Stream;

hipError_t last_error = hipSuccess;

/// Calls f(device) with the device locked; reports faults of the work done so far.
template <class F>
hipError_t with_device(F f) {
  Device& device = Device::instance();
  const std::lock_guard lock(device.mutex);
  const hipError_t error = f(device);
  last_error = error == hipSuccess && !device.fault.empty() ? hipErrorLaunchFailure : error;
  return last_error;
}

// A transfer must be between the kinds of memory that it names.
void require_kinds(const Device& device, const void* to, std::size_t to_bytes, const void* from,
                   std::size_t from_bytes, hipMemcpyKind kind) {
  const bool to_device = kind != hipMemcpyDeviceToHost;
  const bool from_device = kind != hipMemcpyHostToDevice;
  const bool fits =
      (to_device ? device.owns(to, to_bytes) : !device.touches(to, to_bytes)) &&
      (from_device ? device.owns(from, from_bytes) : !device.touches(from, from_bytes));
  if (!fits)
    throw KernelFault("a copy leaves its device buffer, or mixes up host and device memory");
}

}  // namespace

hipError_t hipGetDeviceCount(int* count) {
  *count = 1;
  return hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  if (device != 0) return hipErrorInvalidDevice;
  const auto behaviour = hipvmaf::gpu::emulator::behaviour();
  *properties = {};
  std::strcpy(properties->name, "emulated GPU");
  std::strcpy(properties->gcnArchName, "emulated");
  properties->totalGlobalMem = behaviour.memory_bytes;
  properties->warpSize = behaviour.wave_size;
  return hipSuccess;
}

hipError_t hipSetDevice(int device) { return device == 0 ? hipSuccess : hipErrorInvalidDevice; }

const char* hipGetErrorName(hipError_t error) {
  switch (error) {
    case hipSuccess:
      return "hipSuccess";
    case hipErrorInvalidValue:
      return "hipErrorInvalidValue";
    case hipErrorOutOfMemory:
      return "hipErrorOutOfMemory";
    case hipErrorInvalidDevice:
      return "hipErrorInvalidDevice";
    case hipErrorLaunchFailure:
      return "hipErrorLaunchFailure";
  }
  return "unknown error";
}

const char* hipGetErrorString(hipError_t error) { return hipGetErrorName(error); }

hipError_t hipGetLastError() {
  return with_device([](const Device&) { return std::exchange(last_error, hipSuccess); });
}

hipError_t hipMalloc(void** memory, std::size_t bytes) {
  return with_device([&](Device& device) {
    *memory = device.allocate(bytes);
    return *memory == nullptr ? hipErrorOutOfMemory : hipSuccess;
  });
}

hipError_t hipFree(void* memory) {
  return with_device([&](Device& device) {
    device.run_everything();
    return memory == nullptr || device.release(memory) ? hipSuccess : hipErrorInvalidValue;
  });
}

hipError_t hipHostMalloc(void** memory, std::size_t bytes, unsigned /*flags*/) {
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *memory == nullptr ? hipErrorOutOfMemory : hipSuccess;
}

hipError_t hipHostFree(void* memory) {
  return with_device([&](Device& device) {
    device.run_everything();
    std::free(memory);
    return hipSuccess;
  });
}

hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return hipMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

hipError_t hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                            std::size_t from_pitch, std::size_t width, std::size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  if (width > to_pitch || width > from_pitch || stream == nullptr) return hipErrorInvalidValue;
  if (width == 0 || height == 0) return hipSuccess;
  return with_device([&](Device& device) {
    device.enqueue(*stream, [=, &device] {
      require_kinds(device, to, to_pitch * (height - 1) + width, from,
                    from_pitch * (height - 1) + width, kind);
      for (std::size_t y = 0; y < height; ++y) {
        std::memcpy(static_cast<std::byte*>(to) + y * to_pitch,
                    static_cast<const std::byte*>(from) + y * from_pitch, width);
      }
    });
    return hipSuccess;
  });
}

hipError_t hipMemsetAsync(void* memory, int value, std::size_t bytes, hipStream_t stream) {
  if (stream == nullptr) return hipErrorInvalidValue;
  return with_device([&](Device& device) {
    device.enqueue(*stream, [=, &device] {
      if (!device.owns(memory, bytes)) throw KernelFault("a fill leaves its device buffer");
      std::memset(memory, value, bytes);
    });
    return hipSuccess;
  });
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned /*flags*/) {
  return with_device([&](Device& device) {
    *stream = new Stream;
    device.add(**stream);
    return hipSuccess;
  });
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  return with_device([&](Device& device) {
    device.remove(*stream);
    delete stream;
    return hipSuccess;
  });
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return with_device([&](Device& device) {
    device.run_all(*stream);
    return hipSuccess;
  });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned /*flags*/) {
  return with_device([&](Device& device) {
    device.wait(*stream, *event);
    return hipSuccess;
  });
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned /*flags*/) {
  *event = new Event;
  return hipSuccess;
}

hipError_t hipEventDestroy(hipEvent_t event) {
  return with_device([&](const Device&) {
    delete event;
    return hipSuccess;
  });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return with_device([&](Device& device) {
    device.record(*event, *stream);
    return hipSuccess;
  });
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  return with_device([&](Device& device) {
    if (event->marker) device.run_until(event->marker);
    return hipSuccess;
  });
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode /*mode*/) {
  return with_device([&](Device& device) {
    if (stream->recording != nullptr) return hipErrorInvalidValue;
    device.begin_capture(*stream);
    return hipSuccess;
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return with_device([&](Device& device) {
    if (stream->recording == nullptr) return hipErrorInvalidValue;
    *graph = device.end_capture(*stream);
    return *graph == nullptr ? hipErrorInvalidValue : hipSuccess;
  });
}

hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, void* /*error_node*/,
                               char* /*log*/, std::size_t /*log_bytes*/) {
  *executable = new Graph(*graph);
  return hipSuccess;
}

hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
  return with_device([&](Device& device) {
    device.launch(*executable, *stream);
    return hipSuccess;
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  delete graph;
  return hipSuccess;
}

hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
  return with_device([&](const Device&) {
    delete executable;
    return hipSuccess;
  });
}
