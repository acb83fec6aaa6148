/* A program in C that measures two pictures the way FFmpeg's filter does. */
#ifndef HIPVMAF_TESTS_CONSUMER_H
#define HIPVMAF_TESTS_CONSUMER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Scores `frames` pairs of grey pictures of 64x64, the distorted ones darker by `step` more with
 * each; 0 or the status of the first call that failed. */
int consume(unsigned threads, unsigned frames, unsigned step, const char *report, double *vmaf,
            double *psnr);

#ifdef __cplusplus
}
#endif

#endif
