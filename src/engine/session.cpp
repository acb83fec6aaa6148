#include <algorithm>
#include <array>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <thread>
#include <utility>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "engine/cpu_executor.hpp"
#include "engine/dispatch_plan.hpp"
#include "engine/feature_plan.hpp"
#include "engine/frame_executor.hpp"
#include "engine/frame_ring.hpp"
#include "engine/model_scorer.hpp"
#include "engine/scorer.hpp"
#include "features/registry.hpp"
#include "gpu/device.hpp"

namespace hipvmaf {
namespace {

// Frames in flight beyond one per thread, so that workers do not wait for the reader.
constexpr int kSpareFrames = 2;

// Frames in flight that keep a GPU busy: those it computes, those on their way to it, and those
// whose scores are being made.
constexpr int kGpuFrames = 16;

// libvmaf's extractor that accepts everything and measures nothing.
constexpr std::string_view kNullExtractor = "null";

int thread_count(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

class Session::Impl {
 public:
  explicit Impl(SessionConfig config) : config_(std::move(config)) {
    if (config_.threads < 0 || config_.subsample < 0) {
      throw Error(ErrorCode::invalid_argument,
                  "the number of threads and the subsampling cannot be negative");
    }
    config_.threads = thread_count(config_.threads);
    config_.subsample = std::max(1, config_.subsample);
  }

  void add_feature(std::string_view name, const Options& options) {
    require_not_prepared();
    if (name == kNullExtractor) return;
    const auto [extractor, on_gpu] = find_named(name);
    if (extractor == nullptr) {
      throw Error(ErrorCode::unknown_name,
                  fmt::format("no extractor is named {}; there are: {}", name, list_extractors()));
    }
    OptionTexts texts;
    for (const auto& [option, text] : options) texts.set(option, text);
    const std::size_t instance =
        plan_.request(*extractor, texts, unknown_options_policy(), config_.log);
    if (on_gpu) plan_.require_gpu(instance);
  }

  void add_model(LoadedModel model, const std::vector<Overload>& overloads) {
    require_not_prepared();
    const std::string& name = model.model.name();
    if (!name_fits_reports(name)) {
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format(
              "model {}: the name \"{}\" is empty or has a comma, a vertical bar or a control "
              "character, which reports cannot hold",
              model.origin, name));
    }
    const bool taken = std::ranges::any_of(
        models_, [&](const ModelScorer& other) { return other.loaded().model.name() == name; });
    if (taken) {
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("two models are named {}; give each its own name", name));
    }
    models_.emplace_back(std::move(model), overloads, unknown_options_policy(), config_.log, plan_);
  }

  void on_frame(std::function<void(std::int64_t)> callback) {
    require_not_prepared();
    on_frame_ = std::move(callback);
  }

  void on_score(ScoreCallback callback) {
    require_not_prepared();
    on_score_ = std::move(callback);
  }

  void prepare(const PictureFormat& format) {
    require_not_prepared();
    format.validate();
    plan_.require_format(format);
    dispatch_.emplace(plan_, format,
                      DispatchRequest{config_.backend, config_.device, config_.dispatch_strategies},
                      config_.log);
    layout_.emplace(plan_);
    scorer_.emplace(
        plan_, *layout_, format, models_, scores_,
        ScorerConfig{config_.subsample, config_.predict, config_.log, on_frame_, on_score_});
    int frames = config_.threads + kSpareFrames;
    if (dispatch_->uses_gpu()) frames = std::max(frames, kGpuFrames);
    ring_.emplace(static_cast<std::size_t>(frames), layout_->bytes,
                  [this](std::int64_t frame, const std::byte* raw) { scorer_->push(frame, raw); });
    cpu_.emplace(plan_, format, config_.threads, *ring_);
    if (dispatch_->uses_gpu()) {
      gpu_ = make_gpu_executor(plan_, *layout_, *dispatch_, format,
                               static_cast<std::size_t>(frames), *ring_);
    }
    history_length_ = static_cast<std::size_t>(plan_.reach());
    format_ = format;
  }

