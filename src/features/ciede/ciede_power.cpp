#include "features/ciede/ciede_power.hpp"

#include <limits>
#include <vector>

namespace hipvmaf::ciede {
namespace {

float with_binade(std::uint32_t mantissa, int binade) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(kFirstBinade + binade + 127) << 23 |
                              mantissa);
}

std::uint32_t exceptional_binades(std::uint32_t mantissa) {
  std::uint32_t binades = 0;
  for (int binade = 0; binade < kBinades; ++binade) {
    const float x = with_binade(mantissa, binade);
    const bool differs = LibraryPower{}(x) != static_cast<float>(wide_seventh_power(x));
    binades |= std::uint32_t{differs} << binade;
  }
  return binades;
}

std::vector<PowerException> find_exceptions() {
  std::vector<PowerException> found;
  for (std::uint32_t mantissa = 0; mantissa < 1U << 23; ++mantissa) {
    // A power of two does not change what is cut off.
    if (!is_near_middle(wide_seventh_power(with_binade(mantissa, -kFirstBinade)))) continue;
    const std::uint32_t binades = exceptional_binades(mantissa);
    if (binades != 0) found.push_back({mantissa, binades});
  }
  found.push_back({std::numeric_limits<std::uint32_t>::max(), 0});
  return found;
}

}  // namespace

std::span<const PowerException> power_exceptions() {
  static const std::vector<PowerException> exceptions = find_exceptions();
  return exceptions;
}

}  // namespace hipvmaf::ciede
