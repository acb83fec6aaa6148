#include "engine/cpu_executor.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <optional>
#include <utility>

#include "base/thread_sanitizer.hpp"

namespace hipvmaf {
namespace {

constexpr char kHandOver = 0;  // stands for the passing of tasks to oneTBB's threads

}  // namespace

struct CpuExecutor::Arena {
  explicit Arena(int threads) : arena(threads, 0) {
    // oneTBB counts the caller's thread, which only feeds us. The limit is raised when it has to
    // be, never lowered: the rest of the process may use oneTBB too.
    const int wanted = threads + 1;
    if (wanted > tbb::info::default_concurrency()) {
      more_workers.emplace(tbb::global_control::max_allowed_parallelism,
                           static_cast<std::size_t>(wanted));
    }
  }

  std::optional<tbb::global_control> more_workers;
  tbb::task_arena arena;
  tbb::task_group tasks;
};

CpuExecutor::CpuExecutor(const FeaturePlan& plan, const PictureFormat& format, int threads,
                         TaskListener& listener)
    : plan_(plan),
      format_(format),
      listener_(listener),
      pools_(plan.instances().size()),
      arena_(std::make_unique<Arena>(threads)) {}

CpuExecutor::~CpuExecutor() {
  const auto wait = [&arena = *arena_] {
    thread_sanitizer::acquire(&kHandOver);
    arena.tasks.wait();
    thread_sanitizer::release(&kHandOver);
  };
  thread_sanitizer::release(&kHandOver);
  arena_->arena.execute(wait);  // in a thread of oneTBB's if all places are taken
  thread_sanitizer::acquire(&kHandOver);
}

std::unique_ptr<PixelStage> CpuExecutor::take_stage(std::size_t instance) {
  StagePool& pool = pools_[instance];
  {
    const std::lock_guard lock(pool.mutex);
    if (!pool.idle.empty()) {
      std::unique_ptr<PixelStage> stage = std::move(pool.idle.back());
      pool.idle.pop_back();
      return stage;
    }
  }
  const ExtractorInstance& wanted = plan_.instances()[instance];
  return wanted.extractor->make_cpu_stage(wanted.options, format_);
}

void CpuExecutor::give_back_stage(std::size_t instance, std::unique_ptr<PixelStage> stage) {
  const std::lock_guard lock(pools_[instance].mutex);
  pools_[instance].idle.push_back(std::move(stage));
}

void CpuExecutor::start(std::size_t instance, const FrameWindow& window, std::byte* raw) {
  auto task = arena_->tasks.defer([this, instance, &window, raw] {
    thread_sanitizer::acquire(&kHandOver);
    run(instance, window, raw);
  });
  thread_sanitizer::release(&kHandOver);
  arena_->arena.enqueue(std::move(task));
}

void CpuExecutor::run(std::size_t instance, const FrameWindow& window, std::byte* raw) {
  const std::int64_t frame = window.current().index;
  std::exception_ptr error;
  try {
    if (listener_.is_wanted(frame)) {
      std::unique_ptr<PixelStage> stage = take_stage(instance);
      stage->measure_into(window, raw);
      give_back_stage(instance, std::move(stage));
    }
  } catch (...) {
    error = std::current_exception();
  }
  listener_.task_ended(frame, instance, error);
}

}  // namespace hipvmaf
