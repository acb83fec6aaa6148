/* Version of the C interface, which is libvmaf's. */
#ifndef LIBVMAF_VERSION_H
#define LIBVMAF_VERSION_H

#define VMAF_API_VERSION_MAJOR 3
#define VMAF_API_VERSION_MINOR 2
#define VMAF_API_VERSION_PATCH 0

#endif
