// Marks the per-pixel functions that are compiled for the host and for GPUs from one source.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define HIPVMAF_HD __host__ __device__
#else
#define HIPVMAF_HD
#endif
