// Sums of SSIMULACRA 2's error maps on a GPU, in the order of the CPU.
#pragma once

#include <vector>

#include "features/ssimulacra2/ssimulacra2.hpp"
#include "gpu/buffer.hpp"
#include "gpu/stream.hpp"

namespace hipvmaf::ssimulacra2 {

/// Where the values of a map lie in an array of them, row by row, and where their sums go.
struct ErrorMap {
  int first;
  int count;
  int channel;
  int scale;
  bool of_edges;        ///< edge_change() of every pixel; otherwise structure_error().
  int first_chunk = 0;  ///< Set by OrderedSums.
};

/// Function of the lowest bit of a sum: what a run of terms adds to it, in units of its last place.
struct Increments {
  std::uint64_t to_even;
  std::uint64_t to_odd;
};

/// Adds the errors and their fourth powers in row-major order, into one double each, as the CPU
/// does: the same bits, but in parallel.
class OrderedSums {
 public:
  explicit OrderedSums(std::vector<ErrorMap> maps);

  void enqueue(gpu::Stream& stream, gpu::View1D<const double> errors,
               gpu::View1D<Ssimulacra2Raw> raw);

 private:
  int map_count_;
  int most_chunks_ = 0;  // of a map
  gpu::Buffer<ErrorMap> maps_;
  // By chunk and sum.
  gpu::Buffer<double> rough_sums_;
  gpu::Buffer<int> exponents_;
  gpu::Buffer<Increments> increments_;
};

}  // namespace hipvmaf::ssimulacra2
