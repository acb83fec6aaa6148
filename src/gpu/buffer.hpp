// Memory of the device, and host memory that the device copies from and to without the CPU's help.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "gpu/stream.hpp"

namespace hipvmaf::gpu {

/// Bytes of device memory in use by this process's buffers.
[[nodiscard]] std::size_t device_bytes_in_use();

/// A block of device memory, aligned for every type. Throws Error(out_of_memory).
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceMemory();

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// `count` values on the device. Their contents are undefined at first.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(int count)
      : memory_(static_cast<std::size_t>(count) * sizeof(T)), count_(count) {}

  [[nodiscard]] View1D<T> view() const { return {static_cast<T*>(memory_.data()), count_}; }
  [[nodiscard]] int count() const { return count_; }

 private:
  DeviceMemory memory_;
  int count_ = 0;
};

/// Rows on the device; each begins on a multiple of 256 bytes.
template <class T>
class Buffer2D {
 public:
  static constexpr int kRowAlignment = 256 / sizeof(T);

  Buffer2D() = default;
  Buffer2D(int width, int height)
      : width_(width),
        height_(height),
        pitch_((width + kRowAlignment - 1) / kRowAlignment * kRowAlignment),
        memory_(static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(height) * sizeof(T)) {}

  [[nodiscard]] View2D<T> view() const {
    return {static_cast<T*>(memory_.data()), width_, height_, pitch_};
  }

 private:
  int width_ = 0;
  int height_ = 0;
  int pitch_ = 0;
  DeviceMemory memory_;
};

/// A table on the device, made from host values.
template <class T>
Buffer<T> make_table(std::span<const T> values) {
  Buffer<T> table(static_cast<int>(values.size()));
  Stream stream;
  stream.upload(table.view(), values.data());
  stream.synchronize();
  return table;
}

/// Page-locked host memory. Throws Error(out_of_memory).
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  std::unique_ptr<std::byte, Destroy<hipHostFree>> memory_;
};

}  // namespace hipvmaf::gpu
