// Do the operations that all kernels rest on give what they must?
#pragma once

#include <string>

namespace hipvmaf::gpu {

/// Runs sums over blocks and groups, exchanges, atomics and rounding on the current device, handed
/// in directly and as a recorded graph. Names the first that went wrong; empty if none did.
[[nodiscard]] std::string primitive_fault();

}  // namespace hipvmaf::gpu
