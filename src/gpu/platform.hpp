// The runtime of the GPU platform that hipvmaf is built for, under HIP's names. This is the only
// file that knows the platforms apart for host code; kernel_language.hpp is its counterpart for
// device code.
#pragma once

#if defined(HIPVMAF_GPU_AMD)
#include <hip/hip_runtime_api.h>
#elif defined(HIPVMAF_GPU_NVIDIA)
#include "gpu/platform_nvidia.hpp"
#elif defined(HIPVMAF_GPU_EMULATED)
#include "gpu/emulator/runtime.hpp"
#else
#error "this build has no GPU platform (HIPVMAF_GPU=none)"
#endif
