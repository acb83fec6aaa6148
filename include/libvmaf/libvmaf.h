/* libvmaf's C interface, version 3, on hipvmaf's engine.
 *
 * Calls return 0, or a negative errno: -EINVAL for arguments and inputs that are no good, -ENOMEM,
 * -ENODEV for a GPU that fails. A line on stderr says why, if the log level lets it. A context is
 * for one thread at a time; vmaf_feature_score_at_index() may be called beside the others.
 *
 * vmaf_init -> models -> vmaf_use_feature(s) -> vmaf_read_pictures, per pair -> flush -> scores and
 * output -> vmaf_close. Models may be destroyed before or after the context. */
#ifndef LIBVMAF_LIBVMAF_H
#define LIBVMAF_LIBVMAF_H

#include <stdint.h>
#include <stdio.h>

#include "libvmaf/feature.h"
#include "libvmaf/model.h"
#include "libvmaf/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

enum VmafLogLevel {
    VMAF_LOG_LEVEL_NONE = 0,
    VMAF_LOG_LEVEL_ERROR = 1,
    VMAF_LOG_LEVEL_WARNING = 2,
    VMAF_LOG_LEVEL_INFO = 3,
    VMAF_LOG_LEVEL_DEBUG = 4
};

enum VmafOutputFormat {
    VMAF_OUTPUT_FORMAT_NONE = 0,
    VMAF_OUTPUT_FORMAT_XML = 1,
    VMAF_OUTPUT_FORMAT_JSON = 2,
    VMAF_OUTPUT_FORMAT_CSV = 3,
    VMAF_OUTPUT_FORMAT_SUB = 4
};

enum VmafPoolingMethod {
    VMAF_POOL_METHOD_UNKNOWN = 0,
    VMAF_POOL_METHOD_MIN = 1,
    VMAF_POOL_METHOD_MAX = 2,
    VMAF_POOL_METHOD_MEAN = 3,
    VMAF_POOL_METHOD_HARMONIC_MEAN = 4,
    VMAF_POOL_METHOD_NB = 5
};

/* n_threads: 0 = all work ends inside the calls, else so many workers. n_subsample: score every
 * Nth frame, 0 or 1 = all. cpumask: accepted; scores do not depend on the instruction set.
 * gpumask: not 0 = no GPU. */
typedef struct VmafConfiguration {
    enum VmafLogLevel log_level;
    unsigned n_threads;
    unsigned n_subsample;
    uint64_t cpumask;
    uint64_t gpumask;
} VmafConfiguration;

typedef struct VmafPictureConfiguration {
    struct {
        unsigned w, h;
        unsigned bpc;
        enum VmafPixelFormat pix_fmt;
    } pic_params;
    unsigned pic_cnt;
} VmafPictureConfiguration;

typedef struct VmafContext VmafContext;

int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg);

/* Waits for what is still measured. Pictures that the caller still holds stay valid. */
int vmaf_close(VmafContext *vmaf);

/* Asks for the features of a model. Before the first pair. */
int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model);
int vmaf_use_features_from_model_collection(VmafContext *vmaf,
                                            VmafModelCollection *model_collection);

/* Asks for an extractor. Before the first pair. Takes opts_dict (may be NULL) over on success and
 * when an option's value is refused. Options that the extractor lacks draw a warning. */
int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict);

/* Stores a score from elsewhere. -EINVAL if there is one, or if an extractor of the context emits
 * that feature. */
int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value,
                              unsigned index);

/* A pool of pictures of one format, once per context. vmaf_fetch_preallocated_picture() waits until
 * one is free. */
int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg);
int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

/* Hands in a pair; both NULL: flush, the end of the stream. On success the pictures belong to the
 * context and the structs are cleared; on failure they stay the caller's. Indices must be distinct,
 * and 0, 1, 2, ... where an extractor looks at earlier frames or frames are subsampled. With
 * threads or on a GPU the failure of a pair is returned by a later call, and by all that follow. */
int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index);

/* Score of a model or a feature at an index; a model's score is computed when it is asked for.
 * -EINVAL if it is not known (yet). Features go by their stored name. */
int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index);
int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                         VmafModelCollectionScore *score, unsigned index);
int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score,
                                unsigned index);

/* Pooled over index_low to index_high, both included; -EINVAL if one of them has no score. */
int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, enum VmafPoolingMethod pool_method,
                      double *score, unsigned index_low, unsigned index_high);
int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                       enum VmafPoolingMethod pool_method,
                                       VmafModelCollectionScore *score, unsigned index_low,
                                       unsigned index_high);
int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name,
                              enum VmafPoolingMethod pool_method, double *score, unsigned index_low,
                              unsigned index_high);

/* Writes a report of the features and of the model scores that have been asked for. The file
 * appears whole or not at all. */
int vmaf_write_output(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt);

/* Version of the library. */
const char *vmaf_version(void);

#ifdef __cplusplus
}
#endif

#endif
