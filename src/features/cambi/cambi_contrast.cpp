// For every level and column, a counter holds how many pixels of the window around that column and
// the current row have the level. From one row to the next, a row of pixels enters all windows and
// one leaves. A run of n equal pixels changes the counters of its level by a trapezoid: one at its
// ends, rising by one per column to the full width of run or window. So a run costs n + 2 * radius
// counters of one row of memory, and long runs are what flat areas consist of.
#include "features/cambi/cambi_contrast.hpp"

#include <algorithm>
#include <cstddef>

#include "base/numbers.hpp"
#include "features/cambi/cambi_math.hpp"
#include "features/cambi/cambi_settings.hpp"

namespace hipvmaf::cambi {
namespace {

// Counters are updated in blocks, without a remainder; rows of counters have room for it.
constexpr int kBlock = 8;

// Longest run that is added at once, so that column numbers fit 16 bits.
constexpr int kLongestRun = 1 << 14;

enum class Change { enter, leave };

template <Change kChange, class Count>
void change_counts(Count* counts, int run, int window) {
  const int columns = run + window - 1;
  const auto top = static_cast<std::int16_t>(std::min(run, window));
  for (int begin = 0; begin < columns; begin += kBlock) {
    const auto rising = static_cast<std::int16_t>(begin + 1);
    const auto falling = static_cast<std::int16_t>(columns - begin);
    Count* block = counts + begin;
    for (int i = 0; i < kBlock; ++i) {
      const auto up = static_cast<std::int16_t>(rising + i);
      const auto down = static_cast<std::int16_t>(falling - i);
      const std::int16_t side = std::min(up, down);
      const std::int16_t height = std::max(std::min(side, top), std::int16_t{0});
      block[i] =
          static_cast<Count>(kChange == Change::enter ? block[i] + static_cast<Count>(height)
                                                      : block[i] - static_cast<Count>(height));
    }
  }
}

/// Calls use(begin, end, index) for every run of equal indices of a row, which ends with one that
/// differs from all others.
template <class Use>
void for_each_run(const std::uint16_t* indices, int width, Use&& use) {
  for (int x = 0; x < width;) {
    const int begin = x;
    const std::uint16_t index = indices[x];
    do ++x;
    while (indices[x] == index);
    if (index != kNoLevel) use(begin, x, index);
  }
}

template <class Window>
class SlidingHistograms final : public ContrastMeter {
 public:
  using Count = typename Window::Count;
  using Product = typename Window::Product;

  SlidingHistograms(int largest_width, int radius, const VisibleSteps& steps)
      : radius_(radius),
        steps_(steps),
        reciprocals_(reciprocal_table(window_side(radius) * window_side(radius) + 1)),
        step_weights_(static_cast<std::size_t>(steps.steps) + 1),
        index_stride_(largest_width + 1),
        indices_(static_cast<std::size_t>(index_stride_) * static_cast<std::size_t>(rows_kept())),
        counts_(static_cast<std::size_t>(steps.level_count) *
                static_cast<std::size_t>(count_stride(largest_width))) {
    for (int step = 0; step <= steps.steps; ++step)
      step_weights_[static_cast<std::size_t>(step)] = step_weight(step);
  }

  void measure(const PlaneView<const std::uint16_t>& levels,
               const PlaneView<const std::uint8_t>& mask, std::span<float> contrasts) override {
    if (steps_.level_count == 0) {
      std::ranges::fill(contrasts, 0.0F);
      return;
    }
    width_ = levels.width;
    stride_ = count_stride(width_);
    std::fill_n(counts_.begin(), static_cast<std::ptrdiff_t>(steps_.level_count) * stride_,
                Count{0});
    for (int y = -radius_; y < levels.height; ++y) {
      if (y + radius_ < levels.height) enter(levels, mask, y + radius_);
      if (y < 0) continue;
      if (y > radius_) change<Change::leave>(y - radius_ - 1);
      measure_row(y, contrasts.data() + static_cast<std::ptrdiff_t>(y) * width_);
    }
  }

 private:
  // Of a row of counters; columns up to `radius_` outside the picture are counted like the others.
  [[nodiscard]] int count_stride(int width) const { return width + 2 * radius_ + kBlock; }

