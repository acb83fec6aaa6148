#include "gpu/kernel.hpp"
#include "gpu/kernels.hpp"
#include "gpu/ordered_sum.hpp"

namespace hipvmaf::test {
namespace {

__device__ int global_rank() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void double_kernel(gpu::View1D<const int> from, gpu::View1D<int> to, int count) {
  const int i = global_rank();
  if (i < count) to[i] = 2 * from[i];
}

template <class T>
__global__ void sum_kernel(gpu::View1D<const T> values, gpu::View1D<T> sums) {
  const int i = global_rank();
  const T sum = gpu::block_sum<kThreads>(i < values.count ? values[i] : T{0});
  if (threadIdx.x == 0) sums[static_cast<int>(blockIdx.x)] = sum;
}

__global__ void add_kernel(gpu::View1D<const std::uint64_t> values,
                           gpu::View1D<std::uint64_t> sum) {
  const int i = global_rank();
  if (i < values.count) gpu::atomic_add(sum[0], values[i]);
}

template <bool kWithBarrier>
__global__ void reverse_kernel(gpu::View1D<const int> from, gpu::View1D<int> to) {
  using Run = gpu::SharedArray<int, kThreads>;
  HIPVMAF_SHARED(Run, run);
  const int rank = static_cast<int>(threadIdx.x);
  run[rank] = from[global_rank()];
  if constexpr (kWithBarrier) __syncthreads();
  to[global_rank()] = run[kThreads - 1 - rank];
}

/// The values and, of some runs, their squares too.
struct WithSquares {
  using Value = double;
  using Sum = double;
  static constexpr int kSums = 2;
  bool squares;

