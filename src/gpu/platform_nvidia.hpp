// HIP's names for the part of the CUDA runtime that hipvmaf uses.
#pragma once

#include <cuda_runtime_api.h>

using hipError_t = cudaError_t;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipGraph_t = cudaGraph_t;
using hipGraphExec_t = cudaGraphExec_t;
using hipDeviceProp_t = cudaDeviceProp;
using hipMemcpyKind = cudaMemcpyKind;

inline constexpr hipError_t hipSuccess = cudaSuccess;
inline constexpr hipError_t hipErrorOutOfMemory = cudaErrorMemoryAllocation;
inline constexpr auto hipMemcpyHostToDevice = cudaMemcpyHostToDevice;
inline constexpr auto hipMemcpyDeviceToHost = cudaMemcpyDeviceToHost;
inline constexpr auto hipMemcpyDeviceToDevice = cudaMemcpyDeviceToDevice;
inline constexpr auto hipStreamNonBlocking = cudaStreamNonBlocking;
inline constexpr auto hipEventDisableTiming = cudaEventDisableTiming;
inline constexpr auto hipHostMallocDefault = cudaHostAllocDefault;
inline constexpr auto hipHostMallocPortable = cudaHostAllocPortable;
inline constexpr auto hipStreamCaptureModeThreadLocal = cudaStreamCaptureModeThreadLocal;

inline hipError_t hipGetDeviceCount(int* count) { return cudaGetDeviceCount(count); }
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  return cudaGetDeviceProperties(properties, device);
}
inline hipError_t hipSetDevice(int device) { return cudaSetDevice(device); }
inline const char* hipGetErrorName(hipError_t error) { return cudaGetErrorName(error); }
inline const char* hipGetErrorString(hipError_t error) { return cudaGetErrorString(error); }
inline hipError_t hipGetLastError() { return cudaGetLastError(); }

inline hipError_t hipMalloc(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline hipError_t hipFree(void* memory) { return cudaFree(memory); }
inline hipError_t hipHostMalloc(void** memory, std::size_t bytes, unsigned flags) {
  return cudaHostAlloc(memory, bytes, flags);
}
inline hipError_t hipHostFree(void* memory) { return cudaFreeHost(memory); }
inline hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                 hipStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}
inline hipError_t hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                   std::size_t from_pitch, std::size_t width, std::size_t height,
                                   cudaMemcpyKind kind, hipStream_t stream) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
}
inline hipError_t hipMemsetAsync(void* memory, int value, std::size_t bytes, hipStream_t stream) {
  return cudaMemsetAsync(memory, value, bytes, stream);
}

inline hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithFlags(stream, flags);
}
inline hipError_t hipStreamDestroy(hipStream_t stream) { return cudaStreamDestroy(stream); }
inline hipError_t hipStreamSynchronize(hipStream_t stream) { return cudaStreamSynchronize(stream); }
inline hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return cudaStreamWaitEvent(stream, event, flags);
}
inline hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline hipError_t hipEventDestroy(hipEvent_t event) { return cudaEventDestroy(event); }
inline hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return cudaEventRecord(event, stream);
}
inline hipError_t hipEventSynchronize(hipEvent_t event) { return cudaEventSynchronize(event); }

inline hipError_t hipStreamBeginCapture(hipStream_t stream, cudaStreamCaptureMode mode) {
  return cudaStreamBeginCapture(stream, mode);
}
inline hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return cudaStreamEndCapture(stream, graph);
}
inline hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph,
                                      void* /*error_node*/, char* /*log*/, std::size_t /*bytes*/) {
  return cudaGraphInstantiate(executable, graph, 0);
}
inline hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
  return cudaGraphLaunch(executable, stream);
}
inline hipError_t hipGraphDestroy(hipGraph_t graph) { return cudaGraphDestroy(graph); }
inline hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
  return cudaGraphExecDestroy(executable);
}
