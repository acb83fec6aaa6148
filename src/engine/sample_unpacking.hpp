// Pictures that already lie on the device, brought into the layout that kernels read.
#pragma once

#include <hipvmaf/picture.hpp>

#include "gpu/stream.hpp"

namespace hipvmaf {

/// Queues the copy of plane `index` (0 luma, 1 Cb, 2 Cr) of a picture on the device, planar or
/// semi-planar, into a plane of its own with the values in the low bits. `Sample` is std::uint8_t
/// at 8 bit and std::uint16_t above.
template <class Sample>
void unpack_plane(const Picture& from, int index, gpu::View2D<Sample> to, gpu::Stream& stream);

extern template void unpack_plane(const Picture&, int, gpu::View2D<std::uint8_t>, gpu::Stream&);
extern template void unpack_plane(const Picture&, int, gpu::View2D<std::uint16_t>, gpu::Stream&);

}  // namespace hipvmaf
