#include "capi/context.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include <hipvmaf/error.hpp>

#include "capi/log.hpp"
#include "capi/model.hpp"
#include "capi/picture.hpp"

namespace hipvmaf::capi {
namespace {

constexpr unsigned kMaxThreads = 1024;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_argument, why); }

std::string environment(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

/// What programs that know nothing of GPUs compute on.
Backend backend_from_environment() {
  const std::string text = environment("HIPVMAF_BACKEND");
  if (text.empty() || text == "cpu") return Backend::cpu;
  if (text == "auto") return Backend::automatic;
  if (text == "hip") return Backend::hip;
  refuse(fmt::format("HIPVMAF_BACKEND is \"{}\"; it can be auto, cpu or hip", text));
}

}  // namespace

Context::Context(const VmafConfiguration& config)
    : config_(config), log_(log_at(config.log_level)), scores_(log_) {}

void Context::use_device(int device) {
  if (device_) refuse("a HIP state has been imported already");
  if (session_) refuse("a HIP state is imported before features and models are asked for");
  device_ = device;
}

SessionConfig Context::session_config() const {
  SessionConfig config{
      .threads = static_cast<int>(std::clamp(config_.n_threads, 1U, kMaxThreads)),
      .subsample = static_cast<int>(std::min<unsigned>(config_.n_subsample, INT32_MAX)),
      .predict = false,
      .ignore_unknown_options = true,
      .dispatch_strategies = environment("VMAF_HIP_DISPATCH"),
      .log = log_,
  };
  if (config_.gpumask != 0) {
    config.backend = Backend::cpu;
  } else if (device_) {
    config.backend = Backend::hip;
    config.device = *device_;
  } else {
    config.backend = backend_from_environment();
  }
  return config;
}

Session& Context::session() {
  if (!session_) {
    session_ = std::make_unique<Session>(session_config());
    session_->on_score([this](std::string_view name, std::int64_t frame, double value) {
      scores_.extracted(name, frame, value);
    });
  }
  return *session_;
}

void Context::require_asking() const {
  if (begun_ || flushed_) refuse("features and models are asked for before the first pictures");
}

void Context::use(const VmafModel& model) {
  require_asking();
  const ScoredModel known = scored(model);
  if (scores_.is_used(known)) return;
  session().add_model(loaded(model), model.overloads);
  scores_.use(known);
  measures_something_ = true;
}

void Context::use(const VmafModelCollection& collection) {
  require_asking();
  const std::vector<ScoredModel> members = scored(collection).members;
  const auto is_used = [&](const ScoredModel& member) { return scores_.is_used(member); };
  if (std::ranges::all_of(members, is_used)) return;
  session().add_model(loaded(collection), collection.overloads);
  for (const ScoredModel& member : members) scores_.use(member);
  measures_something_ = true;
}

void Context::use_feature(std::string_view extractor, const Session::Options& options) {
  require_asking();
  session().add_feature(extractor, options);
  measures_something_ = true;
}

void Context::supply_pictures(const VmafPictureConfiguration& config) {
  if (supply_) refuse("pictures have been preallocated already");
  if (config.pic_cnt == 0) refuse("no pictures are to be preallocated");
  const auto& params = config.pic_params;
  const PictureFormat format = format_of(params.pix_fmt, params.bpc, params.w, params.h);
  supply_.emplace(format, config.pic_cnt, session().picture_allocator());
}

VmafPicture Context::fetch_picture() {
  if (!supply_) refuse("no pictures have been preallocated");
  return supply_->fetch(2 * static_cast<std::size_t>(session().reach()));
}

void Context::require_reading() const {
  if (failure_) std::rethrow_exception(failure_);
  if (flushed_) refuse("the context has been flushed");
}

void Context::begin(const PictureFormat& format) {
  session().prepare(format);
  scores_.attach(*session_);
  const std::vector<FeatureDispatch> dispatch = session_->dispatch();
  waits_in_reads_ =
      config_.n_threads == 0 && std::ranges::none_of(dispatch, &FeatureDispatch::on_gpu);
  begun_ = true;
}

// Frames are measured in the order in which they come, and that of their indices has to be the same
// where it matters.
void Context::require_index_in_order(unsigned index) {
  const std::int64_t expected = scores_.frame_count();
  if (index == expected) return;
  if (session_->reach() > 0) {
    refuse(
        fmt::format("index {} comes where {} is expected, and an extractor looks at the frames "
                    "before",
                    index, expected));
  }
  if (config_.n_subsample > 1) {
    refuse(fmt::format("index {} comes where {} is expected, and frames are subsampled", index,
                       expected));
  }
}

void Context::read(VmafPicture& reference, VmafPicture& distorted, unsigned index) {
  require_reading();
  Picture shared_reference = share(reference);
  Picture shared_distorted = share(distorted);
  if (!begun_) begin(shared_reference.format());
  require_index_in_order(index);
  scores_.add_frame(index);
  try {
    session_->submit(std::move(shared_reference), std::move(shared_distorted));
  } catch (...) {
    scores_.drop_frame();
    throw;
  }
  if (waits_in_reads_) session_->wait();
  vmaf_picture_unref(&reference);
  vmaf_picture_unref(&distorted);
}

void Context::flush() {
  require_reading();
  if (!begun_) {
    if (measures_something_ && (config_.n_threads == 0 || session_->reach() > 0)) {
      refuse("no pictures have been read");
    }
    flushed_ = true;
    return;
  }
  try {
    session_->finish();
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
  flushed_ = true;
}

void Context::settle() {
  if (!begun_ || flushed_) return;
  try {
    session_->wait();
  } catch (const Error&) {
    // Reads and the flush return it, and reports say that they are incomplete.
  }
}

void Context::settle_if_synchronous() {
  if (config_.n_threads == 0) settle();
}

void Context::for_each_scored(unsigned low, unsigned high,
                              const std::function<void(unsigned)>& call) const {
  const unsigned step = std::max(config_.n_subsample, 1U);
  const std::uint64_t first = (std::uint64_t{low} + step - 1) / step * step;
  if (first > high) refuse(fmt::format("no frame from {} to {} is scored", low, high));
  for (std::uint64_t index = first; index <= high; index += step) {
    call(static_cast<unsigned>(index));
  }
}

void Context::write(const char* path, ReportFormat format) {
  settle();
  ReportInfo info;
  info.version = version();
  if (session_) info = session_->report_info();
  info.incomplete |= failure_ != nullptr;
  ReportFile file(path);
  file.commit(format_report(format, scores_.table(), info, Precision{}));
}

}  // namespace hipvmaf::capi
