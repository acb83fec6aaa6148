// Floating-point sums whose order is part of the result: the bits of adding all terms one by one
// from the first to the last, found by many threads.
//
// While a running sum keeps its exponent, it is a whole number of units in its last place, and how
// many units a run of terms adds depends on nothing but the exponent and whether that number is
// even: ties are rounded to even. So the effect of a run of terms can be found before the sum in
// front of it is known, once for even and once for odd sums, if its exponent can be predicted.
// Effects of neighbouring runs compose.
//
// Terms are made from runs of values in memory, as a type like OneSum says: it names the types of
// values and sums, and makes the term that a value stands for in each sum of its run. All sums of a
// run share the loads.
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

namespace hipvmaf::gpu {

/// Each value is a term itself, of one sum per run that may be wider than it.
template <class Number, class Real = Number>
struct OneSum {
  using Value = Number;
  using Sum = Real;
  static constexpr int kSums = 1;  ///< Of a run at most.

  [[nodiscard]] HIPVMAF_HD int sums() const { return 1; }  ///< Of this run.
  __device__ Real term(Number value, int /*sum*/) const { return static_cast<Real>(value); }
};

namespace ordered {

inline constexpr int kChunkTerms = 64;
inline constexpr int kGroupChunks = 64;
inline constexpr int kGroupTerms = kChunkTerms * kGroupChunks;
/// Each finds the effect of half a chunk.
inline constexpr int kThreads = 2 * kGroupChunks;
inline constexpr int kHalfTerms = kChunkTerms / 2;

/// Some of the values, and what they stand for.
template <class Terms>
struct Run {
  int first;
  int count;
  Terms terms;
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

/// A group on the chip, and the effects of its half chunks on one of the sums; those of whole
/// chunks come into every second place. Half chunks are kRow apart, so that threads in different
/// ones meet different memory banks.
template <class Value, class Real>
struct Group {
  static constexpr int kRow = kHalfTerms + 1;
  SharedArray<Value, kThreads * kRow> values;
  SharedArray<double, kThreads> half_sums;
  SharedArray<Effect<Real>, kThreads> effects;

  __device__ Value& value(int half, int k) { return values[half * kRow + k]; }
};

template <class Terms>
using GroupOf = Group<typename Terms::Value, typename Terms::Sum>;

/// One of the sums of a run.
template <class Terms>
struct OneOf {
  Terms terms;
  int sum;

