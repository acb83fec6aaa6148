/* Computing on a GPU through the C interface. Without these calls a context uses the CPU, unless
 * the environment variable HIPVMAF_BACKEND says otherwise: "auto" or "hip". */
#ifndef LIBVMAF_LIBVMAF_HIP_H
#define LIBVMAF_LIBVMAF_HIP_H

#include "libvmaf/libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafHipState VmafHipState;

/* device_index: as vmaf_hip_list_devices() numbers them, -1 = the first usable one; flags: 0. */
typedef struct VmafHipConfiguration {
    int device_index;
    int flags;
} VmafHipConfiguration;

/* 1 if this build can compute on a GPU, else 0. Looks for no device. */
int vmaf_hip_available(void);

/* Chooses a device. -ENOSYS if this build has no GPU support, -ENODEV if there is no such device or
 * none that this build has code for, -EINVAL for bad arguments. */
int vmaf_hip_state_init(VmafHipState **out, VmafHipConfiguration cfg);

/* Makes a context compute on the device: everything, or the first vmaf_read_pictures() fails.
 * Before features and models are asked for and pictures preallocated, once per context. The state
 * is borrowed until vmaf_close(). Ignored where the context's gpumask is not 0. */
int vmaf_hip_import_state(VmafContext *vmaf, VmafHipState *state);

/* After vmaf_close(); sets *state to NULL. */
void vmaf_hip_state_free(VmafHipState **state);

/* Prints the devices on stdout and returns how many there are; -ENOSYS as above. */
int vmaf_hip_list_devices(void);

#ifdef __cplusplus
}
#endif

#endif
