// Decoded frames in memory of the session's choice.
#pragma once

#include <cstdint>  // FFmpeg's headers want it to be there

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <memory>
#include <mutex>

#include <hipvmaf/picture.hpp>

namespace hipvmaf {

/// Has a decoder write its frames into memory of an allocator, page-locked memory for example, from
/// which a GPU takes them without a further copy.
class DecoderMemory {
 public:
  explicit DecoderMemory(PictureAllocator allocator);

  /// What the decoder's `get_buffer2` does: gives the frame planes for its size and pixel format.
  /// Decoders that write into memory of their own keep it. Called from the decoder's threads.
  int provide(AVCodecContext& decoder, AVFrame& frame, int flags) noexcept;

 private:
  using Pool = std::shared_ptr<AVBufferPool>;

  int fill(AVCodecContext& decoder, AVFrame& frame);
  Pool pool_of(std::size_t bytes);

  PictureAllocator allocator_;
  std::mutex mutex_;
  Pool pool_;
  std::size_t pooled_bytes_ = 0;
};

}  // namespace hipvmaf
