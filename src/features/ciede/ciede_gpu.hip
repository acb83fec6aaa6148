// CIEDE2000 on a GPU.
//
// Pixels are numbered row by row, in runs of kRun.
// 1. measure_pixels: the differences, and about what each part of a run sums up to. A thread takes
//    one: a loop would keep more constants at hand than AMD's devices have scalar registers.
// 2. predict_powers: the power of two that the sum of all will have reached before each run.
// 3. make_increments: what each run adds to such a sum, bit for bit (ciede_sum.hpp).
// 4. add_runs: one thread adds the increments in order. Where the sum passes a power of two within
//    a run, at most once per power, it adds that run's differences one by one.
#include "features/ciede/ciede.hpp"
#include "features/ciede/ciede_math.hpp"
#include "features/ciede/ciede_sum.hpp"
#include "features/gpu_stage.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::ciede {
namespace {

constexpr int kThreads = 256;
constexpr int kRun = 1024;
constexpr int kParts = kRun / kThreads;
constexpr int kTermsPerThread = kRun / kThreads;
static_assert(kRun <= kMaxRun && kRun % kThreads == 0);

/// In place of a power: the run adds nothing.
constexpr int kAddsNothing = -1;

template <class Sample>
struct Planes {
  gpu::View2D<const Sample> luma;
  gpu::View2D<const Sample> cb;
  gpu::View2D<const Sample> cr;
};

/// Both pictures, and how a pixel finds its chroma.
template <class Sample>
struct Pictures {
  Planes<Sample> reference;
  Planes<Sample> distorted;
  int column_shift;
  int row_shift;
};

struct Pixel {
  int luma;
  int cb;
  int cr;

  __device__ bool operator==(const Pixel& other) const {
    return luma == other.luma && cb == other.cb && cr == other.cr;
  }
};

template <class Sample>
__device__ Pixel pixel_of(const Planes<Sample>& planes, const Pictures<Sample>& pictures, int x,
                          int y) {
  const int column = x >> pictures.column_shift;
  const int row = y >> pictures.row_shift;
  return {planes.luma(x, y), planes.cb(column, row), planes.cr(column, row)};
}

template <class Sample>
__device__ float difference_at(const Pictures<Sample>& pictures, const SampleScale& scale,
                               const TabulatedPower& seventh_power, int x, int y) {
  const Pixel reference = pixel_of(pictures.reference, pictures, x, y);
  const Pixel distorted = pixel_of(pictures.distorted, pictures, x, y);
  if (reference == distorted) return 0;
  return difference(lab_of(reference.luma, reference.cb, reference.cr, scale),
                    lab_of(distorted.luma, distorted.cb, distorted.cr, scale), seventh_power);
}

template <class Sample>
__global__ void __launch_bounds__(kThreads)
    measure_pixels(Pictures<Sample> pictures, SampleScale scale, TabulatedPower seventh_power,
                   gpu::View1D<float> terms, gpu::View1D<double> part_sums) {
  const int width = pictures.reference.luma.width;
  const int pixels = width * pictures.reference.luma.height;
  const int part = static_cast<int>(blockIdx.x);
  const int pixel = part * kThreads + static_cast<int>(threadIdx.x);
  float term = 0;  // behind the last pixel too
  if (pixel < pixels) {
    const int y = pixel / width;
    term = difference_at(pictures, scale, seventh_power, pixel - y * width, y);
  }
  terms[pixel] = term;
  const double sum = gpu::block_sum<kThreads>(widen(term));
  if (threadIdx.x == 0) part_sums[part] = sum;
}

__device__ double run_sum(const gpu::View1D<const double>& part_sums, int run) {
  double sum = 0;
  HIPVMAF_UNROLL
  for (int i = 0; i < kParts; ++i) sum += part_sums[run * kParts + i];
  return sum;
}

using SharedSums = gpu::SharedArray<double, kThreads>;

/// One block; each thread takes as many runs as the others, side by side.
__global__ void __launch_bounds__(kThreads)
    predict_powers(gpu::View1D<const double> part_sums, gpu::View1D<int> powers) {
  HIPVMAF_SHARED(SharedSums, sums);
  const int rank = static_cast<int>(threadIdx.x);
  const int per_thread = (powers.count + kThreads - 1) / kThreads;
  const int begin = gpu::min(rank * per_thread, powers.count);
  const int end = gpu::min(begin + per_thread, powers.count);
  double sum = 0;
  for (int run = begin; run < end; ++run) sum += run_sum(part_sums, run);
  sums[rank] = sum;
  __syncthreads();
  if (rank == 0) {
    double before = 0;
    for (int i = 0; i < kThreads; ++i) {
      const double own = sums[i];
      sums[i] = before;
      before += own;
    }
  }
  __syncthreads();
  double before = sums[rank];
  for (int run = begin; run < end; ++run) {
    const double own = run_sum(part_sums, run);
    powers[run] = own == 0 ? kAddsNothing : power_of(bits_of(before));
    before += own;
  }
}

using SharedIncrements = gpu::SharedArray<Increment, kThreads>;

__global__ void __launch_bounds__(kThreads)
    make_increments(gpu::View1D<const float> terms, gpu::View1D<const int> powers,
                    gpu::View1D<Increment> increments) {
  HIPVMAF_SHARED(SharedIncrements, joint);
  const int rank = static_cast<int>(threadIdx.x);
  const int run = static_cast<int>(blockIdx.x);
  const int power = powers[run];
  if (power == kAddsNothing) return;  // the whole block
  const int first = run * kRun + rank * kTermsPerThread;
  Increment own{0, 0};
  for (int i = 0; i < kTermsPerThread; ++i) {
    own = joined(own, increment_of(terms[first + i], power));
  }
  joint[rank] = own;
  for (int distance = 1; distance < kThreads; distance *= 2) {
    __syncthreads();
    if (rank % (2 * distance) == 0) joint[rank] = joined(joint[rank], joint[rank + distance]);
  }
  if (rank == 0) increments[run] = joint[0];
}

/// Where add_runs is.
struct Walk {
  std::int64_t sum_bits;
  int run;  // the next one
};
using SharedWalk = gpu::SharedArray<Walk, 1>;
using SharedPowers = gpu::SharedArray<int, kThreads>;
using SharedTerms = gpu::SharedArray<float, kRun>;

/// One block. All threads fetch, the first one adds.
__global__ void __launch_bounds__(kThreads)
    add_runs(gpu::View1D<const float> terms, gpu::View1D<const int> powers,
             gpu::View1D<const Increment> increments, gpu::View1D<CiedeRaw> raw) {
  HIPVMAF_SHARED(SharedWalk, walk);
  HIPVMAF_SHARED(SharedPowers, next_powers);
  HIPVMAF_SHARED(SharedIncrements, next_increments);
  HIPVMAF_SHARED(SharedTerms, run_terms);
  const int rank = static_cast<int>(threadIdx.x);
  if (rank == 0) walk[0] = {0, 0};
  for (int begin = 0; begin < powers.count; begin += kThreads) {
    const int end = gpu::min(begin + kThreads, powers.count);
    if (begin + rank < end) {
      next_powers[rank] = powers[begin + rank];
      // Where nothing is added, none was made.
      if (next_powers[rank] != kAddsNothing) next_increments[rank] = increments[begin + rank];
    }
    __syncthreads();
    for (;;) {
      if (rank == 0) {
        Walk at = walk[0];
        while (at.run < end &&
               (next_powers[at.run - begin] == kAddsNothing ||
                add(next_increments[at.run - begin], next_powers[at.run - begin], at.sum_bits))) {
          ++at.run;
        }
        walk[0] = at;
      }
      __syncthreads();
      const int run = walk[0].run;
      if (run == end) break;
      for (int i = rank; i < kRun; i += kThreads) run_terms[i] = terms[run * kRun + i];
      __syncthreads();
      if (rank == 0) {
        double sum = sum_of(walk[0].sum_bits);
        for (int i = 0; i < kRun; ++i) sum += widen(run_terms[i]);
        walk[0] = {bits_of(sum), run + 1};
      }
    }
  }
  if (rank == 0) raw[0].sum = sum_of(walk[0].sum_bits);
}

template <class Sample>
class GpuDifferenceStage final : public GpuStageOf<CiedeRaw> {
 public:
  explicit GpuDifferenceStage(const PictureFormat& format)
      : format_(format),
        scale_(sample_scale(format.bit_depth)),
        power_exceptions_(gpu::make_table(power_exceptions())),
        runs_(static_cast<int>(gpu::blocks_for(format.width * format.height, kRun))),
        terms_(runs_ * kRun),
        part_sums_(runs_ * kParts),
        powers_(runs_),
        increments_(runs_) {}

