// Fitting a radial-basis expansion on centres of our own choice to another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "model/svr.hpp"

namespace hipvmaf::refit {

/// An axis-aligned box of normalised inputs.
struct Box {
  std::vector<double> low;
  std::vector<double> high;

  [[nodiscard]] std::size_t dimensions() const { return low.size(); }
};

/// Random points of a box: some inside, some on its faces, edges and corners, where a fit is worst.
/// The sequence is the same on every machine.
class PointSource {
 public:
  PointSource(Box box, std::uint64_t seed) : box_(std::move(box)), random_(seed) {}

  void next(std::span<double> point);

 private:
  double uniform();

  Box box_;
  std::mt19937_64 random_;
};

/// Where the fit has to be good, and how good: residuals are measured in units of `tolerance`.
struct Region {
  Box box;
  double tolerance = 1;
};

struct FitSettings {
  std::size_t centres = 300;
  std::size_t samples = 20'000;  ///< Per region.
  int sweeps = 12;               ///< Reweightings towards the smallest maximum.
  double spread = 1.2;           ///< Size of the box of centres, relative to `centre_box`.
  std::uint64_t seed = 1;
};

/// An expansion with the kernel of `target` (rbf) that approximates it on all regions.
[[nodiscard]] Svr fit_expansion(const Svr& target, const Box& centre_box,
                                std::span<const Region> regions, const FitSettings& settings);

/// Largest |a - b| on `points` random points of the box.
[[nodiscard]] double largest_difference(const Svr& a, const Svr& b, const Box& box,
                                        std::size_t points, std::uint64_t seed);

}  // namespace hipvmaf::refit
