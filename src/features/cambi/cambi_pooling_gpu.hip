// The largest contrasts on a GPU. Per digit, blocks count its values in shared memory, each in a
// strip of the plane, and a block per plane picks the value of the count-th largest contrast. Then
// blocks sum what is larger. All are integers, so the order does not matter.
#include <algorithm>
#include <bit>
#include <span>

#include "features/cambi/cambi_gpu.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::cambi {
namespace {

constexpr int kThreads = 256;
constexpr int kStrip = 1 << 14;  // the sum of so many 47-bit numbers fits 64 bits
constexpr int kValues = static_cast<int>(kDigitValues);
constexpr int kValuesPerThread = kValues / kThreads;

using DigitCounts = gpu::SharedArray<std::uint32_t, kValues>;

/// Place of the counts of a digit of a plane.
__device__ int counts_of(int digit, int plane, int planes) {
  return (digit * planes + plane) * kValues;
}

__global__ void __launch_bounds__(kThreads)
    count_digits(gpu::View1D<const ScalePlane> planes, gpu::View1D<const float> contrasts,
                 gpu::View1D<const Selection> selections, int digit,
                 gpu::View1D<std::uint32_t> counts) {
  HIPVMAF_SHARED(DigitCounts, block_counts);
  const int p = static_cast<int>(blockIdx.y);
  const int pixels = planes[p].width * planes[p].height;
  const int begin = static_cast<int>(blockIdx.x) * kStrip;
  if (begin >= pixels) return;
  const int end = gpu::min(begin + kStrip, pixels);
  const int rank = static_cast<int>(threadIdx.x);
  for (int i = rank; i < kValues; i += kThreads) block_counts[i] = 0;
  __syncthreads();
  const std::uint32_t beginning = digit == 0 ? 0 : selections[p].bits;
  std::uint32_t zeros = 0;  // most contrasts; they would all wait for the same counter
  for (int i = begin + rank; i < end; i += kThreads) {
    const auto bits = std::bit_cast<std::uint32_t>(contrasts[planes[p].first + i]);
    if ((bits & bits_above(digit)) != beginning) continue;
    if (bits == 0) {
      ++zeros;
    } else {
      gpu::atomic_add(block_counts[static_cast<int>(digit_of(bits, digit))], 1U);
    }
  }
  if (zeros > 0) gpu::atomic_add(block_counts[0], zeros);
  __syncthreads();
  const int place = counts_of(digit, p, planes.count);
  for (int i = rank; i < kValues; i += kThreads) {
    if (block_counts[i] > 0) gpu::atomic_add(counts[place + i], block_counts[i]);
  }
}

/// Looks for the highest value that has, with those above, the remaining ones.
__global__ void __launch_bounds__(kThreads)
    select_digit(gpu::View1D<const ScalePlane> planes, gpu::View1D<const std::uint32_t> counts,
                 int digit, gpu::View1D<Selection> selections) {
  using Sums = gpu::SharedArray<std::uint32_t, kThreads>;
  HIPVMAF_SHARED(Sums, sums);
  const int p = static_cast<int>(blockIdx.x);
  const int place = counts_of(digit, p, planes.count);
  const int rank = static_cast<int>(threadIdx.x);
  std::uint32_t sum = 0;
  for (int i = 0; i < kValuesPerThread; ++i) sum += counts[place + rank * kValuesPerThread + i];
  sums[rank] = sum;
  __syncthreads();
  if (rank != 0) return;
  Selection selected = digit == 0 ? Selection{0, planes[p].pooled, {}} : selections[p];
  int part = kThreads - 1;
  for (; sums[part] < selected.remaining; --part) selected.remaining -= sums[part];
  int value = (part + 1) * kValuesPerThread - 1;
  for (; counts[place + value] < selected.remaining; --value) {
    selected.remaining -= counts[place + value];
  }
  selected.bits |= static_cast<std::uint32_t>(value) << digit_shift(digit);
  selections[p] = selected;
}

__global__ void __launch_bounds__(kThreads)
    sum_larger(gpu::View1D<const ScalePlane> planes, gpu::View1D<const float> contrasts,
               gpu::View1D<Selection> selections) {
  const int p = static_cast<int>(blockIdx.y);
  const int pixels = planes[p].width * planes[p].height;
  const int begin = static_cast<int>(blockIdx.x) * kStrip;
  if (begin >= pixels) return;
  const int end = gpu::min(begin + kStrip, pixels);
  const auto limit = std::bit_cast<float>(selections[p].bits);
  std::uint64_t sum = 0;
  for (int i = begin + static_cast<int>(threadIdx.x); i < end; i += kThreads) {
    const float c = contrasts[planes[p].first + i];
    if (c > limit) sum += fixed_contrast(c);
  }
  sum = gpu::block_sum<kThreads>(sum);
  if (threadIdx.x != 0) return;
  gpu::atomic_add(selections[p].larger.units, sum >> kFractionBits);
  gpu::atomic_add(selections[p].larger.fraction, sum & kFractionMask);
}

__global__ void finish_sums(gpu::View1D<const ScalePlane> planes,
                            gpu::View1D<const Selection> selections, gpu::View1D<CambiRaw> raw) {
  if (raw[0].deep_row[kDistorted] != 0 || raw[0].deep_row[kReference] != 0) return;
  const int p = static_cast<int>(threadIdx.x);
  const Selection selected = selections[p];
  const std::uint64_t limit = fixed_contrast(std::bit_cast<float>(selected.bits));
  const std::uint64_t units = selected.larger.units + (limit >> kFractionBits) * selected.remaining;
  const std::uint64_t fraction =
      selected.larger.fraction + (limit & kFractionMask) * selected.remaining;
  auto& sums = planes[p].is_reference ? raw[0].reference : raw[0].distorted;
  sums[static_cast<std::size_t>(planes[p].scale)] =
      CambiSum{units + (fraction >> kFractionBits), fraction & kFractionMask};
}

}  // namespace

GpuPooling::GpuPooling(const std::vector<ScalePlane>& planes)
    : plane_count_(static_cast<int>(planes.size())),
      planes_(gpu::make_table<ScalePlane>(planes)),
      counts_(kDigitCount * plane_count_ * kValues),
      selections_(plane_count_) {
  for (const ScalePlane& plane : planes) {
    most_strips_ = std::max(most_strips_,
                            static_cast<int>(gpu::blocks_for(plane.width * plane.height, kStrip)));
  }
}

void GpuPooling::enqueue(gpu::Stream& stream, gpu::View1D<const float> contrasts,
                         gpu::View1D<CambiRaw> raw) const {
  const auto planes = planes_.view().readable();
  const auto count = static_cast<unsigned>(plane_count_);
  const dim3 strips(static_cast<unsigned>(most_strips_), count);
  const auto counts = counts_.view();
  const auto selections = selections_.view();
  stream.clear(counts);
  for (int digit = 0; digit < kDigitCount; ++digit) {
    gpu::launch(stream, strips, kThreads, count_digits, planes, contrasts, selections.readable(),
                digit, counts);
    gpu::launch(stream, count, kThreads, select_digit, planes, counts.readable(), digit,
                selections);
  }
  gpu::launch(stream, strips, kThreads, sum_larger, planes, contrasts, selections);
  gpu::launch(stream, 1U, count, finish_sums, planes, selections.readable(), raw);
}

}  // namespace hipvmaf::cambi
