// Feeds arbitrary text to the model reader and predicts with whatever it accepts.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <hipvmaf/error.hpp>
#include <hipvmaf/model.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hipvmaf;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const LoadedModel loaded = parse_model(text, "fuzz", {.name = "v", .enable_transform = true});
    const std::vector<double> values(loaded.model.features().size(), 0.5);
    (void)loaded.model.predict(values);
    std::vector<double> raw;
    for (const Model& member : loaded.members) {
      raw.push_back(member.predict_raw(std::vector<double>(member.features().size(), 0.5)));
    }
    if (!raw.empty()) (void)combine_members(loaded.members, raw, raw);
  } catch (const Error&) {
    // Refused text is what most inputs are.
  }
  return 0;
}
