// Small kernels for the tests of the device layer: right ones, and ones with the mistakes that the
// emulator has to find.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/stream.hpp"

namespace hipvmaf::test {

inline constexpr int kThreads = 128;

/// to[i] = 2 * from[i]
void double_values(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to);
/// sums[b] = sum of the kThreads values of block b
void sum_blocks(gpu::Stream& stream, gpu::View1D<const std::uint64_t> values,
                gpu::View1D<std::uint64_t> sums);
void sum_blocks(gpu::Stream& stream, gpu::View1D<const double> values, gpu::View1D<double> sums);
/// sum[0] += all values
void add_all(gpu::Stream& stream, gpu::View1D<const std::uint64_t> values,
             gpu::View1D<std::uint64_t> sum);
/// The sum of each series, made with gpu::OrderedSums: of floats, of doubles, or of floats in
/// double.
template <class Sum, class Term>
std::vector<Sum> add_in_order(gpu::Stream& stream, std::span<const std::vector<Term>> series);
/// Two places per series: its sum and, for every other series, that of the squares; otherwise 0.
std::vector<double> add_with_squares(gpu::Stream& stream,
                                     std::span<const std::vector<double>> series);
/// to = from with each run of kThreads values reversed, through shared memory
void reverse_blocks(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to);

// Emulator only:
/// As reverse_blocks(), but without the barrier between writing and reading.
void reverse_without_barrier(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to);
/// As double_values(), for one element more than there are.
void double_one_too_many(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to);
/// The same through plain pointers.
void write_past_end(gpu::Stream& stream, gpu::View1D<int> to);
/// As double_values(), but leaves out the last element.
void double_one_too_few(gpu::Stream& stream, gpu::View1D<const int> from, gpu::View1D<int> to);
/// As sum_blocks(), right only on waves of 32 lanes.
void sum_blocks_of_wave_32(gpu::Stream& stream, gpu::View1D<const std::uint64_t> values,
                           gpu::View1D<std::uint64_t> sums);
/// Half of the threads leave before the barrier.
void leave_before_barrier(gpu::Stream& stream, gpu::View1D<int> to);
/// Half of the lanes take part in an exchange.
void exchange_by_half(gpu::Stream& stream, gpu::View1D<int> to);

}  // namespace hipvmaf::test
