#include "cli/arguments.hpp"

namespace hipvmaf::cli {

std::string usage_text() {
  return R"(Usage: hipvmaf [OPTION]... REFERENCE DISTORTED
       hipvmaf features|models [--markdown]
       hipvmaf devices

Measures how good the distorted video looks beside its reference. Inputs are Y4M, raw YUV (with -w -h -p -b),
anything FFmpeg opens, or - for standard input.

Input
  -r, --reference PATH          reference video (or the first plain word)
  -d, --distorted PATH          distorted video (or the second plain word)
  -w, --width N                 raw YUV: luma columns
  -h, --height N                raw YUV: luma rows
  -p, --pixel_format FORMAT     raw YUV: 400, 420, 422 or 444
  -b, --bitdepth N              raw YUV: bits per sample, 8..16 (above 8: 16-bit little endian)
      --convert WHICH           convert the reference or the distorted input to the other's pixel format
      --scale FILTER            scale the distorted input to the reference's size: bicubic, lanczos, bilinear
      --frame_cnt N             measure at most N pairs
      --frame_skip_ref N        skip the first N frames of the reference
      --frame_skip_dist N       skip the first N frames of the distorted video
      --subsample N             score every Nth frame only
      --strict                  videos of unequal length are an error

What to measure
  -m, --model KEY=VALUE:...     version=NAME or path=FILE; name=NAME, disable_clip, enable_transform,
                                EXTRACTOR.OPTION=VALUE; may be repeated (default: version=vmaf_v0.6.1)
      --feature NAME[=O=V:...]  another extractor with its options; may be repeated
  -n, --no_prediction           extract features only, no model scores
      --aom_ctc VERSION         models and features of the AOM common test conditions, v1.0 .. v7.0
      --nflx_ctc VERSION        models and features of the Netflix common test conditions, v1.0
                                (a backslash takes the next : or = of a value literally)

Output
  -o, --output PATH             report file, - for standard output; may be repeated
      --xml --json --csv --sub  format of the reports (default: by extension, else XML)
      --precision N|max|legacy  significant digits of reported numbers (default: legacy, six decimals)
      --provenance              JSON reports say what computed each feature: backend, device, strategy
  -q, --quiet                   no progress, no notes, and with -o no summary
      --verbose                 more notes

Running
      --threads N               worker threads (default 0: one per core); scores do not depend on it
      --backend auto|cpu|hip    where to compute; auto takes the GPU if this build has one and a device answers
      --no_hip                  same as --backend cpu
      --hip_device N            GPU to use (implies --backend hip)
  -c, --cpumask N, --gpumask N  accepted for compatibility
      --help                    this text
  -v, --version                 version

Exit status: 0 success, 1 failure or incomplete result, 2 usage error.
)";
}

}  // namespace hipvmaf::cli
