// Can a device be trusted? Compilers and drivers have been seen to give wrong numbers instead of
// errors.
#pragma once

#include <span>
#include <string>

#include "features/feature.hpp"

namespace hipvmaf {

/// Runs the primitives of the device layer and a few tiny frames per extractor, with default
/// options, on a device, and compares with the CPU: to the last bit, or, where the extractor says
/// so, its scores within Descriptor::gpu_tolerance. The frames have the depth and chroma of
/// `format`. Says what is wrong with the device, also if a call fails, to follow its name; empty if
/// nothing is. Takes some milliseconds per extractor.
[[nodiscard]] std::string device_fault(int device, std::span<const Descriptor* const> extractors,
                                       const PictureFormat& format);

}  // namespace hipvmaf
