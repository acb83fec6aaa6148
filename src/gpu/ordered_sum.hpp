// Floating-point sums whose order is part of the result: the bits of adding all terms one by one
// from the first to the last, found by many threads.
//
// While a running sum keeps its exponent, it is a whole number of units in its last place, and how
// many units a run of terms adds depends on nothing but the exponent and whether that number is
// even: ties are rounded to even. So the effect of a run of terms can be found before the sum in
// front of it is known, once for even and once for odd sums, if its exponent can be predicted.
// Effects of neighbouring runs compose.
//
// Terms are dealt with in chunks of kChunkTerms and groups of kGroupChunks chunks, a block of
// threads per group. A first launch sums the groups in any order, which predicts exponents; a
// second one finds the effects of the groups; the third walks over them, one block per sum. Where
// an effect does not apply, because the exponent changes on the way or was not foreseen, it
// descends to chunks and from there to terms. A wrong prediction costs time, never bits.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

/// Keeps a function out of others: clang 15 for gfx90a never ends (in "SI Fold Operands") on some
/// that contain find_effect<double>().
#if defined(HIPVMAF_GPU_AMD)
#define HIPVMAF_APART __attribute__((noinline))
#else
#define HIPVMAF_APART
#endif

namespace hipvmaf::gpu {
namespace ordered {

inline constexpr int kChunkTerms = 64;
inline constexpr int kGroupChunks = 64;
inline constexpr int kGroupTerms = kChunkTerms * kGroupChunks;
/// Two per chunk.
inline constexpr int kThreads = 2 * kGroupChunks;

/// The terms of one sum: a part of those of all sums.
struct Run {
  int first;
  int count;
};

HIPVMAF_HD constexpr int groups_of(int terms) { return (terms + kGroupTerms - 1) / kGroupTerms; }

template <class Real>
using BitsOf = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

/// Place of the exponent in the bits of a number.
template <class Real>
inline constexpr int kFractionBits = std::numeric_limits<Real>::digits - 1;

template <class Real>
__device__ BitsOf<Real> bits_of(Real value) {
  return std::bit_cast<BitsOf<Real>>(value);
}

/// What a run of terms does to a sum in front of it, by the lowest bit of that sum. Lengths are
/// units in the last place, that is, differences between the bits of positive numbers.
template <class Real>
struct Effect {
  BitsOf<Real> shift[2];
  BitsOf<Real> lowest[2];  ///< Of all sums on the way, from the one in front; at most 0.
  BitsOf<Real> highest[2];
  BitsOf<Real> exponent;  ///< Exponent bits of the sums for which this holds; or kNone.
};

/// The exponent of the effect of terms that are all zero: holds for every sum.
inline constexpr int kNone = -1;

/// A `lowest` that no sum allows, also after the shifts of a group have been added.
template <class Real>
inline constexpr BitsOf<Real> kNever = std::numeric_limits<BitsOf<Real>>::min() / 2;

/// Whether a sum with that fraction keeps its exponent all the way. Down at a fraction of 0 it
/// might have been rounded in the units of the next lower exponent.
template <class Real>
__device__ bool keeps_exponent(BitsOf<Real> fraction, BitsOf<Real> lowest, BitsOf<Real> highest) {
  return fraction + lowest > 0 && fraction + highest < BitsOf<Real>{1} << kFractionBits<Real>;
}

/// Adds the terms behind `effect` to `sum`; false, and nothing added, where it does not apply.
template <class Real>
__device__ bool apply(const Effect<Real>& effect, Real& sum) {
  if (effect.exponent == kNone) return true;
  const BitsOf<Real> bits = bits_of(sum);
  const BitsOf<Real> fraction = bits & ((BitsOf<Real>{1} << kFractionBits<Real>)-1);
  const int odd = static_cast<int>(bits & 1);
  if (bits >> kFractionBits<Real> != effect.exponent ||
      !keeps_exponent<Real>(fraction, effect.lowest[odd], effect.highest[odd])) {
    return false;
  }
  sum = std::bit_cast<Real>(bits + effect.shift[odd]);
  return true;
}

/// Makes `effect` that of its own terms and those of `next` after them.
template <class Real>
__device__ void append(Effect<Real>& effect, const Effect<Real>& next) {
  if (next.exponent == kNone) return;
  if (effect.exponent == kNone) {
    effect = next;
    return;
  }
  const bool fits = effect.exponent == next.exponent;
  HIPVMAF_UNROLL
  for (int odd = 0; odd < 2; ++odd) {
    const BitsOf<Real> shift = effect.shift[odd];
    const int next_odd = static_cast<int>((odd + shift) & 1);
    effect.lowest[odd] =
        fits ? min(effect.lowest[odd], shift + next.lowest[next_odd]) : kNever<Real>;
    effect.highest[odd] = max(effect.highest[odd], shift + next.highest[next_odd]);
    effect.shift[odd] = shift + next.shift[next_odd];
  }
}

/// A group on the chip. Chunks are kRow apart, so that threads in different ones meet different
/// memory banks.
template <class Real>
struct Group {
  static constexpr int kRow = kChunkTerms + 1;
  SharedArray<Real, kGroupChunks * kRow> terms;
  SharedArray<double, kThreads> half_sums;  ///< Of half a chunk each.
  SharedArray<Effect<Real>, kGroupChunks> effects;