  __device__ typename Terms::Sum term(GroupOf<Terms>& group, int half, int k) const {
    return terms.term(group.value(half, k), sum);
  }
};

/// Values of a group; zeros beyond the last one, which add nothing.
template <class Terms>
__device__ void load_group(View1D<const typename Terms::Value> values, const Run<Terms>& run,
                           int index, GroupOf<Terms>& group) {
  HIPVMAF_UNROLL_BY(4)
  for (int i = thread_rank(); i < kGroupTerms; i += kThreads) {
    const int at = index * kGroupTerms + i;
    group.value(i / kHalfTerms, i % kHalfTerms) =
        at < run.count ? values[run.first + at] : typename Terms::Value{0};
  }
}

/// Adds half a chunk to an even and an odd sum with that exponent, from the middle of its range,
/// and notes the effect.
template <class Terms, class Real = typename Terms::Sum>
__device__ void find_effect(GroupOf<Terms>& group, OneOf<Terms> of, int half, Real predicted) {
  constexpr BitsOf<Real> kUnits = BitsOf<Real>{1} << kFractionBits<Real>;
  constexpr BitsOf<Real> kInfinite = 2 * std::numeric_limits<Real>::max_exponent - 1;
  // What holds goes half the way to the next exponent at most.
  static_assert(kUnits / 2 * kThreads < -kNever<Real>);
  const BitsOf<Real> exponent = bits_of(predicted) >> kFractionBits<Real>;
  const bool is_normal = exponent > 0 && exponent < kInfinite;
  const Real power = std::bit_cast<Real>((is_normal ? exponent : 1) << kFractionBits<Real>);
  const BitsOf<Real> start = bits_of(power * Real{1.5});
  Real sum[2] = {std::bit_cast<Real>(start), std::bit_cast<Real>(start + 1)};
  Real lowest[2] = {sum[0], sum[1]};
  Real highest[2] = {sum[0], sum[1]};
  bool is_zero = true;
  HIPVMAF_UNROLL_BY(8)
  for (int k = 0; k < kHalfTerms; ++k) {
    const Real term = of.term(group, half, k);
    is_zero = is_zero && term == Real{0};
    HIPVMAF_UNROLL
    for (int odd = 0; odd < 2; ++odd) {
      sum[odd] += term;
      lowest[odd] = min(lowest[odd], sum[odd]);
      highest[odd] = max(highest[odd], sum[odd]);
    }
  }
  Effect<Real>& effect = group.effects[half];
  HIPVMAF_UNROLL
  for (int odd = 0; odd < 2; ++odd) {
    // The bits of other sums give no lengths. What is no number stays none to the end.
    const bool are_positive = lowest[odd] > Real{0} && sum[odd] > Real{0};
    const BitsOf<Real> low = are_positive ? bits_of(lowest[odd]) - start - odd : -kUnits;
    const BitsOf<Real> high = bits_of(highest[odd]) - start - odd;
    const bool holds = is_normal && keeps_exponent<Real>(kUnits / 2 + odd, low, high);
    effect.shift[odd] = holds ? bits_of(sum[odd]) - start - odd : 0;
    effect.lowest[odd] = holds ? low : kNever<Real>;
    effect.highest[odd] = holds ? high : 0;
  }
  effect.exponent = is_zero ? kNone : (is_normal ? exponent : 0);
}

/// Joins the effects of pairs of neighbours, each of `size` half chunks, in the place of the first.
template <class Real>
__device__ void join_pairs(SharedArray<Effect<Real>, kThreads>& effects, int size) {
  const int half = 2 * size * thread_rank();
  if (half < kThreads) append(effects[half], effects[half + size]);
  __syncthreads();
}

/// Finds the effects of the chunks of a loaded group, after a sum of about `before`.
template <class Terms>
__device__ void analyse_group(GroupOf<Terms>& group, OneOf<Terms> of, double before) {
  const int rank = thread_rank();
  double sum = 0;
  HIPVMAF_UNROLL_BY(8)
  for (int k = 0; k < kHalfTerms; ++k) sum += static_cast<double>(of.term(group, rank, k));
  group.half_sums[rank] = sum;
  __syncthreads();
  HIPVMAF_UNROLL_BY(4)
  for (int half = 0; half < rank; ++half) before += group.half_sums[half];
  find_effect<Terms>(group, of, rank, static_cast<typename Terms::Sum>(before));
  __syncthreads();
  join_pairs(group.effects, 1);
}

/// Sums and effects of groups have a row for each sum of each run.
template <class Terms>
HIPVMAF_HD constexpr int row_of(int run, int sum) {
  return run * Terms::kSums + sum;
}

template <class Terms>
__global__ void __launch_bounds__(kThreads)
    sum_groups(View1D<const typename Terms::Value> values, View1D<const Run<Terms>> runs,
               View2D<double> sums) {
  const int index = static_cast<int>(blockIdx.x);
  const int place = static_cast<int>(blockIdx.y);
  const Run<Terms> run = runs[place];
  if (index >= groups_of(run.count)) return;  // the whole block
  Sums<double, Terms::kSums> own{};
  HIPVMAF_UNROLL_BY(4)
  for (int i = thread_rank(); i < kGroupTerms; i += kThreads) {
    const int at = index * kGroupTerms + i;
    if (at >= run.count) continue;
    const typename Terms::Value value = values[run.first + at];
    HIPVMAF_UNROLL
    for (int s = 0; s < Terms::kSums; ++s) {
      own[s] += static_cast<double>(run.terms.term(value, s));
    }
  }
  own = block_sum<kThreads>(own);
  if (thread_rank() != 0) return;
  HIPVMAF_UNROLL
  for (int s = 0; s < Terms::kSums; ++s) sums(index, row_of<Terms>(place, s)) = own[s];
}

/// What comes before a group in each sum.
template <class Terms>
using SumsBefore = SharedArray<double, Terms::kSums>;

/// Effects of a loaded group on its run's sums from kSum on: sum after sum, and each with code of
/// its own, so that compilers leave out what makes the other sums' terms.
template <class Terms, int kSum>
__device__ void find_effects_on(GroupOf<Terms>& group, const Run<Terms>& run, int index,
                                SumsBefore<Terms>& before, int first_row,
                                View2D<Effect<typename Terms::Sum>> effects) {
  if (kSum >= run.terms.sums()) return;  // the whole block
  analyse_group(group, OneOf<Terms>{run.terms, kSum}, before[kSum]);
  HIPVMAF_UNROLL_BY(1)
  for (int size = 2; size < kThreads; size *= 2) join_pairs(group.effects, size);
  if (thread_rank() == 0) effects(index, first_row + kSum) = group.effects[0];
  if constexpr (kSum + 1 < Terms::kSums) {
    find_effects_on<Terms, kSum + 1>(group, run, index, before, first_row, effects);
  }
}

template <class Terms>
__global__ void __launch_bounds__(kThreads)
    find_effects(View1D<const typename Terms::Value> values, View1D<const Run<Terms>> runs,
                 View2D<const double> sums, View2D<Effect<typename Terms::Sum>> effects) {
  using SharedGroup = GroupOf<Terms>;
  using SharedSums = SumsBefore<Terms>;
  HIPVMAF_SHARED(SharedGroup, group);
  HIPVMAF_SHARED(SharedSums, before);
  const int index = static_cast<int>(blockIdx.x);
  const int place = static_cast<int>(blockIdx.y);
  const Run<Terms> run = runs[place];
  if (index >= groups_of(run.count)) return;  // the whole block
  load_group(values, run, index, group);
  Sums<double, Terms::kSums> own{};
  HIPVMAF_UNROLL_BY(4)
  for (int i = thread_rank(); i < index; i += kThreads) {
    HIPVMAF_UNROLL
    for (int s = 0; s < Terms::kSums; ++s) own[s] += sums(i, row_of<Terms>(place, s));
  }
  own = block_sum<kThreads>(own);
  if (thread_rank() == 0) {
    HIPVMAF_UNROLL
    for (int s = 0; s < Terms::kSums; ++s) before[s] = own[s];
  }
  __syncthreads();
  find_effects_on<Terms, 0>(group, run, index, before, row_of<Terms>(place, 0), effects);
}

/// Adds the chunks of an analysed group.
template <class Terms, class Real = typename Terms::Sum>
__device__ void add_chunks(GroupOf<Terms>& group, OneOf<Terms> of, Real& sum) {
  HIPVMAF_UNROLL_BY(1)
  for (int chunk = 0; chunk < kGroupChunks; ++chunk) {
    if (apply(group.effects[2 * chunk], sum)) continue;
    HIPVMAF_UNROLL_BY(8)
    for (int k = 0; k < kChunkTerms; ++k) {
      sum += of.term(group, 2 * chunk + k / kHalfTerms, k % kHalfTerms);
    }
  }
}

template <class Real>
struct Progress {
  Real sum;
  int groups;  ///< That have been added.
};

template <class Terms, class Real = typename Terms::Sum>
__global__ void __launch_bounds__(kThreads)
    add_groups(View1D<const typename Terms::Value> values, View1D<const Run<Terms>> runs,
               View2D<const Effect<Real>> effects, View1D<Real> totals) {
  using SharedGroup = GroupOf<Terms>;
  using SharedProgress = Progress<Real>;
  HIPVMAF_SHARED(SharedGroup, group);
  HIPVMAF_SHARED(SharedProgress, progress);
  const int rank = thread_rank();
  const Run<Terms> run = runs[static_cast<int>(blockIdx.x)];
  const OneOf<Terms> of{run.terms, static_cast<int>(blockIdx.y)};
  if (of.sum >= run.terms.sums()) return;  // the whole block
  const int row = row_of<Terms>(static_cast<int>(blockIdx.x), of.sum);
  const int groups = groups_of(run.count);
  if (rank == 0) progress = {0, 0};
  __syncthreads();
  for (int added = 0; added < groups;) {
    const int end = min(added + kThreads, groups);
    if (added + rank < end) group.effects[rank] = effects(added + rank, row);
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
      load_group(values, run, added, group);
      __syncthreads();
      analyse_group(group, of, static_cast<double>(progress.sum));
      if (rank == 0) add_chunks(group, of, progress.sum);
      ++added;
    }
    __syncthreads();
  }
  if (rank == 0) totals[row] = progress.sum;
}

}  // namespace ordered

/// Sums over runs of values that other kernels leave in its memory.
template <class Terms>
class OrderedSums {
 public:
  using Value = typename Terms::Value;
  using Sum = typename Terms::Sum;

