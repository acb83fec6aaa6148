#include "engine/dispatch_plan.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include <hipvmaf/error.hpp>

#include "engine/self_test.hpp"
#include "features/registry.hpp"

namespace hipvmaf {
namespace {

DeviceChoice choose_device(int wanted) {
  const DeviceList list = list_devices();
  if (list.devices.empty()) return {.problem = list.problem};
  if (wanted >= static_cast<int>(list.devices.size())) {
    return {.problem =
                fmt::format("there is no GPU {}; `hipvmaf devices` lists those there are", wanted)};
  }
  for (const DeviceInfo& device : list.devices) {
    if (wanted >= 0 && device.index != wanted) continue;
    if (device.has_code) {
      return {.index = device.index,
              .name = fmt::format("{} ({})", device.name, device.architecture)};
    }
    if (wanted < 0) continue;
    return {.problem = fmt::format("GPU {} ({}) is a {}, which this build has no code for", wanted,
                                   device.name, device.architecture)};
  }
  return {.problem =
              "this build has no code for any GPU of this machine; `hipvmaf devices` lists them"};
}

// Kernels number the samples of all scales of a picture with an int. Above 8192x4320.
constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;

std::optional<Submission> submission_named(std::string_view name) {
  if (name == "direct") return Submission::direct;
  if (name == "graph") return Submission::graph;
  return std::nullopt;
}

/// Parses VMAF_HIP_DISPATCH.
std::map<std::string, Submission, std::less<>> parse_strategies(std::string_view text) {
  std::map<std::string, Submission, std::less<>> strategies;
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

DeviceChoice find_device(Backend backend, int wanted) {
  const bool built_for_devices = gpu_platform() != "none" && gpu_platform() != "emulated";
  const bool looks =
      backend == Backend::hip || (backend == Backend::automatic && built_for_devices);
  return looks ? choose_device(wanted) : DeviceChoice{};
}

DispatchPlan::DispatchPlan(const FeaturePlan& plan, const PictureFormat& format,
                           const DispatchRequest& request, const LogCallback& log)
    : strategies_(parse_strategies(request.strategies)) {
  if (plan.instances().empty()) return;
  const bool some_need_gpu = std::ranges::any_of(plan.instances(), &ExtractorInstance::needs_gpu);
  device_ =
      find_device(some_need_gpu && request.backend != Backend::cpu ? Backend::hip : request.backend,
                  request.device);
  if (device_.index >= 0) test_device(plan, format);
  if (!device_.problem.empty() && request.backend == Backend::automatic && !some_need_gpu) {
    log_to(log, LogLevel::warning, fmt::format("computing on the CPU: {}", device_.problem));
  }
  for (const ExtractorInstance& instance : plan.instances()) {
    choices_.push_back(choose(instance, format, request.backend, log));
  }
}

void DispatchPlan::test_device(const FeaturePlan& plan, const PictureFormat& format) {
  if constexpr (gpu::kBuilt) {
    std::vector<const Descriptor*> extractors;
    for (const ExtractorInstance& instance : plan.instances()) {
      if (instance.extractor->make_gpu_stage == nullptr) continue;
      if (std::ranges::find(extractors, instance.extractor) != extractors.end()) continue;
      extractors.push_back(instance.extractor);
    }
    const std::string fault = device_fault(device_.index, extractors, format);
    if (fault.empty()) return;
    device_.problem = fmt::format("GPU {} ({}) {}", device_.index, device_.name, fault);
    device_.index = -1;
  }
}

Dispatch DispatchPlan::choose(const ExtractorInstance& instance, const PictureFormat& format,
                              Backend backend, const LogCallback& log) const {
  const std::string_view name = instance.extractor->name;
  std::string obstacle;
  if (backend == Backend::cpu) {
    obstacle = "the CPU was asked for";
  } else if (device_.index < 0) {
    obstacle = device_.problem.empty() ? "this build computes on the CPU" : device_.problem;
  } else if (instance.extractor->make_gpu_stage == nullptr) {
    obstacle = fmt::format("extractor {} runs on the CPU only", name);
  } else if (std::int64_t{format.width} * format.height > kMostPixels) {
    obstacle = fmt::format("pictures of {} have more than the {} pixels that a GPU measures",
                           format.describe(), kMostPixels);
  } else if (instance.extractor->gpu_obstacle != nullptr) {
    obstacle = instance.extractor->gpu_obstacle(instance.options, format);
  }
  if (obstacle.empty()) {
    Dispatch dispatch{.on_gpu = true, .reason = "it has a GPU stage and a device answers"};
    if (const auto at = strategies_.find(name); at != strategies_.end()) {
      dispatch.submission = at->second;
      dispatch.reason += "; strategy from VMAF_HIP_DISPATCH";
    }
    return dispatch;
  }
  if (backend == Backend::hip) {
    throw Error(ErrorCode::device, fmt::format("--backend hip: {}; --backend auto lets what has no "
                                               "GPU run on the CPU",
                                               obstacle));
  }
  if (instance.needs_gpu) {
    throw Error(ErrorCode::device,
                fmt::format("{0}_hip: {1}; ask for {0} to let it run on the CPU", name, obstacle));
  }
  if (device_.index >= 0 && backend == Backend::automatic) {
    log_to(log, LogLevel::warning, obstacle);
  }
  return {.on_gpu = false, .reason = obstacle};
}

bool DispatchPlan::uses_gpu() const { return std::ranges::any_of(choices_, &Dispatch::on_gpu); }

}  // namespace hipvmaf
