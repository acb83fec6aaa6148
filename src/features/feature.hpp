// What an extractor is: a Descriptor (the one source of its name, options, features and limits), a
// pixel stage that turns a window of frames into raw scores, and a scalar stage that turns raw
// scores, in frame order, into named feature scores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <hipvmaf/picture.hpp>

#include "features/derived_data.hpp"
#include "features/options.hpp"
#include "gpu/host_device.hpp"

namespace hipvmaf {

/// One pair of pictures on its way through the engine.
struct Frame {
  std::int64_t index = 0;
  Picture reference;
  Picture distorted;
  DerivedData derived;  ///< Planes made from the pictures that more than one window needs.
};

/// Earlier frames that any extractor may ask for (Descriptor::reach).
inline constexpr int kMaxReach = 4;

/// What a pixel stage sees: a frame and the frames right before it in the stream (true neighbours,
/// whatever the subsampling).
class FrameWindow {
 public:
  using FramePtr = std::shared_ptr<const Frame>;

  FrameWindow() = default;
  FrameWindow(FramePtr current, std::span<const FramePtr> earlier_newest_first);

  [[nodiscard]] const Frame& current() const { return *frames_[0]; }
  /// The frame `distance` (1..reach) before the current one; null before the start of the stream.
  [[nodiscard]] const Frame* earlier(int distance) const {
    return frames_[static_cast<std::size_t>(distance)].get();
  }

 private:
  std::array<FramePtr, kMaxReach + 1> frames_;
};

/// Computes an extractor's raw scores of one frame: a pure function of the window, so frames may be
/// measured in any order and anywhere. An object owns its scratch memory and serves one thread at a
/// time.
class PixelStage {
 public:
  PixelStage() = default;
  PixelStage(const PixelStage&) = delete;
  PixelStage& operator=(const PixelStage&) = delete;
  virtual ~PixelStage() = default;

  /// Writes Descriptor::raw_bytes bytes, aligned for any scalar, to `raw`.
  virtual void measure_into(const FrameWindow& window, void* raw) = 0;
};

/// A pixel stage on a GPU; see gpu_stage.hpp.
class GpuStage;

/// Base of the pixel stages whose raw scores are a `Raw`.
template <class Raw>
class PixelStageOf : public PixelStage {
 public:
  void measure_into(const FrameWindow& window, void* raw) final {
    ::new (raw) Raw(measure(window));
  }

 protected:
  virtual Raw measure(const FrameWindow& window) = 0;
};

/// Where a scalar stage puts its scores.
class ScoreSink {
 public:
  virtual ~ScoreSink() = default;
  /// `feature` is the place in Descriptor::features. Scores of features that are not emitted under
  /// the instance's options are dropped, so stages need not ask.
  virtual void emit(int feature, std::int64_t frame, double value) = 0;
  /// A figure of the whole run.
  virtual void aggregate(std::string_view name, double value) = 0;
};

/// Turns raw scores into feature scores. Sequential: frames come in order, then finish() once.
class ScalarStage {
 public:
  ScalarStage() = default;
  ScalarStage(const ScalarStage&) = delete;
  ScalarStage& operator=(const ScalarStage&) = delete;
  virtual ~ScalarStage() = default;

  virtual void push_raw(std::int64_t frame, const void* raw, ScoreSink& sink) = 0;
  /// The stream has ended: emit what was waiting for a next frame.
  virtual void finish(ScoreSink&) {}
};

/// Base of the scalar stages whose raw scores are a `Raw`.
template <class Raw>
class ScalarStageOf : public ScalarStage {
  static_assert(std::is_trivially_copyable_v<Raw>,
                "raw scores are moved as bytes, between devices too");

 public:
  void push_raw(std::int64_t frame, const void* raw, ScoreSink& sink) final {
    push(frame, *std::launder(static_cast<const Raw*>(raw)), sink);
  }