 protected:
  void measure(gpu::Stream& stream, const DeviceWindow& window,
               gpu::View1D<CiedeRaw> raw) override {
    const Pictures<Sample> pictures{planes_of(window.current().reference),
                                    planes_of(window.current().distorted),
                                    format_.chroma == ChromaFormat::yuv444 ? 0 : 1,
                                    format_.chroma == ChromaFormat::yuv420 ? 1 : 0};
    const auto runs = static_cast<unsigned>(runs_);
    gpu::launch(stream, runs * kParts, kThreads, measure_pixels<Sample>, pictures, scale_,
                TabulatedPower(power_exceptions_.view().readable()), terms_.view(),
                part_sums_.view());
    gpu::launch(stream, 1, kThreads, predict_powers, part_sums_.view().readable(), powers_.view());
    gpu::launch(stream, runs, kThreads, make_increments, terms_.view().readable(),
                powers_.view().readable(), increments_.view());
    gpu::launch(stream, 1, kThreads, add_runs, terms_.view().readable(), powers_.view().readable(),
                increments_.view().readable(), raw);
  }

 private:
  [[nodiscard]] Planes<Sample> planes_of(const DevicePicture& picture) const {
    return {picture.plane<Sample>(0).cropped({format_.width, format_.height}),
            picture.plane<Sample>(1), picture.plane<Sample>(2)};
  }

  PictureFormat format_;
  SampleScale scale_;
  gpu::Buffer<PowerException> power_exceptions_;
  int runs_;
  gpu::Buffer<float> terms_;  // a difference per pixel; whole runs
  gpu::Buffer<double> part_sums_;
  gpu::Buffer<int> powers_;  // this and the rest: by run
  gpu::Buffer<Increment> increments_;
};

}  // namespace

std::unique_ptr<GpuStage> make_gpu_stage(const OptionValues& /*options*/,
                                         const PictureFormat& format) {
  if (format.bit_depth == 8) return std::make_unique<GpuDifferenceStage<std::uint8_t>>(format);
  return std::make_unique<GpuDifferenceStage<std::uint16_t>>(format);
}

}  // namespace hipvmaf::ciede
