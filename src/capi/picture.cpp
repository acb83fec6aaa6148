#include "capi/picture.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include <hipvmaf/error.hpp>

#include "capi/border.hpp"
#include "capi/log.hpp"

struct VmafRef {
  std::atomic<long> count = 1;
  std::function<void()> release;
};

namespace hipvmaf::capi {
namespace {

constexpr unsigned kRowSamples = 32;  // rows are a multiple of so many long
constexpr std::align_val_t kAlignment{32};

ptrdiff_t stride_of(const PictureFormat& format, int plane) {
  const auto width = static_cast<unsigned>(format.plane_width(plane));
  const unsigned samples = (width + kRowSamples - 1) / kRowSamples * kRowSamples;
  return static_cast<ptrdiff_t>(samples) * format.bytes_per_sample();
}

std::size_t plane_bytes(const PictureFormat& format, int plane) {
  return static_cast<std::size_t>(stride_of(format, plane)) *
         static_cast<std::size_t>(format.plane_height(plane));
}

ChromaFormat chroma_of(const VmafPixelFormat& pix_fmt) {
  switch (number_of(pix_fmt)) {
    case VMAF_PIX_FMT_YUV420P:
      return ChromaFormat::yuv420;
    case VMAF_PIX_FMT_YUV422P:
      return ChromaFormat::yuv422;
    case VMAF_PIX_FMT_YUV444P:
      return ChromaFormat::yuv444;
    case VMAF_PIX_FMT_YUV400P:
      return ChromaFormat::yuv400;
    default:
      throw Error(ErrorCode::invalid_argument, "unknown pixel format of a picture");
  }
}

VmafPixelFormat pixel_format_of(ChromaFormat chroma) {
  switch (chroma) {
    case ChromaFormat::yuv420:
      return VMAF_PIX_FMT_YUV420P;
    case ChromaFormat::yuv422:
      return VMAF_PIX_FMT_YUV422P;
    case ChromaFormat::yuv444:
      return VMAF_PIX_FMT_YUV444P;
    case ChromaFormat::yuv400:
      break;
  }
  return VMAF_PIX_FMT_YUV400P;
}

void drop(VmafRef* ref) {
  if (ref->count.fetch_sub(1) > 1) return;
  ref->release();
  delete ref;
}

}  // namespace

PictureFormat format_of(const VmafPixelFormat& pix_fmt, unsigned bpc, unsigned width,
                        unsigned height) {
  constexpr auto kSide = static_cast<unsigned>(kMaxPictureSide);
  const PictureFormat format{static_cast<int>(std::min(width, kSide + 1)),
                             static_cast<int>(std::min(height, kSide + 1)), chroma_of(pix_fmt),
                             static_cast<int>(std::min(bpc, 255U))};
  format.validate();
  return format;
}

std::size_t picture_bytes(const PictureFormat& format) {
  std::size_t bytes = 0;
  for (int p = 0; p < format.plane_count(); ++p) bytes += plane_bytes(format, p);
  return bytes;
}

VmafPicture make_picture(const PictureFormat& format, std::byte* block,
                         std::function<void()> release) {
  VmafPicture picture{};
  picture.pix_fmt = pixel_format_of(format.chroma);
  picture.bpc = static_cast<unsigned>(format.bit_depth);
  for (int p = 0; p < format.plane_count(); ++p) {
    picture.w[p] = static_cast<unsigned>(format.plane_width(p));
    picture.h[p] = static_cast<unsigned>(format.plane_height(p));
    picture.stride[p] = stride_of(format, p);
    picture.data[p] = block;
    block += plane_bytes(format, p);
  }
  picture.ref = new VmafRef{1, std::move(release)};
  return picture;
}

Picture share(const VmafPicture& picture) {
  if (picture.ref == nullptr) {
    throw Error(ErrorCode::invalid_argument,
                "a picture has no samples: it was not allocated, or released or handed in before");
  }
  const PictureFormat format = format_of(picture.pix_fmt, picture.bpc, picture.w[0], picture.h[0]);
  std::array<Picture::Plane, 3> planes;
  for (std::size_t p = 0; p < planes.size(); ++p) {
    planes[p] = {picture.data[p], picture.stride[p]};
  }
  picture.ref->count.fetch_add(1);
  return Picture::wrap(format,
                       std::span(planes).first(static_cast<std::size_t>(format.plane_count())),
                       [ref = picture.ref] { drop(ref); });
}

}  // namespace hipvmaf::capi

using namespace hipvmaf;

int vmaf_picture_alloc(VmafPicture* pic, enum VmafPixelFormat pix_fmt, unsigned bpc, unsigned w,
                       unsigned h) {
  if (pic == nullptr) return -EINVAL;
  return capi::guarded(capi::log_without_context(), [&] {
    const PictureFormat format = capi::format_of(pix_fmt, bpc, w, h);
    const std::size_t bytes = capi::picture_bytes(format);
    auto* const block = static_cast<std::byte*>(::operator new(bytes, capi::kAlignment));
    const auto release = [block] { ::operator delete(block, capi::kAlignment); };
    std::memset(block, 0, bytes);
    try {
      *pic = capi::make_picture(format, block, release);
    } catch (...) {
      release();
      throw;
    }
  });
}

int vmaf_picture_unref(VmafPicture* pic) {
  if (pic == nullptr || pic->ref == nullptr) return -EINVAL;
  capi::drop(pic->ref);
  *pic = VmafPicture{};
  return 0;
}