  void submit(Picture reference, Picture distorted) {
    if (!reference || !distorted)
      throw Error(ErrorCode::invalid_argument, "a picture of the pair is empty");
    if (finished_) throw Error(ErrorCode::invalid_argument, "the session has been finished");
    if (!format_) prepare(reference.format());
    require_session_format(reference, "reference");
    require_session_format(distorted, "distorted");
    if (reference.is_on_device() || distorted.is_on_device()) require_all_on_gpu();

    const std::int64_t index = submitted_;
    auto frame =
        std::make_shared<const Frame>(Frame{index, std::move(reference), std::move(distorted)});
    due_.clear();
    due_on_gpu_.clear();
    for (std::size_t i = 0; i < plan_.instances().size(); ++i) {
      if (scorer_->is_due(i, index)) (dispatch_->is_on_gpu(i) ? due_on_gpu_ : due_).push_back(i);
    }
    FrameRing::Slot& slot = ring_->begin_frame(index, FrameWindow(frame, history_),
                                               static_cast<int>(due_.size() + due_on_gpu_.size()));
    ++submitted_;
    for (const std::size_t instance : due_) {
      cpu_->start(instance, slot.window, slot.raw.data() + layout_->offsets[instance]);
    }
    if (!due_on_gpu_.empty()) gpu_->start(slot.window, due_on_gpu_, slot.raw.data());
    remember(std::move(frame));
  }

  void wait() {
    if (!ring_) return;  // no picture came
    ring_->drain();
    if (const std::exception_ptr error = ring_->error()) std::rethrow_exception(error);
  }

  [[nodiscard]] int reach() const { return plan_.reach(); }

  void finish() {
    if (finished_) return;
    finished_ = true;
    if (!format_) return;  // no picture came
    ring_->drain();
    history_.clear();
    scorer_->flush();  // also after an error: the frames before it keep their scores
    if (const std::exception_ptr error = ring_->error()) std::rethrow_exception(error);
    scorer_->require_complete();
  }

  [[nodiscard]] std::optional<double> score(std::string_view name, std::int64_t frame) const {
    return scorer_ ? scorer_->score(name, frame) : std::nullopt;
  }

  [[nodiscard]] std::int64_t picture_count() const { return submitted_; }
  [[nodiscard]] const ScoreTable& scores() const { return scores_; }

  [[nodiscard]] std::optional<PooledScore> pooled(std::string_view name) const {
    const auto column = scores_.find(name);
    return column ? pool(scores_, *column, 0, scored_frames(), config_.subsample) : std::nullopt;
  }

  [[nodiscard]] PictureAllocator picture_allocator() const {
    const bool may_use_gpu = find_device(config_.backend, config_.device).index >= 0;
    return may_use_gpu ? gpu::page_locked_pictures() : PictureAllocator{};
  }

  [[nodiscard]] std::vector<FeatureDispatch> dispatch() const {
    std::vector<FeatureDispatch> all;
    for (std::size_t i = 0; format_ && i < plan_.instances().size(); ++i) {
      const ExtractorInstance& instance = plan_.instances()[i];
      const Dispatch& choice = dispatch_->of(i);
      all.push_back({.extractor = std::string(instance.extractor->name),
                     .suffix = instance.suffix,
                     .features = plan_.printed_names(i, *format_),
                     .on_gpu = choice.on_gpu,
                     .device = choice.on_gpu ? dispatch_->device_name() : "",
                     .submission = choice.submission,
                     .reason = choice.reason,
                     .kernels = gpu_ ? gpu_->kernels(i) : 0});
    }
    return all;
  }

  [[nodiscard]] ReportInfo report_info() const {
    ReportInfo info;
    info.version = version();
    info.width = format_ ? format_->width : 0;
    info.height = format_ ? format_->height : 0;
    info.picture_count = scored_frames();
    info.fps =
        static_cast<double>(info.picture_count) / (scorer_ ? scorer_->processor_seconds() : 0.0);
    info.subsample = config_.subsample;
    info.incomplete = ring_ && ring_->error();
    return info;
  }

