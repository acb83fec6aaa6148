// A sum of doubles, term by term, is a chain of roundings. But while it stays between two powers of
// two, adding a term adds a whole number of its last places, which depends on nothing but the term
// and, where the term ends in exactly half a place, the last bit of the sum. So a chunk of terms is
// a function from that bit to an increment (Increments), and such functions can be composed in
// parallel.
//
// 1. A block per chunk adds its terms in any order.
// 2. A block per map guesses from this which power of two a sum is at when it comes to a chunk.
// 3. A block per chunk makes the Increments for that power; each thread takes a few neighbours.
// 4. A block per sum goes over the chunks: where the power was guessed right and holds for the
//    whole chunk, which is checked, it adds the increment; elsewhere it adds term by term. That
//    happens about as often as a sum doubles.
#include <algorithm>
#include <bit>
#include <span>

#include "features/ssimulacra2/ssimulacra2_sums_gpu.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::ssimulacra2 {
namespace {

constexpr int kThreads = 128;
constexpr int kTermsPerThread = 8;
constexpr int kChunk = kThreads * kTermsPerThread;

/// Sums of a map: errors and fourth powers; of edges, of ringing and then of blurring.
constexpr int kSums = 4;
constexpr int kStructureSums = 2;

using Terms = gpu::Sums<double, kSums>;

__device__ Terms terms_of(double value, bool of_edges) {
  const double first = of_edges ? ringing_error(value) : value;
  const double second = of_edges ? blurring_error(value) : 0.0;
  return {{first, fourth_power(first), second, fourth_power(second)}};
}

__device__ double term_of(double value, bool of_edges, int sum) {
  const double error = !of_edges ? value : (sum < 2 ? ringing_error(value) : blurring_error(value));
  return sum % 2 == 0 ? error : fourth_power(error);
}

/// A chunk of a map: terms `first` to `end` - 1 of the array.
struct Chunk {
  int first;
  int end;
  int place;  // in arrays by chunk and sum

  __device__ Chunk(const ErrorMap& map, int index)
      : first(map.first + index * kChunk),
        end(map.first + gpu::min(map.count, (index + 1) * kChunk)),
        place((map.first_chunk + index) * kSums) {}
};

__device__ int chunks_of(const ErrorMap& map) { return (map.count + kChunk - 1) / kChunk; }

__global__ void __launch_bounds__(kThreads)
    sum_roughly(gpu::View1D<const ErrorMap> maps, gpu::View1D<const double> errors,
                gpu::View1D<double> rough_sums) {
  const ErrorMap map = maps[static_cast<int>(blockIdx.y)];
  if (static_cast<int>(blockIdx.x) >= chunks_of(map)) return;
  const Chunk chunk(map, static_cast<int>(blockIdx.x));
  const int rank = static_cast<int>(threadIdx.x);
  Terms sums{};
  for (int i = chunk.first + rank; i < chunk.end; i += kThreads) {
    sums += terms_of(errors[i], map.of_edges);
  }
  sums = gpu::block_sum<kThreads>(sums);
  if (rank != 0) return;
  HIPVMAF_UNROLL
  for (int s = 0; s < kSums; ++s) rough_sums[chunk.place + s] = sums[s];
}

// ---- Doubles as integers ----

constexpr int kFractionBits = 52;
constexpr std::uint64_t kUnit = std::uint64_t{1} << kFractionBits;

/// Biased, of a double that is not negative.
__device__ int exponent_of(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> kFractionBits);
}

/// In place of an exponent: all terms are 0; or it cannot be said, or is too small to be used.
constexpr int kNoTerms = -1;
constexpr int kUnknown = -2;
constexpr int kExponentBias = 1023;
constexpr int kLeastExponent = kFractionBits + 2;

__device__ int guessed_exponent(double sum_before, double chunk_sum) {
  if (chunk_sum == 0) return kNoTerms;
  const int exponent = exponent_of(sum_before);
  return exponent >= kLeastExponent && exponent == exponent_of(sum_before + chunk_sum) ? exponent
                                                                                       : kUnknown;
}