  __device__ Real& term(int chunk, int k) { return terms[chunk * kRow + k]; }
};

/// Terms of a group; zeros beyond the last one.
template <class Real>
__device__ void load_group(View1D<const Real> terms, Run run, int index, Group<Real>& group) {
  HIPVMAF_UNROLL_BY(4)
  for (int i = thread_rank(); i < kGroupTerms; i += kThreads) {
    const int at = index * kGroupTerms + i;
    group.term(i / kChunkTerms, i % kChunkTerms) = at < run.count ? terms[run.first + at] : Real{0};
  }
}

/// Adds a chunk to a sum with that exponent, from the middle of its range, and notes the effect.
template <class Real>
HIPVMAF_APART __device__ void find_effect(Group<Real>& group, int chunk, int odd, Real predicted) {
  constexpr BitsOf<Real> kUnits = BitsOf<Real>{1} << kFractionBits<Real>;
  constexpr BitsOf<Real> kInfinite = 2 * std::numeric_limits<Real>::max_exponent - 1;
  const BitsOf<Real> exponent = bits_of(predicted) >> kFractionBits<Real>;
  const bool is_normal = exponent > 0 && exponent < kInfinite;
  const BitsOf<Real> fraction = kUnits / 2 + odd;
  const Real power = std::bit_cast<Real>((is_normal ? exponent : 1) << kFractionBits<Real>);
  const BitsOf<Real> start = bits_of(power * Real{1.5}) + odd;
  Real sum = std::bit_cast<Real>(start);
  BitsOf<Real> length = 0;
  BitsOf<Real> lowest = 0;
  BitsOf<Real> highest = 0;
  bool is_zero = true;
  HIPVMAF_UNROLL_BY(8)
  for (int k = 0; k < kChunkTerms; ++k) {
    const Real term = group.term(chunk, k);
    is_zero = is_zero && term == Real{0};
    sum += term;
    length = sum > Real{0} ? bits_of(sum) - start : -kUnits;  // no sum allows -kUnits
    lowest = min(lowest, length);
    highest = max(highest, length);
  }
  const bool holds = is_normal && keeps_exponent<Real>(fraction, lowest, highest);
  Effect<Real>& effect = group.effects[chunk];
  effect.shift[odd] = holds ? length : 0;
  effect.lowest[odd] = holds ? lowest : kNever<Real>;
  effect.highest[odd] = holds ? highest : 0;
  if (odd == 0) effect.exponent = is_zero ? kNone : (is_normal ? exponent : 0);
}

/// Finds the effects of the chunks of a loaded group, after a sum of about `before`.
template <class Real>
__device__ void analyse_group(Group<Real>& group, double before) {
  const int rank = thread_rank();
  const int chunk = rank / 2;
  double sum = 0;
  HIPVMAF_UNROLL_BY(8)
  for (int k = 0; k < kChunkTerms / 2; ++k) {
    sum += static_cast<double>(group.term(chunk, rank % 2 * (kChunkTerms / 2) + k));
  }
  group.half_sums[rank] = sum;
  __syncthreads();
  HIPVMAF_UNROLL_BY(4)
  for (int half = 0; half < 2 * chunk; ++half) before += group.half_sums[half];
  find_effect(group, chunk, rank % 2, static_cast<Real>(before));
  __syncthreads();
}

template <class Real>
__global__ void __launch_bounds__(kThreads)
    sum_groups(View1D<const Real> terms, View1D<const Run> runs, View2D<double> sums) {
  const int index = static_cast<int>(blockIdx.x);
  const int series = static_cast<int>(blockIdx.y);
  const Run run = runs[series];
  double sum = 0;
  HIPVMAF_UNROLL_BY(4)
  for (int i = thread_rank(); i < kGroupTerms; i += kThreads) {
    const int at = index * kGroupTerms + i;
    if (at < run.count) sum += static_cast<double>(terms[run.first + at]);
  }
  sum = block_sum<kThreads>(sum);
  if (thread_rank() == 0) sums(index, series) = sum;
}

template <class Real>
__global__ void __launch_bounds__(kThreads)
    find_effects(View1D<const Real> terms, View1D<const Run> runs, View2D<const double> sums,
                 View2D<Effect<Real>> effects) {
  using SharedGroup = Group<Real>;
  using SharedSum = SharedArray<double, 1>;
  HIPVMAF_SHARED(SharedGroup, group);
  HIPVMAF_SHARED(SharedSum, before);
  const int index = static_cast<int>(blockIdx.x);
  const int series = static_cast<int>(blockIdx.y);
  load_group(terms, runs[series], index, group);
  double sum = 0;
  HIPVMAF_UNROLL_BY(4)
  for (int i = thread_rank(); i < index; i += kThreads) sum += sums(i, series);
  sum = block_sum<kThreads>(sum);
  if (thread_rank() == 0) before[0] = sum;
  __syncthreads();
  analyse_group(group, before[0]);
  if (thread_rank() == 0) {
    Effect<Real> effect = group.effects[0];
    HIPVMAF_UNROLL_BY(1)
    for (int chunk = 1; chunk < kGroupChunks; ++chunk) append(effect, group.effects[chunk]);
    effects(index, series) = effect;
  }
}

/// Adds the chunks of an analysed group.
template <class Real>
__device__ void add_chunks(Group<Real>& group, Real& sum) {
  HIPVMAF_UNROLL_BY(1)
  for (int chunk = 0; chunk < kGroupChunks; ++chunk) {
    if (apply(group.effects[chunk], sum)) continue;
    HIPVMAF_UNROLL_BY(8)
    for (int k = 0; k < kChunkTerms; ++k) sum += group.term(chunk, k);
  }
}

template <class Real>
struct Progress {
  Real sum;
  int groups;  ///< That have been added.
};

template <class Real>
__global__ void __launch_bounds__(kThreads)
    add_groups(View1D<const Real> terms, View1D<const Run> runs, View2D<const Effect<Real>> effects,
               View1D<Real> totals) {
  using SharedGroup = Group<Real>;
  using SharedProgress = Progress<Real>;
  HIPVMAF_SHARED(SharedGroup, group);
  HIPVMAF_SHARED(SharedProgress, progress);
  const int series = static_cast<int>(blockIdx.x);
  const int rank = thread_rank();
  const Run run = runs[series];
  const int groups = groups_of(run.count);
  if (rank == 0) progress = {0, 0};
  __syncthreads();
  for (int added = 0; added < groups;) {
    const int end = min(added + kGroupChunks, groups);
    if (added + rank < end) group.effects[rank] = effects(added + rank, series);
    __syncthreads();
    if (rank == 0) {
      Real sum = progress.sum;
      int next = added;
      HIPVMAF_UNROLL_BY(1)
      while (next < end && apply(group.effects[next - added], sum)) ++next;
      progress = {sum, next};
    }
    __syncthreads();
    added = progress.groups;
    if (added < end) {
      load_group(terms, run, added, group);
      __syncthreads();
      analyse_group(group, static_cast<double>(progress.sum));
      if (rank == 0) add_chunks(group, progress.sum);
      ++added;
    }
    __syncthreads();
  }
  if (rank == 0) totals[series] = progress.sum;
}

}  // namespace ordered

/// Sums of terms that other kernels leave in its memory.
template <class Real>
class OrderedSums {
 public:
  /// `counts`: terms of each sum.
  explicit OrderedSums(std::span<const int> counts) {
    int groups = 0;
    int first = 0;
    for (const int count : counts) {
      runs_.push_back({first, count});
      first += count;
      groups = max(groups, ordered::groups_of(count));
    }
    const auto sums = static_cast<int>(runs_.size());
    terms_ = Buffer<Real>(first);
    device_runs_ = make_table<ordered::Run>(runs_);
    group_sums_ = {groups, sums};
    effects_ = {groups, sums};
  }

