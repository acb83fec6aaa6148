#include "features/adm/adm_wavelet.hpp"

namespace hipvmaf::adm {
namespace {

struct LowPass {
  template <class Sum>
  static Sum apply(Sum s0, Sum s1, Sum s2, Sum s3) {
    return low_pass(s0, s1, s2, s3);
  }
};
struct HighPass {
  template <class Sum>
  static Sum apply(Sum s0, Sum s1, Sum s2, Sum s3) {
    return high_pass(s0, s1, s2, s3);
  }
};

template <class Sum, class Filter, class Coefficient>
void filter_across(const Coefficient* even, const Coefficient* odd, ColumnRange outputs, int shift,
                   Coefficient* __restrict out) {
  const auto round = static_cast<Sum>(half_of(shift));
  for (int n = outputs.begin; n < outputs.end; ++n) {
    const Sum sum = Filter::apply(Sum{odd[n]}, Sum{even[n]}, Sum{odd[n + 1]}, Sum{even[n + 1]});
    out[n] = static_cast<Coefficient>((sum + round) >> shift);
  }
}

/// Columns -1, width and width + 1 of a line that begins at column -1.
template <class Coefficient>
void extend(std::vector<Coefficient>& line, int width) {
  Coefficient* columns = line.data() + 1;
  for (const int x : {-1, width, width + 1}) columns[x] = columns[mirrored(x, width)];
}

}  // namespace

template <class Input>
RowTransform<Input>::RowTransform(int input_width, WaveletShifts shifts)
    : width_(input_width),
      shifts_(shifts),
      low_(static_cast<std::size_t>(input_width) + 3),
      high_(low_.size()),
      even_(low_.size() / 2 + 1),
      odd_(low_.size() / 2 + 1) {}

template <class Input>
void RowTransform<Input>::filter_down(const std::array<const Input*, 4>& rows, bool with_detail) {
  const auto round = static_cast<Sum>(half_of(shifts_.vertical));
  const auto load = [&](std::size_t row, int x) -> Sum {
    if constexpr (kPicture) {
      return static_cast<std::int16_t>(centred(rows[row][x], round));  // mid-grey is the half
    } else {
      return rows[row][x];
    }
  };
  const auto filter = [&]<class Filter>(Filter, Coefficient* __restrict out) {
    for (int x = 0; x < width_; ++x) {
      const Sum sum = Filter::apply(load(0, x), load(1, x), load(2, x), load(3, x));
      out[x] = static_cast<Coefficient>((sum + round) >> shifts_.vertical);
    }
  };
  filter(LowPass{}, low_.data() + 1);
  extend(low_, width_);
  if (!with_detail) return;
  filter(HighPass{}, high_.data() + 1);
  extend(high_, width_);
}

template <class Input>
void RowTransform<Input>::split(std::vector<Coefficient>& line, ColumnRange outputs) {
  Coefficient* __restrict even = even_.data();
  Coefficient* __restrict odd = odd_.data();
  const Coefficient* columns = line.data();
  for (int n = outputs.begin; n <= outputs.end; ++n) {
    odd[n] = columns[2 * n];
    even[n] = columns[2 * n + 1];
  }
}

template <class Input>
void RowTransform<Input>::run(const std::array<const Input*, 4>& rows, ColumnRange detail,
                              const BandRow<Coefficient>& bands) {
  const bool with_detail = detail.begin < detail.end;
  const ColumnRange all{0, (width_ + 1) / 2};
  const auto across = [&]<class Filter>(Filter, ColumnRange outputs, Coefficient* out) {
    filter_across<Sum, Filter>(even_.data(), odd_.data(), outputs, shifts_.horizontal, out);
  };
  filter_down(rows, with_detail);
  split(low_, all);
  across(LowPass{}, all, bands.a);
  if (!with_detail) return;
  across(HighPass{}, detail, bands.detail[1]);
  split(high_, detail);
  across(LowPass{}, detail, bands.detail[0]);
  across(HighPass{}, detail, bands.detail[2]);
}

template class RowTransform<std::uint8_t>;
template class RowTransform<std::uint16_t>;
template class RowTransform<std::int16_t>;
template class RowTransform<std::int32_t>;

}  // namespace hipvmaf::adm
