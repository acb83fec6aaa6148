#include <array>
#include <cmath>

#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"
#include "gpu/primitive_check.hpp"

namespace hipvmaf::gpu {
namespace {

constexpr int kThreads = 128;
constexpr int kBlocks = 3;
constexpr int kDistance = 5;

/// What the arithmetic is done with; it comes from the host so that no compiler can do it before.
struct Operands {
  float factor;  // its square does not fit a float
  float rounded_square;
  double long_factor;
  double rounded_long_square;
  float divisor;
  double long_divisor;
};

struct Results {
  std::int64_t block_sum;
  double ordered_sum;
  std::int64_t exchanged;
  std::uint64_t atomic_sum;
  float contraction;  // 0 unless multiplication and addition were fused
  double long_contraction;
  float quotient;
  double long_quotient;
  float root;
  double long_root;
};

HIPVMAF_HD double term(int rank) { return 1.0 / (rank + 1); }

__global__ void run_primitives(Operands with, View1D<Results> results) {
  const int rank = thread_rank();
  Results& all = results[0];
  atomic_add(all.atomic_sum, static_cast<std::uint64_t>(rank));
  const std::int64_t sum = block_sum<kThreads>(std::int64_t{rank} * rank);
  __syncthreads();
  const double ordered = block_sum<kThreads>(term(rank));
  __syncthreads();
  const std::int64_t exchanged =
      block_sum<kThreads>(std::int64_t{value_from_thread_after(rank, kDistance)} * (rank + 1));
  if (rank != 0 || blockIdx.x != 0) return;
  all.block_sum = sum;
  all.ordered_sum = ordered;
  all.exchanged = exchanged;
  all.contraction = with.factor * with.factor - with.rounded_square;
  all.long_contraction = with.long_factor * with.long_factor - with.rounded_long_square;
  all.quotient = 1.0F / with.divisor;
  all.long_quotient = 1.0 / with.long_divisor;
  all.root = std::sqrt(with.divisor);
  all.long_root = std::sqrt(with.long_divisor);
}

Operands operands() {
  Operands with{};
  with.factor = 1.0F + 0x1p-20F;
  with.rounded_square = 1.0F + 0x1p-19F;
  with.long_factor = 1.0 + 0x1p-50;
  with.rounded_long_square = 1.0 + 0x1p-49;
  with.divisor = 3.0F;
  with.long_divisor = 3.0;
  return with;
}

/// block_sum() of the terms, in the order that it promises.
double sum_in_order() {
  double total = 0;
  for (int first = 0; first < kThreads; first += kGroup) {
    std::array<double, kGroup> values;
    for (int i = 0; i < kGroup; ++i) values[static_cast<std::size_t>(i)] = term(first + i);
    for (std::size_t distance = kGroup / 2; distance > 0; distance /= 2) {
      for (std::size_t i = 0; i < distance; ++i) values[i] += values[i + distance];
    }
    total += values[0];
  }
  return total;
}

std::int64_t exchanged_sum() {
  std::int64_t sum = 0;
  for (int rank = 0; rank < kThreads; ++rank) {
    const bool is_inside = rank % kGroup + kDistance < kGroup;
    sum += std::int64_t{is_inside ? rank + kDistance : rank} * (rank + 1);
  }
  return sum;
}

std::string first_fault(const Results& results) {
  constexpr std::int64_t kLast = kThreads - 1;
  if (results.block_sum != kLast * (kLast + 1) * (2 * kLast + 1) / 6) return "sums over blocks";
  if (results.ordered_sum != sum_in_order()) return "the order of sums over blocks";
  if (results.exchanged != exchanged_sum()) return "exchanges between threads";
  if (results.atomic_sum != std::uint64_t{kBlocks} * kLast * (kLast + 1) / 2) {
    return "atomic additions";
  }
  if (results.contraction != 0 || results.long_contraction != 0) {
    return "separate rounding of products and sums";
  }
  if (results.quotient != 0x1.555556p-2F || results.long_quotient != 0x1.5555555555555p-2) {
    return "the rounding of quotients";
  }
  if (results.root != 0x1.bb67aep+0F || results.long_root != 0x1.bb67ae8584caap+0) {
    return "the rounding of square roots";
  }
  return "";
}

}  // namespace

std::string primitive_fault() {
  Stream stream;
  const Buffer<Results> buffer(1);
  const auto run = [&] {
    stream.clear(buffer.view());
    launch(stream, kBlocks, kThreads, run_primitives, operands(), buffer.view());
  };
  for (const bool recorded : {false, true}) {
    if (recorded) {
      stream.launch(stream.capture(run));
    } else {
      run();
    }
    Results results{};
    stream.download(&results, buffer.view().readable());
    stream.synchronize();
    if (std::string fault = first_fault(results); !fault.empty()) {
      return fault + (recorded ? ", in a recorded graph" : "");
    }
  }
  return "";
}

}  // namespace hipvmaf::gpu