  /// Where the terms of a sum belong.
  [[nodiscard]] View1D<Real> terms(int sum) const {
    const ordered::Run& run = runs_[static_cast<std::size_t>(sum)];
    return {terms_.view().data + run.first, run.count};
  }

  /// Queues the additions; the terms have been queued before.
  void add(Stream& stream, View1D<Real> totals) const {
    const auto terms = terms_.view().readable();
    const auto runs = device_runs_.view().readable();
    const auto group_sums = group_sums_.view();
    const auto effects = effects_.view();
    const auto sums = static_cast<unsigned>(runs_.size());
    const dim3 groups(static_cast<unsigned>(group_sums.width), sums);
    launch(stream, groups, ordered::kThreads, ordered::sum_groups<Real>, terms, runs, group_sums);
    launch(stream, groups, ordered::kThreads, ordered::find_effects<Real>, terms, runs,
           group_sums.readable(), effects);
    launch(stream, sums, ordered::kThreads, ordered::add_groups<Real>, terms, runs,
           effects.readable(), totals);
  }

 private:
  std::vector<ordered::Run> runs_;
  Buffer<Real> terms_;
  Buffer<ordered::Run> device_runs_;
  Buffer2D<double> group_sums_;
  Buffer2D<ordered::Effect<Real>> effects_;
};

}  // namespace hipvmaf::gpu
