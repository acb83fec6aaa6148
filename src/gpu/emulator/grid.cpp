#include "gpu/emulator/grid.hpp"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <numeric>

#include "gpu/emulator/address_sanitizer.hpp"
#include "gpu/emulator/runtime.hpp"

namespace hipvmaf::gpu::emulator {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;  // AddressSanitizer makes frames large
constexpr std::size_t kFence = 64;
constexpr std::byte kFenceByte{0xFE};
constexpr std::byte kPoison{0xFF};  // NaN, or a huge number

}  // namespace

std::span<const std::uint32_t> Schedule::order(std::size_t count) {
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0U);
  if (seed_ == 1) std::ranges::reverse(order_);
  if (seed_ > 1) std::ranges::shuffle(order_, random_);
  return order_;
}

std::size_t Schedule::pick(std::size_t count) {
  if (seed_ == 0) return 0;
  return seed_ == 1 ? count - 1 : random_() % count;
}

bool Schedule::chance() { return seed_ > 1 && random_() % 4 == 0; }

SharedMemory::SharedMemory() : memory_(kBytes + 64 * kFence) {}
SharedMemory::~SharedMemory() { allow(memory_.data(), memory_.size()); }

void SharedMemory::begin_block() {
  allow(memory_.data(), used_);
  variables_.clear();
  used_ = 0;
}

void* SharedMemory::variable(const void* declaration, std::size_t bytes, std::size_t alignment) {
  for (const Variable& known : variables_) {
    if (known.declaration == declaration) return memory_.data() + known.begin;
  }
  const std::size_t begin = (used_ + kFence + alignment - 1) / alignment * alignment;
  const std::size_t end = begin + bytes;
  if (end + kFence > memory_.size()) {
    throw KernelFault(fmt::format("the block's shared variables need more than {} bytes", kBytes));
  }
  std::fill_n(memory_.data() + used_, begin - used_, kFenceByte);
  std::fill_n(memory_.data() + begin, bytes, kPoison);
  std::fill_n(memory_.data() + end, kFence, kFenceByte);
  forbid(memory_.data() + used_, begin - used_);
  forbid(memory_.data() + end, kFence);
  variables_.push_back({declaration, begin, end});
  used_ = end + kFence;
  return memory_.data() + begin;
}

void SharedMemory::check_fences() const {
  if (kFencesAreWatched) return;
  for (const Variable& variable : variables_) {
    const auto broken = [&](std::size_t begin) {
      return std::any_of(memory_.data() + begin, memory_.data() + begin + kFence,
                         [](std::byte b) { return b != kFenceByte; });
    };
    if (broken(variable.end) || broken(variable.begin - kFence)) {
      throw KernelFault("a kernel wrote past the end of a shared variable");
    }
  }
}

/// Unwinds a kernel thread that will not be continued.
struct Abandoned {};

/// A thread of a block. Its fiber is made once and runs one kernel thread after the other.
struct Grid::Thread {
  enum class State { ready, at_barrier, in_exchange, ended };

  Thread() : stack(allocator.allocate()) {
    fiber = boost::context::fiber(
        std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), allocator,
        [this](boost::context::fiber&& from) { return live(std::move(from)); });
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() {
    kernel = nullptr;
    abandoned = true;
    while (fiber) resume();  // the kernel thread is unwound, then the fiber ends
  }

  /// Goes on with the kernel until it waits or ends.
  void resume() {
    void* own = nullptr;
    leave_for_fiber(&own, {static_cast<std::byte*>(stack.sp) - stack.size, stack.size});
    fiber = std::move(fiber).resume();
    arrived_at_fiber(own, nullptr);
  }

  /// Back to the scheduler, until the next resume().
  void suspend() {
    void* own = nullptr;
    leave_for_fiber(&own, scheduler_stack);
    scheduler = std::move(scheduler).resume();
    arrived_at_fiber(own, &scheduler_stack);
  }

  /// suspend() for a kernel thread, which may be unwound meanwhile.
  void wait(State why) {
    state = why;
    suspend();
    if (abandoned) throw Abandoned{};
  }

  boost::context::fiber live(boost::context::fiber&& from) {
    scheduler = std::move(from);
    arrived_at_fiber(nullptr, &scheduler_stack);
    while (kernel != nullptr) {
      run_kernel();
      state = State::ended;
      suspend();
    }
    leave_for_fiber(nullptr, scheduler_stack);
    return std::move(scheduler);
  }

  void run_kernel() {
    try {
      (*kernel)();
    } catch (const Abandoned&) {
    } catch (...) {
      fault = std::current_exception();
    }
  }

  boost::context::protected_fixedsize_stack allocator{kStackBytes};
  boost::context::stack_context stack;
  boost::context::fiber fiber;
  boost::context::fiber scheduler;
  StackBounds scheduler_stack;