 protected:
  virtual void push(std::int64_t frame, const Raw& raw, ScoreSink& sink) = 0;
};

/// Decides from options and format whether a feature is emitted.
using FeatureCondition = bool (*)(const OptionValues& options, const PictureFormat& format);

/// When a column first gets a value in a run, which decides its place in reports.
enum class ColumnPhase {
  first_frame,   ///< On frame 0.
  second_frame,  ///< Not before frame 1.
  flush,         ///< At the end of the stream.
};

/// One figure per frame that an extractor emits, in the order of emission.
struct FeatureSpec {
  std::string_view internal_name;
  std::string_view alias;  ///< Printed name; empty if it is the internal name.
  /// Models can ask for the feature by its internal name, and its name takes the options' suffix.
  bool provided = true;
  FeatureCondition condition = nullptr;  ///< Null: always emitted.
  ColumnPhase phase = ColumnPhase::first_frame;
  /// Replaces `phase` where it depends on the options; null: it does not.
  ColumnPhase (*phase_under)(const OptionValues& options) = nullptr;
};

enum class PlaneUse { luma, all };

/// Which pictures of a pair are read.
struct PictureUse {
  bool reference = true;
  bool distorted = true;
};
inline constexpr PictureUse kReferenceOnly{.distorted = false};
inline constexpr PictureUse kDistortedOnly{.reference = false};

using GpuStageFactory = std::unique_ptr<GpuStage> (*)(const OptionValues& options,
                                                      const PictureFormat& format);

/// Why a request cannot be measured on a GPU; empty if it can.
using GpuObstacle = std::string (*)(const OptionValues& options, const PictureFormat& format);

/// `function` in builds with a GPU platform; null in others, which do not have it.
template <class Function>
constexpr Function* on_gpu(Function* function) {
  return gpu::kBuilt ? function : nullptr;
}

enum class Direction { higher_is_better, lower_is_better, neither };

/// Everything the rest of hipvmaf knows about an extractor. One constexpr object per extractor.
struct Descriptor {
  std::string_view name;
  std::string_view summary;  ///< What it measures, one sentence.
  std::string_view range;    ///< Values and unit, for example "dB, 0 to 60 at 8 bit".
  Direction direction = Direction::higher_is_better;
  std::string_view source;  ///< The paper or publication that defines it.
  /// CPU milliseconds of the pixel stage with default options: a 1080p pair of 8 bit, one thread,
  /// as measured with bench/extractors_bench. Machines differ; the ratios between extractors hold.
  double cost_ms = 0;
  std::span<const OptionSpec> options;
  std::span<const FeatureSpec> features;

  /// Runs on every frame even when only some are reported (temporal metrics, aggregates over all
  /// frames).
  bool every_frame = false;
  /// Earlier frames that the pixel stage reads, 0..kMaxReach; null: none.
  int (*reach)(const OptionValues& options) = nullptr;
  PlaneUse (*planes)(const OptionValues& options) = nullptr;  ///< Null: luma only.
  /// Pictures of each pair that the pixel stage reads; null: both. A GPU has no others.
  PictureUse (*pictures)(const OptionValues& options) = nullptr;
  /// Smallest luma size that is accepted with default options.
  int minimum_width = 1;
  int minimum_height = 1;
  /// Other options have other minimum sizes: check_format() checks the size for all of them.
  bool minimum_from_options = false;
  bool needs_chroma = false;  ///< 4:0:0 is refused.
  int maximum_bit_depth = 16;

  /// Checks what the option table cannot say; throws Error(invalid_option). Null: nothing more to
  /// check.
  void (*check_options)(const OptionValues& options) = nullptr;
  /// Checks what size, chroma and depth above cannot say; throws Error(unsupported_format). Null:
  /// nothing.
  void (*check_format)(const OptionValues& options, const PictureFormat& format) = nullptr;

  std::size_t raw_bytes = 0;  ///< Size of the raw scores of a frame.
  std::unique_ptr<PixelStage> (*make_cpu_stage)(const OptionValues& options,
                                                const PictureFormat& format) = nullptr;
  GpuStageFactory make_gpu_stage = nullptr;  ///< Null: the extractor runs on the CPU only.
  GpuObstacle gpu_obstacle = nullptr;        ///< Null: there is none.
  /// Largest relative difference of scores on some GPU from the CPU's that is no fault, where
  /// functions such as logarithms may be rounded in other ways.
  double gpu_tolerance = 0;
  std::unique_ptr<ScalarStage> (*make_scalar_stage)(const OptionValues& options,
                                                    const PictureFormat& format) = nullptr;
};

/// Throws Error(unsupported_format), naming the extractor and its limit, unless it can measure such
/// pictures.
void require_format(const Descriptor& extractor, const OptionValues& options,
                    const PictureFormat& format);

/// Key under which a feature is kept: the internal name, or the alias followed by `suffix`
/// (OptionValues::name_suffix) if that is not empty and the feature is provided.
[[nodiscard]] std::string stored_name(const FeatureSpec& feature, std::string_view suffix);

/// Name that reports show.
[[nodiscard]] std::string printed_name(const FeatureSpec& feature, std::string_view suffix);

}  // namespace hipvmaf
