#include "features/registry.hpp"

#include <algorithm>
#include <array>

#include <hipvmaf/device.hpp>

#include "features/adm/adm.hpp"
#include "features/cambi/cambi.hpp"
#include "features/ciede/ciede.hpp"
#include "features/float_adm/float_adm.hpp"
#include "features/float_ansnr/float_ansnr.hpp"
#include "features/float_moment/float_moment.hpp"
#include "features/float_psnr/float_psnr.hpp"
#include "features/float_vif/float_vif.hpp"
#include "features/motion/float_motion.hpp"
#include "features/motion/motion.hpp"
#include "features/motion/motion_v2.hpp"
#include "features/psnr/psnr.hpp"
#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/speed/speed_chroma.hpp"
#include "features/speed/speed_temporal.hpp"
#include "features/ssim/float_ms_ssim.hpp"
#include "features/ssim/float_ssim.hpp"
#include "features/ssim/ssim.hpp"
#include "features/ssimulacra2/ssimulacra2.hpp"
#include "features/vif/vif.hpp"

namespace hipvmaf {
namespace {

constexpr std::array kExtractors = {
    &float_psnr_descriptor,    &float_ansnr_descriptor,
    &float_adm_descriptor,     &float_vif_descriptor,
    &float_motion_descriptor,  &float_moment_descriptor,
    &speed_chroma_descriptor,  &speed_temporal_descriptor,
    &float_ms_ssim_descriptor, &float_ssim_descriptor,
    &ciede_descriptor,         &psnr_descriptor,
    &psnr_hvs_descriptor,      &adm_descriptor,
    &motion_descriptor,        &vif_descriptor,
    &cambi_descriptor,         &motion_v2_descriptor,
    &ssim_descriptor,          &ssimulacra2_descriptor,
};

}  // namespace

std::span<const Descriptor* const> registry() { return kExtractors; }

const Descriptor* find_extractor(std::string_view name) {
  const auto at = std::ranges::find(kExtractors, name, &Descriptor::name);
  return at == kExtractors.end() ? nullptr : *at;
}

NamedExtractor find_named(std::string_view name) {
  constexpr std::string_view kOnGpu = "_hip";
  constexpr std::string_view kInteger = "integer_";
  if (const Descriptor* exact = find_extractor(name)) return {exact, false};
  const bool on_gpu = name.ends_with(kOnGpu);
  if (on_gpu) name.remove_suffix(kOnGpu.size());
  if (const Descriptor* plain = find_extractor(name)) return {plain, on_gpu};
  if (name.starts_with(kInteger)) return {find_extractor(name.substr(kInteger.size())), on_gpu};
  // ms_ssim_hip and the like; without the suffix such a name is more likely a mistake.
  return {on_gpu ? find_extractor("float_" + std::string(name)) : nullptr, on_gpu};
}

const Descriptor* find_provider(std::string_view internal_name) {
  const auto provides = [&](const Descriptor* extractor) {
    return std::ranges::any_of(extractor->features, [&](const FeatureSpec& feature) {
      return feature.provided && feature.internal_name == internal_name;
    });
  };
  const auto at = std::ranges::find_if(kExtractors, provides);
  return at == kExtractors.end() ? nullptr : *at;
}

bool runs_on_gpu(std::string_view extractor) {
  const Descriptor* const found = find_extractor(extractor);
  return found != nullptr && found->make_gpu_stage != nullptr;
}

std::string list_extractors() {
  std::string names;
  for (const Descriptor* extractor : kExtractors) {
    if (!names.empty()) names += ", ";
    names += extractor->name;
  }
  return names;
}

}  // namespace hipvmaf
