// Every call of the GPU runtime is checked here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gpu/platform.hpp"

namespace hipvmaf::gpu {

/// What the calling thread's device work is for; errors say so.
class WorkLabel {
 public:
  WorkLabel(std::string_view extractor, std::int64_t frame);
  ~WorkLabel();
  WorkLabel(const WorkLabel&) = delete;
  WorkLabel& operator=(const WorkLabel&) = delete;
};

/// "psnr, frame 7: " inside a WorkLabel, else empty.
[[nodiscard]] std::string current_label();

/// An error in the runtime's words, with its name. Some runtimes have only that.
[[nodiscard]] std::string describe(hipError_t error);

/// Throws Error(device) or Error(out_of_memory) with the call's name and the runtime's own words
/// unless it succeeded.
void check(hipError_t error, const char* call);

}  // namespace hipvmaf::gpu
