/* Options of feature extractors. */
#ifndef LIBVMAF_FEATURE_H
#define LIBVMAF_FEATURE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafFeatureDictionary VmafFeatureDictionary;

/* Sets an option; *dict is made if it is NULL. A number is rounded to binary32 and rewritten with
 * six significant digits. -EINVAL for a NULL argument. */
int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val);

/* Frees a dictionary that no other call has taken over, and sets *dict to NULL. */
int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict);

#ifdef __cplusplus
}
#endif

#endif
