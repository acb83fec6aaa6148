// How raw scores of two backends are compared.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <span>

#include "features/feature.hpp"

namespace hipvmaf::test {

/// Largest difference between CPU and GPU that is accepted, relative: none, where per-pixel
/// arithmetic is shared and every sum has a fixed order.
inline double raw_tolerance(const Descriptor& /*extractor*/) { return 0; }

/// 0 for raw scores of the same bytes, infinity for others.
inline double raw_difference(const Descriptor& /*extractor*/, std::span<const std::byte> a,
                             std::span<const std::byte> b) {
  return std::memcmp(a.data(), b.data(), a.size()) == 0 ? 0
                                                        : std::numeric_limits<double>::infinity();
}

}  // namespace hipvmaf::test
