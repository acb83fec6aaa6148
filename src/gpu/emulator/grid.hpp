// Runs the threads of a kernel on the CPU: one block after the other, each thread on a fiber of its
// own, so that barriers and exchanges between lanes work as on a device. Only the emulated device's
// own thread comes here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

/// Extents of grids and blocks, as kernels know them.
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  [[nodiscard]] constexpr std::size_t count() const { return std::size_t{x} * y * z; }
};

// What a kernel reads. One device thread runs all emulated threads, so plain variables serve.
inline dim3 threadIdx{0, 0, 0};
inline dim3 blockIdx{0, 0, 0};
inline dim3 blockDim;
inline dim3 gridDim;

namespace hipvmaf::gpu::emulator {

/// A mistake in a kernel, found while it ran.
class KernelFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Order in which things run that may run in any order.
class Schedule {
 public:
  explicit Schedule(std::uint32_t seed) : seed_(seed), random_(seed) {}
  /// A permutation of 0 .. count - 1.
  std::span<const std::uint32_t> order(std::size_t count);
  /// A place in 0 .. count - 1.
  std::size_t pick(std::size_t count);
  /// True now and then under a shuffling seed, never otherwise.
  bool chance();

 private:
  std::uint32_t seed_;
  std::mt19937 random_;
  std::vector<std::uint32_t> order_;
};

/// Memory of a block's shared variables: poisoned for every block, fenced between variables.
class SharedMemory {
 public:
  static constexpr std::size_t kBytes = 48 * 1024;  // what every device has

  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  void begin_block();
  /// The variable of that declaration, the same for all threads of the block.
  void* variable(const void* declaration, std::size_t bytes, std::size_t alignment);
  /// Throws KernelFault if a fence has been written to.
  void check_fences() const;

 private:
  struct Variable {
    const void* declaration;
    std::size_t begin, end;
  };
  std::vector<std::byte> memory_;
  std::vector<Variable> variables_;
  std::size_t used_ = 0;
};

struct Behaviour;

class Grid {
 public:
  explicit Grid(const Behaviour& behaviour);
  ~Grid();

  /// Runs all blocks; throws KernelFault at the first mistake.
  void run(dim3 grid, dim3 block, const std::function<void()>& thread);

  // For the kernel that is running:
  void barrier();
  /// Reads the value that lane `from` of the wave holds in the same call. `from` outside the wave,
  /// or a lane that has ended, gives the caller's own.
  void exchange(const void* own, void* result, std::size_t bytes, int from);
  [[nodiscard]] int lane() const;
  [[nodiscard]] int wave_size() const { return wave_size_; }
  SharedMemory& shared() { return shared_; }

 private:
  struct Thread;
  void run_block(dim3 block, const std::function<void()>& thread);
  bool release_waves();
  void release_barrier(std::size_t ended);

  int wave_size_;
  bool is_broken_;
  Schedule schedule_;
  SharedMemory shared_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::size_t block_threads_ = 0;
  Thread* running_ = nullptr;
  std::size_t rank_ = 0;  // place of the running thread in its block
};

/// The grid of the emulated device.
Grid& grid();

/// Makes View accesses report; see view.hpp.
[[noreturn]] void out_of_bounds(const char* what, std::int64_t index, std::int64_t extent);

}  // namespace hipvmaf::gpu::emulator