  /// `counts`: values of each run; `terms`: what they stand for.
  OrderedSums(std::span<const int> counts, std::span<const Terms> terms) {
    int groups = 0;
    int first = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      runs_.push_back({first, counts[i], terms[i]});
      first += counts[i];
      groups = max(groups, ordered::groups_of(counts[i]));
    }
    const int rows = static_cast<int>(counts.size()) * Terms::kSums;
    values_ = Buffer<Value>(first);
    device_runs_ = make_table<ordered::Run<Terms>>(runs_);
    group_sums_ = {groups, rows};
    effects_ = {groups, rows};
  }
  /// For terms that have no properties.
  explicit OrderedSums(std::span<const int> counts)
      : OrderedSums(counts, std::vector<Terms>(counts.size())) {}

  /// Where the values of all runs belong, one run after the other.
  [[nodiscard]] View1D<Value> values() const { return values_.view(); }
  /// Where those of one run belong.
  [[nodiscard]] View1D<Value> values(int run) const {
    const ordered::Run<Terms>& of = runs_[static_cast<std::size_t>(run)];
    return {values_.view().data + of.first, of.count};
  }

  /// Queues the additions; the values have been queued before. Sum s of run r goes to place
  /// r * Terms::kSums + s.
  void add(Stream& stream, View1D<Sum> totals) const {
    const auto values = values_.view().readable();
    const auto runs = device_runs_.view().readable();
    const auto group_sums = group_sums_.view();
    const auto effects = effects_.view();
    const auto count = static_cast<unsigned>(runs_.size());
    const dim3 groups(static_cast<unsigned>(group_sums.width), count);
    launch(stream, groups, ordered::kThreads, ordered::sum_groups<Terms>, values, runs, group_sums);
    launch(stream, groups, ordered::kThreads, ordered::find_effects<Terms>, values, runs,
           group_sums.readable(), effects);
    launch(stream, dim3(count, Terms::kSums), ordered::kThreads, ordered::add_groups<Terms>, values,
           runs, effects.readable(), totals);
  }

 private:
  std::vector<ordered::Run<Terms>> runs_;
  Buffer<Value> values_;
  Buffer<ordered::Run<Terms>> device_runs_;
  Buffer2D<double> group_sums_;
  Buffer2D<ordered::Effect<Sum>> effects_;
};

}  // namespace hipvmaf::gpu
