#include "capi/picture_supply.hpp"

#include <condition_variable>
#include <mutex>
#include <vector>

#include "capi/picture.hpp"

namespace hipvmaf::capi {
namespace {

constexpr std::align_val_t kAlignment{64};

PictureAllocator ordinary_memory() {
  return {
      [](std::size_t bytes) { return static_cast<std::byte*>(::operator new(bytes, kAlignment)); },
      [](std::byte* block) { ::operator delete(block, kAlignment); }};
}

}  // namespace

struct PictureSupply::State {
  PictureAllocator allocator;
  std::mutex mutex;
  std::condition_variable returned;
  std::vector<std::byte*> free;
  std::size_t made = 0;

  explicit State(const PictureAllocator& from)
      : allocator(from.allocate ? from : ordinary_memory()) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  // Pictures in use hold the state, so all blocks are here.
  ~State() {
    for (std::byte* const block : free) allocator.release(block);
  }

  /// With the mutex held.
  void make(std::size_t bytes) {
    free.reserve(made + 1);  // so that give_back() cannot fail
    free.push_back(allocator.allocate(bytes));
    ++made;
  }

  void give_back(std::byte* block) {
    {
      const std::lock_guard lock(mutex);
      free.push_back(block);  // within the capacity
    }
    returned.notify_one();
  }
};

PictureSupply::PictureSupply(const PictureFormat& format, unsigned count,
                             const PictureAllocator& allocator)
    : format_(format), count_(count), state_(std::make_shared<State>(allocator)) {
  for (unsigned i = 0; i < count; ++i) state_->make(picture_bytes(format));
}

VmafPicture PictureSupply::fetch(std::size_t kept) {
  std::unique_lock lock(state_->mutex);
  if (state_->free.empty() && state_->made < count_ + kept) state_->make(picture_bytes(format_));
  state_->returned.wait(lock, [&] { return !state_->free.empty(); });
  std::byte* const block = state_->free.back();
  const VmafPicture picture =
      make_picture(format_, block, [state = state_, block] { state->give_back(block); });
  state_->free.pop_back();
  return picture;
}

}  // namespace hipvmaf::capi