  const std::function<void()>* kernel = nullptr;
  State state = State::ended;
  bool abandoned = false;
  dim3 index;
  const void* published = nullptr;
  std::exception_ptr fault;
};

Grid::Grid(const Behaviour& behaviour)
    : wave_size_(behaviour.wave_size), is_broken_(behaviour.is_broken), schedule_(behaviour.seed) {}
Grid::~Grid() = default;

void Grid::run(dim3 grid, dim3 block, const std::function<void()>& thread) {
  if (block.count() == 0 || block.count() > 1024 || grid.count() == 0 || grid.y > 65535 ||
      grid.z > 65535) {
    throw KernelFault(
        fmt::format("a grid of {}x{}x{} blocks of {}x{}x{} threads cannot be launched", grid.x,
                    grid.y, grid.z, block.x, block.y, block.z));
  }
  gridDim = grid;
  blockDim = block;
  while (threads_.size() < block.count()) threads_.push_back(std::make_unique<Thread>());
  const auto order = schedule_.order(grid.count());
  const std::vector<std::uint32_t> blocks(order.begin(), order.end());
  for (const std::uint32_t b : blocks) {
    blockIdx = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
    try {
      run_block(block, thread);
      shared_.check_fences();
    } catch (const KernelFault& fault) {
      threads_.clear();  // those that wait are unwound
      throw KernelFault(
          fmt::format("block ({}, {}, {}): {}", blockIdx.x, blockIdx.y, blockIdx.z, fault.what()));
    }
  }
}

void Grid::run_block(dim3 block, const std::function<void()>& thread) {
  shared_.begin_block();
  block_threads_ = block.count();
  for (std::size_t i = 0; i < block_threads_; ++i) {
    Thread& t = *threads_[i];
    const auto place = static_cast<unsigned>(i);
    t.index = {place % block.x, place / block.x % block.y, place / block.x / block.y};
    t.kernel = &thread;
    t.state = Thread::State::ready;
  }
  std::size_t ended = 0;
  while (ended < block_threads_) {
    for (const std::uint32_t i : schedule_.order(block_threads_)) {
      running_ = threads_[i].get();
      if (running_->state != Thread::State::ready) continue;
      rank_ = i;
      threadIdx = running_->index;
      running_->resume();
      if (running_->fault) std::rethrow_exception(std::exchange(running_->fault, nullptr));
      if (running_->state == Thread::State::ended) ++ended;
    }
    if (!release_waves() && ended < block_threads_) release_barrier(ended);
  }
}

/// Lets the waves go on whose lanes have all come to the exchange.
bool Grid::release_waves() {
  const auto wave = static_cast<std::size_t>(wave_size_);
  bool released = false;
  for (std::size_t begin = 0; begin < block_threads_; begin += wave) {
    const std::size_t end = std::min(begin + wave, block_threads_);
    std::size_t waiting = 0, elsewhere = 0;
    for (std::size_t i = begin; i < end; ++i) {
      waiting += threads_[i]->state == Thread::State::in_exchange;
      elsewhere += threads_[i]->state != Thread::State::in_exchange;
    }
    if (waiting == 0) continue;
    if (elsewhere > 0) {
      throw KernelFault(fmt::format("{} lanes of the wave of thread {} exchange values, {} do not",
                                    waiting, begin, elsewhere));
    }
    for (std::size_t i = begin; i < end; ++i) threads_[i]->state = Thread::State::ready;
    released = true;
  }
  return released;
}

void Grid::release_barrier(std::size_t ended) {
  if (ended > 0) {
    throw KernelFault(fmt::format("{} threads of the block wait at a barrier, {} have ended",
                                  block_threads_ - ended, ended));
  }
  for (std::size_t i = 0; i < block_threads_; ++i) threads_[i]->state = Thread::State::ready;
}

void Grid::barrier() { running_->wait(Thread::State::at_barrier); }

int Grid::lane() const { return static_cast<int>(rank_ % static_cast<std::size_t>(wave_size_)); }

void Grid::exchange(const void* own, void* result, std::size_t bytes, int from) {
  Thread& me = *running_;
  const std::size_t wave_begin = rank_ - rank_ % static_cast<std::size_t>(wave_size_);
  const std::size_t source = wave_begin + static_cast<std::size_t>(from);
  me.published = own;
  me.wait(Thread::State::in_exchange);
  const bool inside = from >= 0 && from < wave_size_ && source < block_threads_ && !is_broken_;
  std::memcpy(result, inside ? threads_[source]->published : own, bytes);
  me.wait(Thread::State::in_exchange);  // until all have read
}

void out_of_bounds(const char* what, std::int64_t index, std::int64_t extent) {
  throw KernelFault(fmt::format("thread ({}, {}, {}): {} {} is outside 0 .. {}", threadIdx.x,
                                threadIdx.y, threadIdx.z, what, index, extent - 1));
}

}  // namespace hipvmaf::gpu::emulator
