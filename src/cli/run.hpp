// The main job: two videos in, scores and reports out.
#pragma once

#include "cli/arguments.hpp"
#include "cli/terminal.hpp"

namespace hipvmaf::cli {

/// Measures as the arguments say and writes the reports. Returns the exit status: 0, or 1 for a
/// result that is incomplete (the message has been printed then). Throws hipvmaf::Error if there is
/// no result.
[[nodiscard]] int run(const Arguments& arguments, Terminal& terminal);

}  // namespace hipvmaf::cli
