// The files of models/, compiled into the library.
#pragma once

#include <span>
#include <string_view>

namespace hipvmaf {

struct EmbeddedFile {
  std::string_view name;  ///< Without a folder.
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_model_files();

}  // namespace hipvmaf
