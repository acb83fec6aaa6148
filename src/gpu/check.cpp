#include "gpu/check.hpp"

#include <fmt/format.h>

#include <hipvmaf/error.hpp>

namespace hipvmaf::gpu {
namespace {

struct Label {
  std::string_view extractor;
  std::int64_t frame = 0;
};

thread_local Label label;

/// What the emulator found, if it did.
std::string explanation() {
#if defined(HIPVMAF_GPU_EMULATED)
  const std::string fault = emulator::take_fault();
  if (!fault.empty()) return fmt::format(": {}", fault);
#endif
  return "";
}

}  // namespace

WorkLabel::WorkLabel(std::string_view extractor, std::int64_t frame) { label = {extractor, frame}; }
WorkLabel::~WorkLabel() { label = {}; }

std::string current_label() {
  if (label.extractor.empty()) return "";
  return fmt::format("{}, frame {}: ", label.extractor, label.frame);
}

std::string describe(hipError_t error) {
  const std::string_view words = hipGetErrorString(error);
  const std::string_view name = hipGetErrorName(error);
  return words == name ? std::string(name) : fmt::format("{} ({})", words, name);
}

void check(hipError_t error, const char* call) {
  if (error == hipSuccess) return;
  const std::string message = fmt::format("{}the GPU refused {}: {}{}", current_label(), call,
                                          describe(error), explanation());
  static_cast<void>(hipGetLastError());  // it has been reported
  throw Error(error == hipErrorOutOfMemory ? ErrorCode::out_of_memory : ErrorCode::device, message);
}

}  // namespace hipvmaf::gpu