__global__ void __launch_bounds__(kThreads)
    guess_exponents(gpu::View1D<const ErrorMap> maps, gpu::View1D<const double> rough_sums,
                    gpu::View1D<int> exponents) {
  using Parts = gpu::SharedArray<Terms, kThreads>;
  HIPVMAF_SHARED(Parts, parts);
  const ErrorMap map = maps[static_cast<int>(blockIdx.x)];
  const int chunks = chunks_of(map);
  const int per_thread = (chunks + kThreads - 1) / kThreads;
  const int rank = static_cast<int>(threadIdx.x);
  const int begin = gpu::min(chunks, rank * per_thread);
  const int end = gpu::min(chunks, begin + per_thread);
  const int place = map.first_chunk * kSums;
  Terms part{};
  for (int c = begin; c < end; ++c) {
    HIPVMAF_UNROLL
    for (int s = 0; s < kSums; ++s) part[s] += rough_sums[place + c * kSums + s];
  }
  parts[rank] = part;
  __syncthreads();
  Terms before{};
  for (int r = 0; r < rank; ++r) before += parts[r];
  for (int c = begin; c < end; ++c) {
    HIPVMAF_UNROLL
    for (int s = 0; s < kSums; ++s) {
      const double chunk_sum = rough_sums[place + c * kSums + s];
      exponents[place + c * kSums + s] = guessed_exponent(before[s], chunk_sum);
      before[s] += chunk_sum;
    }
  }
}

// ---- Increments ----

/// First `a`, then `b`.
__device__ Increments composed(const Increments& a, const Increments& b) {
  return {a.to_even + (a.to_even % 2 == 0 ? b.to_even : b.to_odd),
          a.to_odd + (a.to_odd % 2 == 0 ? b.to_odd : b.to_even)};
}

/// Of one term, to a sum whose last place is 1 / `places`.
__device__ Increments increments_of(double term, double places) {
  // Terms that are larger lead to the next power anyhow; so do not let the sum of a chunk overflow.
  const double scaled = gpu::min(term * places, static_cast<double>(2 * kUnit));
  const auto whole = static_cast<std::uint64_t>(scaled);
  const double rest = scaled - static_cast<double>(whole);
  if (rest != 0.5) return {whole + (rest > 0.5), whole + (rest > 0.5)};
  return {whole + whole % 2, whole + (whole + 1) % 2};  // so that the result is even
}

using IncrementsOfSums = gpu::SharedArray<Increments, kThreads * kSums>;

__global__ void __launch_bounds__(kThreads)
    make_increments(gpu::View1D<const ErrorMap> maps, gpu::View1D<const double> errors,
                    gpu::View1D<const int> exponents, gpu::View1D<Increments> increments) {
  HIPVMAF_SHARED(IncrementsOfSums, parts);
  const ErrorMap map = maps[static_cast<int>(blockIdx.y)];
  if (static_cast<int>(blockIdx.x) >= chunks_of(map)) return;
  const Chunk chunk(map, static_cast<int>(blockIdx.x));
  const int rank = static_cast<int>(threadIdx.x);
  Terms places{};
  Increments part[kSums] = {};
  HIPVMAF_UNROLL
  for (int s = 0; s < kSums; ++s) {
    const int exponent = gpu::max(exponents[chunk.place + s], kLeastExponent);
    places[s] = std::bit_cast<double>(
        static_cast<std::uint64_t>(2 * kExponentBias + kFractionBits - exponent) << kFractionBits);
  }
  const int begin = chunk.first + rank * kTermsPerThread;
  for (int i = begin; i < gpu::min(begin + kTermsPerThread, chunk.end); ++i) {
    Terms terms = terms_of(errors[i], map.of_edges);
    HIPVMAF_UNROLL
    for (int s = 0; s < kSums; ++s) {
      part[s] = composed(part[s], increments_of(terms[s], places[s]));
    }
  }
  HIPVMAF_UNROLL
  for (int s = 0; s < kSums; ++s) parts[s * kThreads + rank] = part[s];
  for (int distance = 1; distance < kThreads; distance *= 2) {
    __syncthreads();
    // The pairs of all sums, one per thread.
    for (int first = 2 * distance * rank; first < kThreads * kSums;
         first += 2 * distance * kThreads) {
      parts[first] = composed(parts[first], parts[first + distance]);
    }
  }
  __syncthreads();
  if (rank < kSums) increments[chunk.place + rank] = parts[rank * kThreads];
}

// ---- The sums ----

/// Adds the increment of a chunk to the sum. False, and the sum is left alone, if that would not
/// give what adding its terms gives.
__device__ bool add_at_once(double& sum, int exponent, const Increments& increments) {
  if (exponent == kNoTerms) return true;
  if (exponent != exponent_of(sum)) return false;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  const std::uint64_t places = bits % kUnit + kUnit;
  const std::uint64_t increment = places % 2 == 0 ? increments.to_even : increments.to_odd;
  if (places + increment >= 2 * kUnit) return false;
  sum = std::bit_cast<double>(bits + increment);
  return true;
}

/// What a block knows of the kThreads chunks it is at.
struct ChunkBatch {
  int exponents[kThreads];
  Increments increments[kThreads];
  double terms[kChunk];  // of one chunk
};

