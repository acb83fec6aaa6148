// GPUs: which there are, which this build can use, and what runs on them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hipvmaf {

/// Where a session computes.
enum class Backend {
  automatic,  ///< The GPU if this build has one and a device answers, else the CPU, with a warning
              ///< that says why.
  cpu,        ///< Never touches a GPU.
  hip,        ///< The GPU; what cannot run there is an error.
};

/// How the work of an extractor is handed to the GPU.
enum class Submission {
  direct,  ///< Kernel by kernel.
  graph,   ///< Recorded once and replayed as a whole.
};

struct DeviceInfo {
  int index = 0;
  std::string name;
  std::string architecture;      ///< "gfx90a", "sm_90", "emulated"
  int wave_size = 0;             ///< Threads that run in step.
  std::size_t memory_bytes = 0;  ///< Device memory, all of it.
  bool has_code = false;         ///< This build has kernels for it.
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string problem;  ///< Why there are none, and what to do; empty if there are.
};

/// The devices of the platform that this build is for.
[[nodiscard]] DeviceList list_devices();

/// A line per device, or the problem.
[[nodiscard]] std::string describe(const DeviceList& list);

/// "none", "emulated", "amd" or "nvidia": the platform of this build.
[[nodiscard]] std::string_view gpu_platform();

/// Whether an extractor can run on the GPU of this build.
[[nodiscard]] bool runs_on_gpu(std::string_view extractor);

/// Where and how an extractor of a session runs.
struct FeatureDispatch {
  std::string extractor;
  std::string suffix;  ///< Tells instances of one extractor apart; part of their feature names.
  std::vector<std::string> features;  ///< Those it emits, as reports name them.
  bool on_gpu = false;
  std::string device;  ///< "NVIDIA H200 (sm_90)"; empty on the CPU.
  Submission submission = Submission::direct;
  std::string reason;
  long kernels = 0;  ///< Launched so far; a recorded one counts once.
};

}  // namespace hipvmaf
