// Where each extractor runs and how its work is handed to the GPU: decided once per session, with a
// reason for each choice.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <hipvmaf/device.hpp>
#include <hipvmaf/log.hpp>

#include "engine/feature_plan.hpp"

namespace hipvmaf {

struct DispatchRequest {
  Backend backend = Backend::automatic;
  int device = -1;         ///< Index, or -1 for the first usable device.
  std::string strategies;  ///< VMAF_HIP_DISPATCH: "extractor:strategy[,extractor:strategy...]".
};

/// The device of a request.
struct DeviceChoice {
  int index = -1;       ///< -1: none.
  std::string name;     ///< "NVIDIA H200 (sm_90)".
  std::string problem;  ///< Why a device that was looked for cannot be had; empty if none was.
};

/// Looks for the device that a request means. Under Backend::automatic only real ones count: the
/// emulator is a test instrument, which runs when it is asked for by name.
[[nodiscard]] DeviceChoice find_device(Backend backend, int wanted);

struct Dispatch {
  bool on_gpu = false;
  Submission submission = Submission::direct;
  std::string reason;
};

class DispatchPlan {
 public:
  /// Throws Error(device) if the request asks for a GPU and something cannot run on one,
  /// Error(unknown_name) for names in `strategies` that do not exist. What falls back to the CPU
  /// under Backend::automatic is logged.
  DispatchPlan(const FeaturePlan& plan, const PictureFormat& format, const DispatchRequest& request,
               const LogCallback& log);

  [[nodiscard]] const Dispatch& of(std::size_t instance) const { return choices_[instance]; }
  [[nodiscard]] bool is_on_gpu(std::size_t instance) const { return choices_[instance].on_gpu; }
  [[nodiscard]] bool uses_gpu() const;
  /// The device that is used; meaningless without one.
  [[nodiscard]] int device() const { return device_.index; }
  [[nodiscard]] const std::string& device_name() const { return device_.name; }

 private:
  /// Gives the device up if it fails its self-test.
  void test_device(const FeaturePlan& plan, const PictureFormat& format);
  [[nodiscard]] Dispatch choose(const ExtractorInstance& instance, const PictureFormat& format,
                                Backend backend, const LogCallback& log) const;

  std::map<std::string, Submission, std::less<>> strategies_;
  std::vector<Dispatch> choices_;
  DeviceChoice device_;
};

}  // namespace hipvmaf
