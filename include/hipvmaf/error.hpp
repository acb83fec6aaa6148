// Errors of the library: every failure is an hipvmaf::Error with a code and one line of text that
// says what is wrong, where (file, option, frame) and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace hipvmaf {

enum class ErrorCode {
  invalid_argument,    ///< A call or a command line that makes no sense.
  unknown_name,        ///< No extractor, feature, model or option of that name.
  invalid_option,      ///< An option value that does not parse or is out of its range.
  unsupported_format,  ///< A picture that an extractor cannot measure (size, depth, chroma).
  mismatch,            ///< Reference and distorted differ in size or pixel format.
  bad_input,           ///< A video that is malformed, truncated or empty.
  bad_model,           ///< A model file that is malformed or cannot be evaluated.
  io,                  ///< A file that cannot be opened, read or written.
  out_of_memory,       ///< Host memory is exhausted.
  device,              ///< A GPU that is missing, fails or computes wrongly.
  internal,            ///< A fault of hipvmaf itself.
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace hipvmaf
