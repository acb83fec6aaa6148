#include "media/decoder_memory.hpp"

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace hipvmaf {
namespace {

// Rows of every plane begin on boundaries that suit any instruction set, chroma's too.
constexpr int kWidthAlignment = 256;
// Decoders may read and write a little past the last row.
constexpr std::size_t kSpareBytes = 256;

bool has_plain_planes(const AVFrame& frame) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  constexpr auto kOther = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM;
  return format != nullptr && (format->flags & kOther) == 0;
}

AVBufferRef* new_buffer(void* allocator, std::size_t bytes) {
  const auto release = [](void* opaque, std::uint8_t* block) {
    static_cast<const PictureAllocator*>(opaque)->release(reinterpret_cast<std::byte*>(block));
  };
  const auto& from = *static_cast<const PictureAllocator*>(allocator);
  try {
    std::byte* const block = from.allocate(bytes);
    AVBufferRef* const buffer =
        av_buffer_create(reinterpret_cast<std::uint8_t*>(block), bytes, release, allocator, 0);
    if (buffer == nullptr) from.release(block);
    return buffer;
  } catch (...) {
    return nullptr;  // FFmpeg reports that there is no memory
  }
}

}  // namespace

DecoderMemory::DecoderMemory(PictureAllocator allocator) : allocator_(std::move(allocator)) {}

int DecoderMemory::provide(AVCodecContext& decoder, AVFrame& frame, int flags) noexcept {
  const bool takes_ours = (decoder.codec->capabilities & AV_CODEC_CAP_DR1) != 0;
  if (!takes_ours || !has_plain_planes(frame)) {
    return avcodec_default_get_buffer2(&decoder, &frame, flags);
  }
  try {
    return fill(decoder, frame);
  } catch (const std::bad_alloc&) {
    return AVERROR(ENOMEM);
  }
}

int DecoderMemory::fill(AVCodecContext& decoder, AVFrame& frame) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  int width = frame.width;
  int height = frame.height;
  std::array<int, AV_NUM_DATA_POINTERS> row_alignments{};
  avcodec_align_dimensions2(&decoder, &width, &height, row_alignments.data());
  width = FFALIGN(width, kWidthAlignment);

  std::array<int, 4> strides{};
  int result = av_image_fill_linesizes(strides.data(), format, width);
  if (result < 0) return result;
  const std::array<std::ptrdiff_t, 4> wide_strides{strides[0], strides[1], strides[2], strides[3]};
  std::array<std::size_t, 4> sizes{};
  result = av_image_fill_plane_sizes(sizes.data(), format, height, wide_strides.data());
  if (result < 0) return result;

  std::size_t bytes = 0;
  for (const std::size_t size : sizes) bytes += size;
  AVBufferRef* const buffer = av_buffer_pool_get(pool_of(bytes + kSpareBytes).get());
  if (buffer == nullptr) return AVERROR(ENOMEM);
  frame.buf[0] = buffer;
  std::uint8_t* at = buffer->data;
  for (std::size_t p = 0; p < sizes.size() && sizes[p] > 0; ++p) {
    frame.data[p] = at;
    frame.linesize[p] = strides[p];
    at += sizes[p];
  }
  frame.extended_data = static_cast<std::uint8_t**>(frame.data);
  return 0;
}

/// Buffers that are in use keep the pool that they are from.
DecoderMemory::Pool DecoderMemory::pool_of(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (pool_ && bytes == pooled_bytes_) return pool_;
  auto allocator = std::make_unique<PictureAllocator>(allocator_);
  const auto forget = [](void* opaque) { delete static_cast<PictureAllocator*>(opaque); };
  AVBufferPool* const pool = av_buffer_pool_init2(bytes, allocator.get(), new_buffer, forget);
  if (pool == nullptr) throw std::bad_alloc();
  static_cast<void>(allocator.release());  // the pool deletes it
  pool_ = Pool(pool, [](AVBufferPool* unused) { av_buffer_pool_uninit(&unused); });
  pooled_bytes_ = bytes;
  return pool_;
}

}  // namespace hipvmaf
