#include "expansion.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace hipvmaf::refit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Singular values below this fraction of the largest are noise.
constexpr double kSmallestSingularValue = 1e-13;

// n-th element of van der Corput's sequence.
double radical_inverse(std::size_t n, std::size_t base) {
  const double step = 1.0 / static_cast<double>(base);
  double result = 0;
  for (double digit = step; n > 0; n /= base, digit *= step) {
    result += digit * static_cast<double>(n % base);
  }
  return result;
}

// Halton's points, spread over a box somewhat larger than the given one. Rounded, so that a text of
// the expansion holds them exactly.
std::vector<double> choose_centres(const Box& box, const FitSettings& settings) {
  constexpr std::array<std::size_t, 8> kPrimes{2, 3, 5, 7, 11, 13, 17, 19};
  constexpr std::size_t kSkip = 20;  // the first points lie on a line
  std::vector<double> centres;
  for (std::size_t k = 0; k < settings.centres; ++k) {
    for (std::size_t d = 0; d < box.dimensions(); ++d) {
      const double middle = (box.low[d] + box.high[d]) / 2;
      const double half = (box.high[d] - box.low[d]) / 2 * settings.spread;
      const double at = 2 * radical_inverse(k + kSkip, kPrimes.at(d)) - 1;
      centres.push_back(std::round((middle + half * at) * 1e4) / 1e4);
    }
  }
  return centres;
}

// A linear least-squares problem with one row per sample: kernels at the centres and the constant.
struct System {
  MatrixXd rows;
  VectorXd values;
  VectorXd tolerances;
};

System sample(const Svr& target, const Svr& basis, std::span<const Region> regions,
              const FitSettings& settings) {
  const auto count = static_cast<Index>(settings.samples * regions.size());
  const auto centres = static_cast<Index>(basis.coefficients.size());
  System system{MatrixXd(count, centres + 1), VectorXd(count), VectorXd(count)};
  std::vector<double> point(basis.inputs);
  Index row = 0;
  std::uint64_t seed = settings.seed;
  for (const Region& region : regions) {
    PointSource points(region.box, seed++);
    for (std::size_t i = 0; i < settings.samples; ++i, ++row) {
      points.next(point);
      const Eigen::Map<const VectorXd> x(point.data(), static_cast<Index>(point.size()));
      for (Index k = 0; k < centres; ++k) {
        const Eigen::Map<const VectorXd> z(basis.vectors.data() + k * x.size(), x.size());
        system.rows(row, k) = std::exp(-target.gamma * (x - z).squaredNorm());
      }
      system.rows(row, centres) = 1;
      system.values[row] = target.predict(point);
      system.tolerances[row] = region.tolerance;
    }
  }
  return system;
}

// Smooth kernels at neighbouring centres are nearly dependent: orthogonal transformations only, and
// the solution of the smallest norm.
VectorXd solve(const System& system, const VectorXd& weights) {
  const Index unknowns = system.rows.cols();
  const Eigen::HouseholderQR<MatrixXd> qr(weights.asDiagonal() * system.rows);
  const VectorXd right = qr.householderQ().adjoint() * weights.cwiseProduct(system.values);
  const MatrixXd triangle = qr.matrixQR().topRows(unknowns).triangularView<Eigen::Upper>();
  Eigen::JacobiSVD<MatrixXd> svd(triangle, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kSmallestSingularValue);
  return svd.solve(right.head(unknowns));
}

// Lawson's iteration: weighting every sample by its residual leads from the least squares towards
// the smallest maximum of residual / tolerance.
VectorXd minimise_maximum(const System& system, int sweeps) {
  constexpr double kLeastFactor = 0.02;  // so that no sample is forgotten
  VectorXd weights = system.tolerances.cwiseInverse();
  VectorXd best;
  double least = std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep <= sweeps; ++sweep) {
    const VectorXd solution = solve(system, weights);
    const VectorXd residuals =
        (system.rows * solution - system.values).cwiseAbs().cwiseQuotient(system.tolerances);
    const double largest = residuals.maxCoeff();
    if (largest < least) {
      least = largest;
      best = solution;
    }
    const auto factors = (residuals.array() / largest + kLeastFactor).sqrt();
    weights = (weights.array() * factors).matrix().eval();
    weights /= weights.mean();
  }
  return best;
}

}  // namespace

double PointSource::uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

void PointSource::next(std::span<double> point) {
  // How likely a coordinate is to be at an end of its range.
  constexpr std::array<double, 10> kAtEnd{0, 0, 0, 0, 0.3, 0.3, 0.3, 0.6, 0.6, 1};
  const double at_end = kAtEnd.at(static_cast<std::size_t>(uniform() * kAtEnd.size()));
  for (std::size_t d = 0; d < point.size(); ++d) {
    double position = uniform();
    if (uniform() < at_end) position = std::round(position);
    point[d] = box_.low[d] + position * (box_.high[d] - box_.low[d]);
  }
}

Svr fit_expansion(const Svr& target, const Box& centre_box, std::span<const Region> regions,
                  const FitSettings& settings) {
  Svr fitted = target;
  fitted.vectors = choose_centres(centre_box, settings);
  fitted.coefficients.assign(settings.centres, 0.0);
  const VectorXd solution =
      minimise_maximum(sample(target, fitted, regions, settings), settings.sweeps);
  std::copy_n(solution.data(), settings.centres, fitted.coefficients.begin());
  fitted.rho = -solution[solution.size() - 1];
  return fitted;
}

double largest_difference(const Svr& a, const Svr& b, const Box& box, std::size_t points,
                          std::uint64_t seed) {
  PointSource source(box, seed);
  std::vector<double> point(box.dimensions());
  double largest = 0;
  for (std::size_t i = 0; i < points; ++i) {
    source.next(point);
    largest = std::max(largest, std::abs(a.predict(point) - b.predict(point)));
  }
  return largest;
}

}  // namespace hipvmaf::refit
