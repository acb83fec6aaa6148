// Encodes the samples of the test videos and reads them back.
#pragma once

#include <cstdint>  // FFmpeg's headers want it to be there

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "media/ffmpeg_formats.hpp"
#include "media/video_reader.hpp"
#include "media_encode.hpp"
#include "media_support.hpp"

namespace hipvmaf::test {

/// Fills the components of a frame of any YUV pixel format with the samples of the test videos.
inline void fill_components(AVFrame& frame, int index, const PictureFormat& format) {
  const AVPixFmtDescriptor* descriptor =
      av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  for (int p = 0; p < format.plane_count(); ++p) {
    for (int y = 0; y < format.plane_height(p); ++y) {
      std::vector<std::uint16_t> row;
      for (int x = 0; x < format.plane_width(p); ++x) {
        row.push_back(static_cast<std::uint16_t>(sample_at(format.bit_depth, index, p, x, y)));
      }
      av_write_image_line(row.data(), frame.data, frame.linesize, descriptor, 0, y, p,
                          format.plane_width(p));
    }
  }
}

inline EncodeSpec spec_of(const PictureFormat& format, AVCodecID codec, AVPixelFormat pixel_format,
                          int frames) {
  EncodeSpec spec;
  spec.codec = codec;
  spec.pixel_format = pixel_format;
  spec.width = format.width;
  spec.height = format.height;
  spec.frames = frames;
  return spec;
}

/// Tests of videos that are encoded first.
class FfmpegVideo : public testing::Test {
 protected:
  /// Encodes the samples of the test videos.
  std::string encoded(const std::string& name, const PictureFormat& format, AVCodecID codec,
                      AVPixelFormat pixel_format, int frames,
                      AVColorRange range = AVCOL_RANGE_UNSPECIFIED, int b_frames = 0) {
    EncodeSpec spec = spec_of(format, codec, pixel_format, frames);
    spec.range = range;
    spec.b_frames = b_frames;
    encode(dir_.path(name), spec,
           [&format](AVFrame& frame, int f) { fill_components(frame, f, format); });
    return dir_.path(name);
  }

  /// The same without loss.
  std::string lossless(const std::string& name, const PictureFormat& format, int frames) {
    return encoded(name, format, AV_CODEC_ID_FFV1,
                   planar_pixel_format(format.chroma, format.bit_depth), frames);
  }

  std::unique_ptr<VideoReader> open(const std::string& path) {
    OpenOptions options;
    options.log = log_.callback();
    return open_video(path, options);
  }

  static void expect_samples(VideoReader& video, const PictureFormat& format, int frames) {
    ASSERT_EQ(video.format(), format);
    for (int f = 0; f < frames; ++f) {
      const auto picture = video.read();
      ASSERT_TRUE(picture) << "frame " << f;
      ASSERT_EQ(samples_of(*picture), expected_samples(format, f)) << "frame " << f;
    }
    EXPECT_FALSE(video.read());
    EXPECT_FALSE(video.skip());
  }

  TempDir dir_;
  Log log_;
};

}  // namespace hipvmaf::test
