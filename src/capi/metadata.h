/* Scores as they are made. The library exports this call, no installed header has it. */
#ifndef HIPVMAF_CAPI_METADATA_H
#define HIPVMAF_CAPI_METADATA_H

#include <libvmaf/libvmaf.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafMetadata {
    char *feature_name;
    unsigned picture_index;
    double score;
} VmafMetadata;

typedef struct VmafMetadataConfiguration {
    char *feature_name;
    void (*callback)(void *data, VmafMetadata *metadata);
    void *data;
} VmafMetadataConfiguration;

/* Calls back whenever a score of that stored name is stored, and has the models that the context
 * uses predict as soon as they can. The name and the data must stay valid. The callback must not
 * call into the context. */
int vmaf_register_metadata_handler(VmafContext *vmaf, VmafMetadataConfiguration cfg);

#ifdef __cplusplus
}
#endif

#endif
