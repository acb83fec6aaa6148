// How executors report to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>

namespace hipvmaf {

/// Follows the tasks of an executor. Called from its worker threads.
class TaskListener {
 public:
  virtual ~TaskListener() = default;
  /// Whether a frame's scores are still of use; a task of an unwanted frame may end at once.
  [[nodiscard]] virtual bool is_wanted(std::int64_t frame) const = 0;
  /// The task of an instance on a frame has ended; `error` is set if it failed.
  virtual void task_ended(std::int64_t frame, std::size_t instance,
                          const std::exception_ptr& error) = 0;
};

}  // namespace hipvmaf