  [[nodiscard]] HIPVMAF_HD int sums() const { return squares ? 2 : 1; }
  __device__ double term(double value, int sum) const { return sum == 0 ? value : value * value; }
};

template <class Terms>
using SeriesOf = std::span<const std::vector<typename Terms::Value>>;

template <class Terms>
std::vector<int> counts_of(SeriesOf<Terms> series) {
  std::vector<int> counts;
  for (const auto& values : series) counts.push_back(static_cast<int>(values.size()));
  return counts;
}

/// Sums that there are not are 0.
template <class Terms>
std::vector<typename Terms::Sum> sums_of(gpu::Stream& stream, const gpu::OrderedSums<Terms>& sums,
                                         SeriesOf<Terms> series) {
  for (std::size_t i = 0; i < series.size(); ++i)
    stream.upload(sums.values(static_cast<int>(i)), series[i].data());
  const gpu::Buffer<typename Terms::Sum> totals(static_cast<int>(series.size()) * Terms::kSums);
  stream.clear(totals.view());
  sums.add(stream, totals.view());
  std::vector<typename Terms::Sum> downloaded(series.size() * Terms::kSums);
  stream.download(downloaded.data(), totals.view().readable());
  stream.synchronize();
  return downloaded;
}

template <class Terms>
std::vector<typename Terms::Sum> ordered_sums(gpu::Stream& stream, SeriesOf<Terms> series) {
  return sums_of<Terms>(stream, gpu::OrderedSums<Terms>(counts_of<Terms>(series)), series);
}

dim3 grid_of(int count) { return gpu::blocks_for(count, kThreads); }

}  // namespace

static_assert(requires(gpu::Stream & stream, gpu::View1D<const int> from, gpu::View1D<int> to) {
  gpu::launch(stream, dim3(1), dim3(1), double_kernel, from, to, 1);
});
template <class Stream>
concept TakesSwappedArguments = requires(Stream& stream, gpu::View1D<const int> from,
                                         gpu::View1D<int> to) {
  gpu::launch(stream, dim3(1), dim3(1), double_kernel, to, from, 1);
};
template <class Stream>
concept TakesPointers = requires(Stream& stream, int* pointer) {
  gpu::launch(stream, dim3(1), dim3(1), double_kernel, pointer, pointer, 1);
};
template <class Stream>
concept TakesFewerArguments = requires(Stream& stream, gpu::View1D<const int> from,
                                       gpu::View1D<int> to) {
  gpu::launch(stream, dim3(1), dim3(1), double_kernel, from, to);
};
static_assert(!TakesSwappedArguments<gpu::Stream>);
static_assert(!TakesPointers<gpu::Stream>);
static_assert(!TakesFewerArguments<gpu::Stream>);

void double_values(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to) {
  gpu::launch(stream, grid_of(to.count), kThreads, double_kernel, from, to, to.count);
}

void sum_blocks(gpu::Stream& stream, gpu::View1D<const std::uint64_t> values,
                gpu::View1D<std::uint64_t> sums) {
  gpu::launch(stream, grid_of(values.count), kThreads, sum_kernel<std::uint64_t>, values, sums);
}

void sum_blocks(gpu::Stream& stream, gpu::View1D<const double> values, gpu::View1D<double> sums) {
  gpu::launch(stream, grid_of(values.count), kThreads, sum_kernel<double>, values, sums);
}

void add_all(gpu::Stream& stream, gpu::View1D<const std::uint64_t> values,
             gpu::View1D<std::uint64_t> sum) {
  gpu::launch(stream, grid_of(values.count), kThreads, add_kernel, values, sum);
}

template <>
std::vector<float> add_in_order(gpu::Stream& stream, std::span<const std::vector<float>> series) {
  return ordered_sums<gpu::OneSum<float>>(stream, series);
}
template <>
std::vector<double> add_in_order(gpu::Stream& stream, std::span<const std::vector<float>> series) {
  return ordered_sums<gpu::OneSum<float, double>>(stream, series);
}
template <>
std::vector<double> add_in_order(gpu::Stream& stream, std::span<const std::vector<double>> series) {
  return ordered_sums<gpu::OneSum<double>>(stream, series);
}

std::vector<double> add_with_squares(gpu::Stream& stream,
                                     std::span<const std::vector<double>> series) {
  std::vector<WithSquares> terms;
  for (std::size_t i = 0; i < series.size(); ++i) terms.push_back({i % 2 == 1});
  const gpu::OrderedSums<WithSquares> sums(counts_of<WithSquares>(series), terms);
  return sums_of(stream, sums, series);
}

void reverse_blocks(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to) {
  gpu::launch(stream, grid_of(to.count), kThreads, reverse_kernel<true>, from, to);
}

#if defined(HIPVMAF_GPU_EMULATED)

namespace {

__global__ void past_end_kernel(int* values, int count) { values[count] = 1; }

__global__ void wave_32_kernel(gpu::View1D<const std::uint64_t> values,
                               gpu::View1D<std::uint64_t> sums) {
  std::uint64_t sum = values[global_rank()];
  for (int distance = warpSize / 2; distance > 0; distance /= 2) {
    sum += __shfl_down(sum, static_cast<unsigned>(distance));
  }
  if (threadIdx.x % 32 == 0) gpu::atomic_add(sums[static_cast<int>(blockIdx.x)], sum);
}

__global__ void leaving_kernel(gpu::View1D<int> to) {
  if (threadIdx.x % 2 == 0) return;
  __syncthreads();
  to[global_rank()] = 1;
}

__global__ void half_exchange_kernel(gpu::View1D<int> to) {
  const int i = global_rank();
  if (threadIdx.x % 2 == 0) to[i] = __shfl_down(i, 1);
}

}  // namespace

void reverse_without_barrier(gpu::Stream& stream, gpu::View1D<const int> from,
                             gpu::View1D<int> to) {
  gpu::launch(stream, grid_of(to.count), kThreads, reverse_kernel<false>, from, to);
}

void double_one_too_many(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to) {
  gpu::launch(stream, grid_of(to.count + 1), kThreads, double_kernel, from, to, to.count + 1);
}

void write_past_end(gpu::Stream& stream, gpu::View1D<int> to) {
  gpu::launch(stream, 1, 1, past_end_kernel, to.data, to.count);
}

void double_one_too_few(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to) {
  gpu::launch(stream, grid_of(to.count), kThreads, double_kernel, from, to, to.count - 1);
}

void sum_blocks_of_wave_32(gpu::Stream& stream, gpu::View1D<const std::uint64_t> values,
                           gpu::View1D<std::uint64_t> sums) {
  gpu::launch(stream, grid_of(values.count), kThreads, wave_32_kernel, values, sums);
}

void leave_before_barrier(gpu::Stream& stream, gpu::View1D<int> to) {
  gpu::launch(stream, grid_of(to.count), kThreads, leaving_kernel, to);
}

void exchange_by_half(gpu::Stream& stream, gpu::View1D<int> to) {
  gpu::launch(stream, grid_of(to.count), kThreads, half_exchange_kernel, to);
}

#endif

}  // namespace hipvmaf::test
