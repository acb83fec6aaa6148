// Sums of SSIMULACRA 2's error maps on a GPU, in the order of the CPU.
#pragma once

#include <span>

#include "features/ssimulacra2/ssimulacra2.hpp"
#include "gpu/ordered_sum.hpp"

namespace hipvmaf::ssimulacra2 {

/// A value for each pixel, and where its sums go.
struct ErrorMap {
  int pixels;
  int channel;
  int scale;
  bool of_edges;  ///< edge_change() of every pixel; otherwise structure_error().
};

/// The errors that a map's values stand for, and their fourth powers: of edges, those of ringing
/// and then of blurring.
struct ErrorTerms {
  using Value = double;
  using Sum = double;
  static constexpr int kSums = 4;

  bool of_edges;

  [[nodiscard]] HIPVMAF_HD int sums() const { return of_edges ? kSums : 2; }
  __device__ double term(double value, int sum) const {
    const double error =
        !of_edges ? value : (sum < 2 ? ringing_error(value) : blurring_error(value));
    return sum % 2 == 0 ? error : fourth_power(error);
  }
};

/// Adds the errors and their fourth powers in row-major order, into one double each.
class ErrorSums {
 public:
  explicit ErrorSums(std::span<const ErrorMap> maps);

  /// Where the maps belong, one after the other.
  [[nodiscard]] gpu::View1D<double> maps() const { return sums_.values(); }

  /// Queues the additions; the maps have been queued before.
  void add(gpu::Stream& stream, gpu::View1D<Ssimulacra2Raw> raw) const;

 private:
  gpu::OrderedSums<ErrorTerms> sums_;
  gpu::Buffer<ErrorMap> maps_;
  gpu::Buffer<double> totals_;
};

}  // namespace hipvmaf::ssimulacra2
