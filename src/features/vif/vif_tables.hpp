// The table behind fixed_log2().
#pragma once

#include <cstdint>
#include <span>

namespace hipvmaf::vif {

/// 2048 log2(i) for i = 32768 .. 65535. Made at the first call; thread-safe.
[[nodiscard]] std::span<const std::uint16_t, 32768> log_table();

}  // namespace hipvmaf::vif
