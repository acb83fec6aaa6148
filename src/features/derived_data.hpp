// Data derived from a frame that several windows or extractors need, such as a blurred plane.
#pragma once

#include <memory>
#include <mutex>
#include <typeindex>
#include <utility>

namespace hipvmaf {

/// What has been derived from one frame: each piece is made once, by whoever asks first, and lives
/// as long as the frame. Thread-safe. Copies share the data.
class DerivedData {
 public:
  DerivedData();

  /// The piece named by its type and `key`; what the keys stand for is up to the type. If it does
  /// not exist yet, it becomes what `make()` returns, a T; others who ask meanwhile wait. What
  /// `make` throws goes to its caller, and the next one who asks tries again.
  template <class T, class Make>
  const T& get(int key, Make&& make) const {
    Entry& entry = entry_of(typeid(T), key);
    const std::lock_guard lock(entry.mutex);
    if (!entry.data) entry.data = std::make_shared<const T>(std::forward<Make>(make)());
    return *static_cast<const T*>(entry.data.get());
  }

 private:
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const void> data;
  };
  struct State;

  [[nodiscard]] Entry& entry_of(std::type_index type, int key) const;

  std::shared_ptr<State> state_;
};

}  // namespace hipvmaf
