// The caller's index of each frame. Frames are numbered as they come; indices are the caller's own.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hipvmaf::capi {

/// Keeps nothing while indices are 0, 1, 2, ..., as they nearly always are.
class FrameIndices {
 public:
  [[nodiscard]] std::int64_t count() const { return count_; }

  /// The index of the next frame. It must not be that of another.
  void add(unsigned index) {
    if (!keeps_ && index != count_) {
      for (std::int64_t frame = 0; frame < count_; ++frame)
        note(frame, static_cast<unsigned>(frame));
      keeps_ = true;
    }
    if (keeps_) note(count_, index);
    ++count_;
  }

  /// Takes the latest one back.
  void drop() {
    --count_;
    if (!keeps_) return;
    frames_.erase(indices_.back());
    indices_.pop_back();
  }

  [[nodiscard]] std::optional<std::int64_t> frame_of(unsigned index) const {
    if (!keeps_) return index < count_ ? std::optional<std::int64_t>(index) : std::nullopt;
    const auto at = frames_.find(index);
    return at == frames_.end() ? std::nullopt : std::optional(at->second);
  }

  [[nodiscard]] unsigned index_of(std::int64_t frame) const {
    return keeps_ ? indices_[static_cast<std::size_t>(frame)] : static_cast<unsigned>(frame);
  }

 private:
  void note(std::int64_t frame, unsigned index) {
    indices_.push_back(index);
    frames_.emplace(index, frame);
  }

  std::int64_t count_ = 0;
  bool keeps_ = false;
  std::vector<unsigned> indices_;  // by frame
  std::unordered_map<unsigned, std::int64_t> frames_;
};

}  // namespace hipvmaf::capi
