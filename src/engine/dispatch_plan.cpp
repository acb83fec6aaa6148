#include "engine/dispatch_plan.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>

#include <hipvmaf/error.hpp>

#include "features/registry.hpp"

namespace hipvmaf {
namespace {

/// The device of a request, or why there is none.
struct Choice {
  int device = -1;
  std::string problem;
};

Choice choose_device(int wanted) {
  const DeviceList list = list_devices();
  if (list.devices.empty()) return {-1, list.problem};
  if (wanted >= static_cast<int>(list.devices.size())) {
    return {-1, fmt::format("there is no GPU {}; `hipvmaf devices` lists those there are", wanted)};
  }
  for (const DeviceInfo& device : list.devices) {
    if (wanted >= 0 && device.index != wanted) continue;
    if (device.has_code) return {device.index, ""};
    if (wanted < 0) continue;
    return {-1, fmt::format("GPU {} ({}) is a {}, which this build has no code for; add it to "
                            "-DHIPVMAF_GPU_TARGETS",
                            wanted, device.name, device.architecture)};
  }
  return {-1, "this build has no code for any GPU of this machine; `hipvmaf devices` lists them"};
}

std::optional<Submission> submission_named(std::string_view name) {
  if (name == "direct") return Submission::direct;
  if (name == "graph") return Submission::graph;
  return std::nullopt;
}

using Strategies = std::map<std::string, Submission, std::less<>>;

/// Parses VMAF_HIP_DISPATCH.
Strategies parse_strategies(std::string_view text) {
  Strategies strategies;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t colon = item.find(':');
    const std::string_view extractor = item.substr(0, colon);
    if (find_extractor(extractor) == nullptr) {
      throw Error(ErrorCode::unknown_name,
                  fmt::format("VMAF_HIP_DISPATCH: no extractor is named \"{}\"; there are: {}",
                              extractor, list_extractors()));
    }
    const std::string_view name =
        colon == std::string_view::npos ? std::string_view{} : item.substr(colon + 1);
    const std::optional<Submission> submission = submission_named(name);
    if (!submission) {
      throw Error(ErrorCode::unknown_name,
                  fmt::format("VMAF_HIP_DISPATCH: {} has the strategy \"{}\"; there are: direct, "
                              "graph",
                              extractor, name));
    }
    strategies[std::string(extractor)] = *submission;
  }
  return strategies;
}

}  // namespace

DispatchPlan::DispatchPlan(const FeaturePlan& plan, const DispatchRequest& request,
                           const LogCallback& log) {
  const Strategies strategies = parse_strategies(request.strategies);
  const bool wants_gpu = request.backend != Backend::cpu;
  const bool must_use_gpu = request.backend == Backend::hip;
  // The emulator is a test instrument: it runs when it is asked for by name only.
  const bool may_use_gpu =
      must_use_gpu || (wants_gpu && gpu_platform() != "none" && gpu_platform() != "emulated");

  Choice choice;
  if (may_use_gpu && !plan.instances().empty()) choice = choose_device(request.device);
  if (must_use_gpu && choice.device < 0 && !plan.instances().empty()) {
    throw Error(ErrorCode::device, fmt::format("--backend hip: {}", choice.problem));
  }
  if (may_use_gpu && choice.device < 0 && !choice.problem.empty()) {
    log_to(log, LogLevel::warning, fmt::format("computing on the CPU: {}", choice.problem));
  }
  device_ = choice.device;

  for (const ExtractorInstance& instance : plan.instances()) {
    const Descriptor& extractor = *instance.extractor;
    Dispatch dispatch;
    if (!wants_gpu) {
      dispatch.reason = "the CPU was asked for";
    } else if (device_ < 0) {
      dispatch.reason = may_use_gpu ? choice.problem : "the CPU is this build's default";
    } else if (extractor.make_gpu_stage == nullptr) {
      dispatch.reason = "it has no GPU stage";
      const std::string message = fmt::format("extractor {} runs on the CPU only", extractor.name);
      if (must_use_gpu) {
        throw Error(ErrorCode::device,
                    fmt::format("--backend hip: {}; take --backend auto for it", message));
      }
      log_to(log, LogLevel::warning, message);
    } else {
      dispatch.on_gpu = true;
      dispatch.reason = must_use_gpu ? "the GPU was asked for" : "a GPU answers";
      if (const auto at = strategies.find(extractor.name); at != strategies.end()) {
        dispatch.submission = at->second;
        dispatch.reason += "; strategy from VMAF_HIP_DISPATCH";
      }
    }
    choices_.push_back(std::move(dispatch));
  }
}

bool DispatchPlan::uses_gpu() const { return std::ranges::any_of(choices_, &Dispatch::on_gpu); }

}  // namespace hipvmaf
