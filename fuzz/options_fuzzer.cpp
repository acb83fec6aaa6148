// The little languages of the command line: --model and --feature texts, and the options behind
// them.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <hipvmaf/error.hpp>
#include <hipvmaf/session.hpp>

#include "cli/requests.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hipvmaf;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 2 == 0) {
      (void)cli::parse_model_request(text);
    } else {
      const cli::FeatureRequest request = cli::parse_feature_request(text);
      Session session({.threads = 1});
      session.add_feature(request.extractor, request.options);
      session.add_feature(request.extractor, {});
      session.prepare({32, 32, ChromaFormat::yuv420, 8});
    }
  } catch (const Error&) {
  } catch (const cli::UsageError&) {
  }
  return 0;
}
