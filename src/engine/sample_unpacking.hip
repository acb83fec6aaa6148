#include "engine/sample_unpacking.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf {
namespace {

constexpr int kBlockWidth = 64;
constexpr int kBlockHeight = 4;

/// Where the samples of a component are in the rows of the plane that holds them.
struct Packing {
  int step;  // from one to the next
  int first;
  int shift;  // of their values from the low bits
};

template <class Sample>
__global__ void unpack_samples(gpu::View2D<const Sample> from, Packing packing,
                               gpu::View2D<Sample> to) {
  const int x = static_cast<int>(blockIdx.x) * kBlockWidth + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kBlockHeight + static_cast<int>(threadIdx.y);
  if (x >= to.width || y >= to.height) return;
  to(x, y) = static_cast<Sample>(from(x * packing.step + packing.first, y) >> packing.shift);
}

}  // namespace

template <class Sample>
void unpack_plane(const Picture& from, int index, gpu::View2D<Sample> to, gpu::Stream& stream) {
  const bool semi_planar = from.layout() == SampleLayout::semi_planar;
  const bool interleaved = semi_planar && index > 0;
  const Picture::Plane& plane = from.stored_plane(interleaved ? 1 : index);
  const Packing packing{interleaved ? 2 : 1, interleaved ? index - 1 : 0,
                        semi_planar && sizeof(Sample) > 1 ? 16 - from.format().bit_depth : 0};
  const gpu::View2D<const Sample> samples{
      static_cast<const Sample*>(plane.data), to.width * packing.step, to.height,
      static_cast<int>(plane.stride_bytes / static_cast<std::ptrdiff_t>(sizeof(Sample)))};
  gpu::launch(
      stream,
      dim3(gpu::blocks_for(to.width, kBlockWidth), gpu::blocks_for(to.height, kBlockHeight)),
      dim3(kBlockWidth, kBlockHeight), unpack_samples<Sample>, samples, packing, to);
}

template void unpack_plane(const Picture&, int, gpu::View2D<std::uint8_t>, gpu::Stream&);
template void unpack_plane(const Picture&, int, gpu::View2D<std::uint16_t>, gpu::Stream&);

}  // namespace hipvmaf
