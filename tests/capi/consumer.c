#include "capi/consumer.h"

#include <libvmaf.h> /* as FFmpeg and GStreamer write it */
#include <libvmaf/libvmaf_hip.h>
#include <libvmaf/version.h>
#include <string.h>

static int read_pair(VmafContext *vmaf, unsigned index, unsigned step)
{
    VmafPicture pair[2];
    for (unsigned i = 0; i < 2; i++) {
        const int err = vmaf_picture_alloc(&pair[i], VMAF_PIX_FMT_YUV420P, 8, 64, 64);
        if (err)
            return err;
        for (unsigned p = 0; p < 3; p++) {
            unsigned char *row = pair[i].data[p];
            for (unsigned y = 0; y < pair[i].h[p]; y++, row += pair[i].stride[p])
                memset(row, (int)(100 + y - i * step * index), pair[i].w[p]);
        }
    }
    return vmaf_read_pictures(vmaf, &pair[0], &pair[1], index);
}

int consume(unsigned threads, unsigned frames, unsigned step, const char *report, double *vmaf,
            double *psnr)
{
    VmafConfiguration cfg = {VMAF_LOG_LEVEL_ERROR, 0, 1, 0, 0};
    VmafModelConfig model_cfg = {0};
    VmafContext *context = NULL;
    VmafModel *model = NULL;
    VmafFeatureDictionary *options = NULL;
    int err;

    cfg.n_threads = threads;
    if ((err = vmaf_init(&context, cfg)) != 0)
        return err;
    if ((err = vmaf_model_load(&model, &model_cfg, "vmaf_v0.6.1")) != 0)
        return err;
    if ((err = vmaf_use_features_from_model(context, model)) != 0)
        return err;
    if ((err = vmaf_feature_dictionary_set(&options, "enable_chroma", "false")) != 0)
        return err;
    if ((err = vmaf_use_feature(context, "psnr", options)) != 0)
        return err;
    for (unsigned i = 0; i < frames; i++) {
        if ((err = read_pair(context, i, step)) != 0)
            return err;
    }
    if ((err = vmaf_read_pictures(context, NULL, NULL, 0)) != 0)
        return err;
    if ((err = vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, vmaf, 0, frames - 1)) != 0)
        return err;
    if ((err = vmaf_feature_score_pooled(context, "psnr_y", VMAF_POOL_METHOD_MIN, psnr, 0,
                                         frames - 1)) != 0)
        return err;
    if ((err = vmaf_write_output(context, report, VMAF_OUTPUT_FORMAT_XML)) != 0)
        return err;
    vmaf_model_destroy(model); /* FFmpeg destroys models before it closes the context */
    return vmaf_close(context);
}
