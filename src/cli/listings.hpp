// `hipvmaf features`, `hipvmaf models` and `hipvmaf devices`: what this build can measure, from the
// registry and the built-in models, and where.
#pragma once

#include <string>

namespace hipvmaf::cli {

/// All extractors with their options, as a plain table.
[[nodiscard]] std::string features_text();
/// The same as a page of documentation.
[[nodiscard]] std::string features_markdown();
/// The built-in models with the measured deviation of each.
[[nodiscard]] std::string models_text();
[[nodiscard]] std::string models_markdown();
/// The GPUs of this machine, and which extractors run on them.
[[nodiscard]] std::string devices_text();

}  // namespace hipvmaf::cli
