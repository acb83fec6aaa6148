// The sum of the largest contrasts of a scale.
#pragma once

#include <cstddef>
#include <span>

#include "features/cambi/cambi.hpp"

namespace hipvmaf::cambi {

/// Exact sum of the `count` largest of `contrasts` (1 <= count <= contrasts.size()), which are 0 or
/// at least 0.5 and below 2^23.
[[nodiscard]] CambiSum sum_of_largest(std::span<const float> contrasts, std::size_t count);

}  // namespace hipvmaf::cambi
