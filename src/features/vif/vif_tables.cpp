#include "features/vif/vif_tables.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace hipvmaf::vif {
namespace {

std::array<std::uint16_t, 32768> make_log_table() {
  std::array<std::uint16_t, 32768> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    // The logarithm is rounded to binary32 before it is scaled and rounded again: 38 entries depend
    // on it, and 39 on halves being rounded away from zero.
    const auto log2 = static_cast<float>(std::log2(static_cast<double>(i + table.size())));
    table[i] = static_cast<std::uint16_t>(std::round(log2 * 2048.0F));
  }
  return table;
}

}  // namespace

std::span<const std::uint16_t, 32768> log_table() {
  static const auto table = make_log_table();
  return table;
}

}  // namespace hipvmaf::vif
