#include "engine/device_pictures.hpp"

#include "engine/sample_unpacking.hpp"

namespace hipvmaf {
namespace {

// Rows begin where they do in pictures of the library's own, so that a plane is one piece on both
// sides of a copy.
constexpr int kRowAlignment = 64;
// Planes begin on boundaries of what a device reads at once.
constexpr std::size_t kPlaneAlignment = 256;

}  // namespace

DevicePictures::DevicePictures(const PictureFormat& format, PlaneUse planes, PictureUse pictures,
                               int places)
    : format_(format),
      plane_count_(planes == PlaneUse::all ? format.plane_count() : 1),
      used_(pictures),
      places_(static_cast<std::size_t>(places)) {
  DevicePicture layout;
  std::array<std::size_t, 3> offsets{};
  std::size_t bytes = 0;
  for (int p = 0; p < plane_count_; ++p) {
    const int row_bytes = format.plane_width(p) * format.bytes_per_sample();
    const int pitch = (row_bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    const auto i = static_cast<std::size_t>(p);
    offsets[i] = bytes;
    layout.planes[i] = {nullptr, format.plane_width(p), format.plane_height(p), pitch};
    bytes += static_cast<std::size_t>(pitch) * static_cast<std::size_t>(format.plane_height(p));
    bytes = (bytes + kPlaneAlignment - 1) / kPlaneAlignment * kPlaneAlignment;
  }
  for (Place& place : places_) {
    place.memory = gpu::DeviceMemory((used_.reference && used_.distorted ? 2 : 1) * bytes);
    auto* at = static_cast<std::byte*>(place.memory.data());
    const auto lay_out = [&](DevicePicture& picture) {
      picture = layout;
      for (int p = 0; p < plane_count_; ++p) {
        const auto i = static_cast<std::size_t>(p);
        picture.planes[i].data = at + offsets[i];
      }
      at += bytes;
    };
    if (used_.reference) lay_out(place.pictures.reference);
    if (used_.distorted) lay_out(place.pictures.distorted);
  }
}

void DevicePictures::require(std::int64_t number, const Frame& frame, gpu::Stream& copies) {
  Place& place = places_[static_cast<std::size_t>(place_of(number))];
  if (place.number == number) return;
  place.number = number;
  const auto upload_used = [&]<class Sample>(Sample) {
    if (used_.reference) upload<Sample>(frame.reference, place.pictures.reference, copies);
    if (used_.distorted) upload<Sample>(frame.distorted, place.pictures.distorted, copies);
  };
  if (format_.bit_depth == 8) {
    upload_used(std::uint8_t{});
  } else {
    upload_used(std::uint16_t{});
  }
  copies.record(place.uploaded);
}

void DevicePictures::wait_for(std::int64_t number, gpu::Stream& stream) const {
  stream.wait(places_[static_cast<std::size_t>(place_of(number))].uploaded);
}

template <class Sample>
void DevicePictures::upload(const Picture& from, const DevicePicture& to,
                            gpu::Stream& copies) const {
  for (int p = 0; p < plane_count_; ++p) {
    const DevicePicture::Plane& plane = to.planes[static_cast<std::size_t>(p)];
    const gpu::View2D<Sample> view{static_cast<Sample*>(plane.data), plane.width, plane.height,
                                   plane.pitch_bytes / static_cast<int>(sizeof(Sample))};
    if (from.is_on_device()) {
      unpack_plane(from, p, view, copies);
    } else {
      const PlaneView<const Sample> rows = from.plane<Sample>(p);
      copies.upload(view, rows.data, rows.stride);
    }
  }
}

}  // namespace hipvmaf