 private:
  void require_not_prepared() const {
    if (format_)
      throw Error(ErrorCode::invalid_argument,
                  "the session has begun; features, models and callbacks come before");
  }

  void require_session_format(const Picture& picture, std::string_view which) const {
    if (picture.format() == *format_) return;
    throw Error(ErrorCode::mismatch,
                fmt::format("frame {}: the {} picture is {}, the session measures {}", submitted_,
                            which, picture.format().describe(), format_->describe()));
  }

  // Pictures that lie on the device cannot be read elsewhere.
  void require_all_on_gpu() const {
    for (std::size_t i = 0; i < plan_.instances().size(); ++i) {
      if (dispatch_->is_on_gpu(i)) continue;
      throw Error(
          ErrorCode::device,
          fmt::format("frame {}: the pictures lie in GPU memory, but extractor {} runs on "
                      "the CPU: {}",
                      submitted_, plan_.instances()[i].extractor->name, dispatch_->of(i).reason));
    }
  }

  [[nodiscard]] UnknownOptions unknown_options_policy() const {
    return config_.ignore_unknown_options ? UnknownOptions::warn : UnknownOptions::refuse;
  }

  [[nodiscard]] std::int64_t scored_frames() const { return ring_ ? ring_->retired() : 0; }

  // Keeps as many of the latest frames as temporal extractors look back, newest first.
  void remember(std::shared_ptr<const Frame> frame) {
    if (history_length_ == 0) return;
    history_.insert(history_.begin(), std::move(frame));
    if (history_.size() > history_length_) history_.pop_back();
  }

  SessionConfig config_;
  FeaturePlan plan_;
  std::vector<ModelScorer> models_;
  std::function<void(std::int64_t)> on_frame_;
  ScoreCallback on_score_;

  std::optional<PictureFormat> format_;  // set once prepared
  std::optional<RawLayout> layout_;
  ScoreTable scores_;
  std::optional<Scorer> scorer_;
  std::size_t history_length_ = 0;
  std::vector<std::shared_ptr<const Frame>> history_;
  std::vector<std::size_t> due_;  // the CPU's instances that run on the frame being submitted
  std::vector<std::size_t> due_on_gpu_;
  std::int64_t submitted_ = 0;
  bool finished_ = false;
  std::optional<DispatchPlan> dispatch_;
  // Last, in this order: the executors' tasks use the ring, the ring's retired frames go to the
  // scorer.
  std::optional<FrameRing> ring_;
  std::optional<CpuExecutor> cpu_;
  std::unique_ptr<FrameExecutor> gpu_;
};

Session::Session(SessionConfig config) : impl_(std::make_unique<Impl>(std::move(config))) {}
Session::~Session() = default;

void Session::add_feature(std::string_view extractor, const Options& options) {
  impl_->add_feature(extractor, options);
}
void Session::add_model(LoadedModel model, const std::vector<Overload>& overloads) {
  impl_->add_model(std::move(model), overloads);
}
void Session::on_frame(std::function<void(std::int64_t)> callback) {
  impl_->on_frame(std::move(callback));
}
void Session::on_score(ScoreCallback callback) { impl_->on_score(std::move(callback)); }
void Session::prepare(const PictureFormat& format) { impl_->prepare(format); }
void Session::submit(Picture reference, Picture distorted) {
  impl_->submit(std::move(reference), std::move(distorted));
}
void Session::wait() { impl_->wait(); }
int Session::reach() const { return impl_->reach(); }
void Session::finish() { impl_->finish(); }
std::optional<double> Session::score(std::string_view name, std::int64_t frame) const {
  return impl_->score(name, frame);
}
std::int64_t Session::picture_count() const { return impl_->picture_count(); }
const ScoreTable& Session::scores() const { return impl_->scores(); }
std::optional<PooledScore> Session::pooled(std::string_view name) const {
  return impl_->pooled(name);
}
PictureAllocator Session::picture_allocator() const { return impl_->picture_allocator(); }
std::vector<FeatureDispatch> Session::dispatch() const { return impl_->dispatch(); }
ReportInfo Session::report_info() const { return impl_->report_info(); }

}  // namespace hipvmaf
