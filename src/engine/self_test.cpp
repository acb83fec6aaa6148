#include "engine/self_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include <hipvmaf/error.hpp>

#include "engine/device_pictures.hpp"
#include "gpu/device.hpp"
#include "gpu/primitive_check.hpp"

namespace hipvmaf {
namespace {

constexpr int kFrames = 2;

/// The smallest of a few sizes that an extractor takes.
PictureFormat tiny_format(const Descriptor& extractor, const OptionValues& options,
                          PictureFormat format) {
  for (const gpu::Size size : {gpu::Size{48, 48}, gpu::Size{216, 48}, gpu::Size{180, 180}}) {
    format.width = size.width;
    format.height = size.height;
    try {
      require_format(extractor, options, format);
      return format;
    } catch (const Error&) {
      continue;  // too small
    }
  }
  throw Error(ErrorCode::internal,
              fmt::format("the self-test has no size for extractor {}", extractor.name));
}

/// A texture with some error in the distorted picture; every frame is another one.
template <class Sample>
void fill(const PictureBuffer& buffer, int frame, int error) {
  const PictureFormat& format = buffer.format();
  const unsigned mask = (1U << format.bit_depth) - 1U;
  for (int p = 0; p < format.plane_count(); ++p) {
    const PlaneView<Sample> plane = buffer.plane<Sample>(p);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x) {
        const int wave = 2 * (x + frame) + 3 * y + (x * y) % 17 + 40 * p;
        const int value = wave + error * ((x + 2 * y) % 5);
        plane.row(y)[x] =
            static_cast<Sample>((static_cast<unsigned>(value) << (format.bit_depth - 8)) & mask);
      }
    }
  }
}

Picture make_picture(const PictureFormat& format, int frame, int error) {
  PictureBuffer buffer(format);
  if (format.bit_depth == 8) {
    fill<std::uint8_t>(buffer, frame, error);
  } else {
    fill<std::uint16_t>(buffer, frame, error);
  }
  return std::move(buffer).finish();
}

/// Raw scores of the frames, one after the other.
struct RawScores {
  std::vector<std::byte> cpu;
  std::vector<std::byte> gpu;
};

RawScores measure(const Descriptor& extractor, const OptionValues& options,
                  const PictureFormat& format) {
  const auto cpu = extractor.make_cpu_stage(options, format);
  const auto gpu = extractor.make_gpu_stage(options, format);
  DevicePictures pictures(format, PlaneUse::all, PictureUse{}, kFrames);
  gpu::Stream stream;
  const gpu::Buffer<std::byte> raw(static_cast<int>(extractor.raw_bytes));
  const int reach = extractor.reach == nullptr ? 0 : extractor.reach(options);
  RawScores scores{std::vector<std::byte>(kFrames * extractor.raw_bytes),
                   std::vector<std::byte>(kFrames * extractor.raw_bytes)};
  std::vector<FrameWindow::FramePtr> earlier;  // newest first
  DeviceWindow window;
  for (int i = 0; i < kFrames; ++i) {
    const auto frame = std::make_shared<Frame>();
    frame->index = i;
    frame->reference = make_picture(format, i, 0);
    frame->distorted = make_picture(format, i, 1);
    const std::size_t at = static_cast<std::size_t>(i) * extractor.raw_bytes;
    const auto reached = std::min(earlier.size(), static_cast<std::size_t>(reach));
    cpu->measure_into(FrameWindow(frame, std::span(earlier).first(reached)),
                      scores.cpu.data() + at);

    pictures.require(i, *frame, stream);
    for (int d = 0; d <= static_cast<int>(reached); ++d) window.frame(d) = pictures.frame(i - d);
    window.set_count(static_cast<int>(reached) + 1);
    stream.clear(raw.view());
    gpu->enqueue(stream, window, raw.view().data);
    stream.download(scores.gpu.data() + at, raw.view().readable());
    stream.synchronize();
    earlier.insert(earlier.begin(), frame);
  }
  return scores;
}

/// Keeps scores in the order in which they come.
class ScoreList final : public ScoreSink {
 public:
  void emit(int /*feature*/, std::int64_t /*frame*/, double value) override {
    values.push_back(value);
  }
  void aggregate(std::string_view /*name*/, double value) override { values.push_back(value); }

  std::vector<double> values;
};

std::vector<double> scores_of(const Descriptor& extractor, const OptionValues& options,
                              const PictureFormat& format, const std::vector<std::byte>& raw) {
  const auto stage = extractor.make_scalar_stage(options, format);
  ScoreList list;
  for (int i = 0; i < kFrames; ++i) {
    stage->push_raw(i, raw.data() + static_cast<std::size_t>(i) * extractor.raw_bytes, list);
  }
  stage->finish(list);
  return std::move(list.values);
}

bool are_close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

bool computes_rightly(const Descriptor& extractor, const PictureFormat& like) {
  const OptionValues options(extractor.name, extractor.options, OptionTexts{});
  const PictureFormat format = tiny_format(extractor, options, like);
  const RawScores raw = measure(extractor, options, format);
  if (raw.gpu == raw.cpu) return true;
  if (extractor.gpu_tolerance == 0) return false;
  const auto wanted = scores_of(extractor, options, format, raw.cpu);
  const auto got = scores_of(extractor, options, format, raw.gpu);
  return std::ranges::equal(
      wanted, got, [&](double a, double b) { return are_close(a, b, extractor.gpu_tolerance); });
}

std::string wrong_result(std::span<const Descriptor* const> extractors,
                         const PictureFormat& format) {
  if (std::string fault = gpu::primitive_fault(); !fault.empty()) {
    return fault;
  }
  for (const Descriptor* extractor : extractors) {
    const gpu::WorkLabel label(extractor->name, 0);
    if (!computes_rightly(*extractor, format)) {
      return fmt::format("extractor {} gives other scores than on the CPU", extractor->name);
    }
  }
  return "";
}

}  // namespace

std::string device_fault(int device, std::span<const Descriptor* const> extractors,
                         const PictureFormat& format) {
  try {
    gpu::use_device(device);
    const std::string wrong = wrong_result(extractors, format);
    if (wrong.empty()) return "";
    return fmt::format("is not to be trusted, it fails the self-test: {}", wrong);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::device && error.code() != ErrorCode::out_of_memory) throw;
    return fmt::format("does not get through the self-test: {}", error.what());
  }
}

}  // namespace hipvmaf
