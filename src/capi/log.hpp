// Messages of the C interface: lines "libvmaf LEVEL text" on stderr.
#pragma once

#include <libvmaf/libvmaf.h>

#include <hipvmaf/log.hpp>

namespace hipvmaf::capi {

/// Prints what `level` lets through.
[[nodiscard]] LogCallback log_at(VmafLogLevel level);

/// For calls that have no context: at the level of the context that was made last.
[[nodiscard]] LogCallback log_without_context();
void set_level_without_context(VmafLogLevel level);

}  // namespace hipvmaf::capi