  // Those of the window, and the one that leaves it.
  [[nodiscard]] int rows_kept() const { return window_side(radius_) + 1; }

  [[nodiscard]] std::uint16_t* index_row(int y) {
    return indices_.data() + static_cast<std::ptrdiff_t>(y % rows_kept()) * index_stride_;
  }

  /// The level's counter of column -radius_.
  [[nodiscard]] Count* count_row(int index) {
    return counts_.data() + static_cast<std::ptrdiff_t>(index) * stride_;
  }

  void enter(const PlaneView<const std::uint16_t>& levels,
             const PlaneView<const std::uint8_t>& mask, int y) {
    const std::uint16_t* level = levels.row(y);
    const std::uint8_t* counted = mask.row(y);
    std::uint16_t* index = index_row(y);
    const auto first = static_cast<std::uint16_t>(steps_.first_level);  // modulo 2^16
    const auto end = static_cast<std::uint16_t>(steps_.level_count);
    for (int x = 0; x < width_; ++x) {
      const auto i = static_cast<std::uint16_t>(level[x] - first);
      index[x] = counted[x] != 0 && i < end ? i : kNoLevel;
    }
    index[width_] = index[width_ - 1] == kNoLevel ? 0 : kNoLevel;
    change<Change::enter>(y);
  }

  template <Change kChange>
  void change(int y) {
    for_each_run(index_row(y), width_, [this](int begin, int end, int index) {
      for (; begin < end; begin += kLongestRun) {
        change_counts<kChange>(count_row(index) + begin, std::min(end - begin, kLongestRun),
                               window_side(radius_));
      }
    });
  }

  void measure_row(int y, float* contrasts) {
    std::fill_n(contrasts, width_, 0.0F);
    for_each_run(index_row(y), width_, [&](int begin, int end, int index) {
      const Count* own = count_row(index) + radius_ + begin;
      for (int step = steps_.first_step[static_cast<std::size_t>(index)]; step <= steps_.steps;
           ++step) {
        raise_contrasts(own, own + step * stride_, own - step * stride_,
                        step_weights_[static_cast<std::size_t>(step)], end - begin,
                        contrasts + begin);
      }
    });
  }

  void raise_contrasts(const Count* own, const Count* above, const Count* below, Product weight,
                       int pixels, float* contrasts) const {
    const float* reciprocals = reciprocals_.data();
    for (int x = 0; x < pixels; ++x) {
      const Product other = std::max(above[x], below[x]);
      const float raised = contrast<Product>(weight, own[x], other, reciprocals[own[x] + other]);
      contrasts[x] = std::max(contrasts[x], raised);
    }
  }

  int radius_;
  VisibleSteps steps_;
  std::vector<float> reciprocals_;
  std::vector<Product> step_weights_;  ///< By number of steps.
  int index_stride_;
  std::vector<std::uint16_t> indices_;  ///< level - first_level of the latest rows_kept() rows.
  std::vector<Count> counts_;           ///< By level and column.
  int width_ = 0;                       ///< Of the plane being measured.
  std::ptrdiff_t stride_ = 0;           ///< Of its rows of counters.
};

}  // namespace

std::vector<float> reciprocal_table(int size) {
  constexpr int kDigits = 9;
  std::vector<float> table(static_cast<std::size_t>(size), 0.0F);
  for (int i = 1; i < size; ++i) {
    table[static_cast<std::size_t>(i)] = i < kPublishedReciprocals
                                             ? *parse_whole_float(format_general(1.0 / i, kDigits))
                                             : 1.0F / static_cast<float>(i);
  }
  return table;
}

std::unique_ptr<ContrastMeter> make_contrast_meter(int largest_width, int radius,
                                                   const VisibleSteps& steps) {
  if (window_side(radius) <= UsualWindow::kLargestSide) {
    return std::make_unique<SlidingHistograms<UsualWindow>>(largest_width, radius, steps);
  }
  return std::make_unique<SlidingHistograms<LargeWindow>>(largest_width, radius, steps);
}

}  // namespace hipvmaf::cambi