/// All threads of the block add the same up. If only one did, the others would wait for it at the
/// next barrier; nvcc 13 lets its wave come there in two parts, which a barrier does not bear.
__device__ void add_chunks(ChunkBatch& batch, const ErrorMap& map, int sum_index, int first_chunk,
                           int chunks, gpu::View1D<const double> errors, double& sum) {
  const int rank = static_cast<int>(threadIdx.x);
  for (int c = 0; c < chunks; ++c) {
    if (add_at_once(sum, batch.exponents[c], batch.increments[c])) continue;
    const Chunk chunk(map, first_chunk + c);
    const int count = chunk.end - chunk.first;
    __syncthreads();  // the terms of an earlier chunk have been added
    for (int i = rank; i < count; i += kThreads) {
      batch.terms[i] = term_of(errors[chunk.first + i], map.of_edges, sum_index);
    }
    __syncthreads();
    for (int i = 0; i < count; ++i) sum += batch.terms[i];
  }
}

__device__ double& sum_in(Ssimulacra2Raw& raw, const ErrorMap& map, int sum_index) {
  Ssimulacra2Sums& sums =
      raw.sums[static_cast<std::size_t>(map.channel)][static_cast<std::size_t>(map.scale)];
  const auto error = static_cast<std::size_t>((map.of_edges ? 1 : 0) + sum_index / 2);
  return sum_index % 2 == 0 ? sums.error[error] : sums.fourth_power[error];
}

__global__ void __launch_bounds__(kThreads)
    add_up(gpu::View1D<const ErrorMap> maps, gpu::View1D<const double> errors,
           gpu::View1D<const int> exponents, gpu::View1D<const Increments> increments,
           gpu::View1D<Ssimulacra2Raw> raw) {
  HIPVMAF_SHARED(ChunkBatch, batch);
  const ErrorMap map = maps[static_cast<int>(blockIdx.x)];
  const int sum_index = static_cast<int>(blockIdx.y);
  if (!map.of_edges && sum_index >= kStructureSums) return;
  const int rank = static_cast<int>(threadIdx.x);
  const int chunks = chunks_of(map);
  double sum = 0;
  for (int first = 0; first < chunks; first += kThreads) {
    const int count = gpu::min(kThreads, chunks - first);
    __syncthreads();
    if (rank < count) {
      const int place = Chunk(map, first + rank).place + sum_index;
      batch.exponents[rank] = exponents[place];
      batch.increments[rank] = increments[place];
    }
    __syncthreads();
    add_chunks(batch, map, sum_index, first, count, errors, sum);
  }
  if (rank == 0) sum_in(raw[0], map, sum_index) = sum;
}

int chunk_count(const ErrorMap& map) { return (map.count + kChunk - 1) / kChunk; }

int number_chunks(std::vector<ErrorMap>& maps) {
  int chunks = 0;
  for (ErrorMap& map : maps) {
    map.first_chunk = chunks;
    chunks += chunk_count(map);
  }
  return chunks;
}

}  // namespace

OrderedSums::OrderedSums(std::vector<ErrorMap> maps) : map_count_(static_cast<int>(maps.size())) {
  const int places = number_chunks(maps) * kSums;
  for (const ErrorMap& map : maps) most_chunks_ = std::max(most_chunks_, chunk_count(map));
  maps_ = gpu::make_table<ErrorMap>(maps);
  rough_sums_ = gpu::Buffer<double>(places);
  exponents_ = gpu::Buffer<int>(places);
  increments_ = gpu::Buffer<Increments>(places);
}

void OrderedSums::enqueue(gpu::Stream& stream, gpu::View1D<const double> errors,
                          gpu::View1D<Ssimulacra2Raw> raw) {
  const auto maps = maps_.view().readable();
  const auto rough_sums = rough_sums_.view();
  const auto exponents = exponents_.view();
  const auto increments = increments_.view();
  const auto map_count = static_cast<unsigned>(map_count_);
  const dim3 all_chunks(static_cast<unsigned>(most_chunks_), map_count);
  gpu::launch(stream, all_chunks, kThreads, sum_roughly, maps, errors, rough_sums);
  gpu::launch(stream, map_count, kThreads, guess_exponents, maps, rough_sums.readable(), exponents);
  gpu::launch(stream, all_chunks, kThreads, make_increments, maps, errors, exponents.readable(),
              increments);
  gpu::launch(stream, dim3(map_count, kSums), kThreads, add_up, maps, errors, exponents.readable(),
              increments.readable(), raw);
}

}  // namespace hipvmaf::ssimulacra2
