// Per-sample arithmetic of `adm`, for host and device. Shifts of negative numbers are arithmetic,
// so they round down; a narrowing cast takes the low bits.
//
// Two fixed-point formats: scale 0 has 16-bit coefficients in 1/64 of an 8-bit grey level (Fine),
// the others 32-bit ones (Coarse).
//
// No sum leaves its type on samples of the stated depth: sums of filter taps keep bands below 22930
// at scale 0 and 1.63e9 above, and the weights of all CSF modes but Barten's keep what follows in
// range too. Barten's are too large for the format; there the wraps are part of the definition.
#pragma once

#include <bit>
#include <cstdint>

#include "features/adm/adm_geometry.hpp"
#include "gpu/host_device.hpp"

namespace hipvmaf::adm {

/// Smallest k with 2^k >= n, for n >= 1.
HIPVMAF_HD constexpr int log2_ceil(int n) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1)));
}

/// Half of 2^shift, what makes a right shift round to nearest.
HIPVMAF_HD constexpr std::int64_t half_of(int shift) {
  return shift > 0 ? std::int64_t{1} << (shift - 1) : 0;
}

// --- Wavelet: Daubechies' four taps in Q15, on samples 2n-1 .. 2n+2 for output n.

template <class Sum>
HIPVMAF_HD constexpr Sum low_pass(Sum s0, Sum s1, Sum s2, Sum s3) {
  return 15826 * s0 + 27411 * s1 + 7345 * s2 - 4240 * s3;
}
template <class Sum>
HIPVMAF_HD constexpr Sum high_pass(Sum s0, Sum s1, Sum s2, Sum s3) {
  return -4240 * s0 - 7345 * s1 + 27411 * s2 - 15826 * s3;
}

/// A picture sample around mid-grey (`middle` = 2^(bits-1)). Above the nominal depth it counts as
/// the peak, which keeps everything below in range.
HIPVMAF_HD inline std::int32_t centred(std::uint16_t sample, std::int32_t middle) {
  const std::int32_t peak = 2 * middle - 1;
  const std::int32_t value = sample;
  return (value < peak ? value : peak) - middle;
}
HIPVMAF_HD inline std::int32_t centred(std::uint8_t sample, std::int32_t /*middle*/) {
  return sample - 128;
}

// --- Decoupling.

/// Sign mask of a number: 0 or -1.
HIPVMAF_HD inline std::int32_t sign_of(std::int32_t x) { return x >> 31; }
/// x for sign 0, -x for sign -1.
HIPVMAF_HD inline std::int32_t with_sign(std::int32_t x, std::int32_t sign) {
  return (x ^ sign) - sign;
}

HIPVMAF_HD inline std::int32_t at_least_0(std::int32_t x) { return x > 0 ? x : 0; }

/// a if the condition holds, else b, without a branch: compilers make one around floating-point
/// conversions otherwise, and then do not vectorise.
HIPVMAF_HD inline std::int32_t select(bool condition, std::int32_t a, std::int32_t b) {
  return b ^ ((a ^ b) & -static_cast<std::int32_t>(condition));
}

/// 2^30 / n rounded down, for 1 <= n <= 2^15: the quotient of doubles is never rounded up to an
/// integer there.
HIPVMAF_HD inline std::int32_t reciprocal(std::int32_t n) {
  return static_cast<std::int32_t>(0x1p30 / static_cast<double>(n));
}

/// Whether the (H, V) gradients of reference and distorted differ by at most one degree, from their
/// scalar product and squared lengths: enhanced contrast rather than another edge.
template <class Sum>
HIPVMAF_HD inline bool same_direction(Sum product, Sum reference, Sum distorted) {
  constexpr double kSquaredCosine = 0x1.ffd814p-1;
  const auto dp = static_cast<double>(static_cast<float>(product));
  const auto oo = static_cast<double>(static_cast<float>(reference));
  const auto tt = static_cast<double>(static_cast<float>(distorted));
  return (product >= 0) & (dp * dp >= kSquaredCosine * oo * tt);
}

/// Lets a restored magnitude grow by the gain limit, at most to the distorted one (not negative).
HIPVMAF_HD inline std::int32_t enhanced(std::int32_t restored, std::int32_t distorted,
                                        double gain_limit) {
  const double gained = static_cast<double>(restored) * gain_limit;
  const auto limit = static_cast<double>(distorted);
  return static_cast<std::int32_t>(gained < limit ? gained : limit);
}

/// Weights, rounding and shifts of one band.
struct BandFormat {
  std::uint32_t weight = 0;  ///< Contrast sensitivity in fixed point.
  std::int32_t mask_round = 0;
  int mask_shift = 0;       ///< From weighted coefficient to masker (scale 0).
  int threshold_shift = 0;  ///< From threshold to weighted coefficient.
  int square_shift = 0;
  int value_shift = 0;  ///< Of a cubed value, before it enters the row sum.
};

/// Shifts of the reference's cubed coefficients (scales 1 to 3).
struct ReferenceFormat {
  int square_shift = 0;
  int value_shift = 0;
};

/// A weighted coefficient as signal and as masker.
struct Weighted {
  std::uint32_t magnitude = 0;  ///< As signal.
  std::int32_t neighbour = 0;   ///< What it adds to the threshold of the eight positions around it.
  std::int32_t centre = 0;      ///< What it adds to the threshold of its own position.
};

/// Arithmetic of scale 0.
struct Fine {
  using Coefficient = std::int16_t;
  using Product = std::int32_t;  ///< Holds the sum of two products of coefficients.

  /// The part of the distorted coefficient that the reference explains: the reference times a ratio
  /// in 0..1 (Q15), or more under the gain limit where the distortion is an enhancement.
  HIPVMAF_HD static std::int32_t restored(std::int32_t reference, std::int32_t distorted,
                                          bool enhancement, double gain_limit) {
    const std::int32_t sign = sign_of(reference);
    const std::int32_t magnitude = with_sign(reference, sign);
    const std::int32_t along = at_least_0(with_sign(distorted, sign));
    const std::int32_t part = along < magnitude ? along : magnitude;
    const std::int32_t quotient =
        (reciprocal(magnitude + (magnitude == 0)) * part + (1 << 14)) >> 15;
    const std::int32_t ratio = select(along > magnitude, 1 << 15, quotient);
    // The signed product is rounded half up, so a negative one rounds its half down in magnitude.
    const std::int32_t kept = (ratio * magnitude + (1 << 14) + sign) >> 15;
    const std::int32_t grown = enhanced(kept, along, gain_limit);
    return with_sign(select(enhancement, grown, kept), sign);
  }

  HIPVMAF_HD static Weighted weigh(std::int32_t coefficient, const BandFormat& format) {
    const std::int32_t product = static_cast<std::int32_t>(format.weight) * coefficient;
    const auto masker =
        static_cast<std::int16_t>((product + format.mask_round) >> format.mask_shift);
    const std::int32_t scaled = 4369 * (masker < 0 ? -masker : masker);  // 4369 / 4096 = 32 / 30
    return {static_cast<std::uint32_t>(product < 0 ? -product : product),
            static_cast<std::int16_t>((scaled + (1 << 11)) >> 12), (scaled + (1 << 10)) >> 11};
  }

  /// Cubed reference coefficient, exact.
  HIPVMAF_HD static std::uint64_t reference_value(std::int32_t coefficient,
                                                  const ReferenceFormat& /*format*/) {
    const auto m = static_cast<std::uint32_t>(with_sign(coefficient, sign_of(coefficient)));
    return std::uint64_t{m * m} * m;
  }
};

/// Arithmetic of scales 1 to 3.
struct Coarse {
  using Coefficient = std::int32_t;
  using Product = std::int64_t;

  HIPVMAF_HD static std::int32_t restored(std::int32_t reference, std::int32_t distorted,
                                          bool enhancement, double gain_limit) {
    const std::int32_t sign = sign_of(reference);
    const std::int32_t magnitude = with_sign(reference, sign);
    const std::int32_t along = at_least_0(with_sign(distorted, sign));
    // The divisor keeps its 15 leading bits.
    const int width = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(magnitude)));
    const int excess = width > 15 ? width - 15 : 0;
    const auto divisor = static_cast<std::int32_t>((magnitude + half_of(excess)) >> excess);
    const std::int64_t quotient =
        (std::int64_t{reciprocal(divisor + (divisor == 0))} * along + half_of(15 + excess)) >>
        (15 + excess);
    const std::int64_t ratio = quotient < 1 << 15 ? quotient : 1 << 15;
    const auto kept = static_cast<std::int32_t>((ratio * magnitude + (1 << 14) + sign) >> 15);
    const std::int32_t grown = enhanced(kept, along, gain_limit);
    return with_sign(select(enhancement, grown, kept), sign);
  }

  /// The rounding term of the masker's contributions is negative, so that they are -1 where nothing
  /// masks: part of the definition.
  HIPVMAF_HD static Weighted weigh(std::int32_t coefficient, const BandFormat& format) {
    constexpr std::int64_t kRound = -(std::int64_t{1} << 31);
    const auto masker = static_cast<std::int32_t>(
        (std::int64_t{format.weight} * coefficient + (std::int64_t{1} << 27)) >> 28);
    const std::int64_t magnitude = masker < 0 ? -std::int64_t{masker} : std::int64_t{masker};
    return {static_cast<std::uint32_t>(magnitude),
            static_cast<std::int32_t>((143165577 * magnitude + kRound) >> 32),   // 2^32 / 30
            static_cast<std::int32_t>((286331153 * magnitude + kRound) >> 32)};  // 2^32 / 15
  }

  /// Cubed reference coefficient, shifted after the square and after the cube. The first rounding
  /// adds a whole unit instead of a half: part of the definition.
  HIPVMAF_HD static std::uint64_t reference_value(std::int32_t coefficient,
                                                  const ReferenceFormat& format) {
    const auto m = static_cast<std::uint64_t>(
        static_cast<std::uint32_t>(with_sign(coefficient, sign_of(coefficient))));
    const std::uint64_t square =
        (m * m + (std::uint64_t{1} << format.square_shift)) >> format.square_shift;
    return (square * m + static_cast<std::uint64_t>(half_of(format.value_shift))) >>
           format.value_shift;
  }
};

// --- Masking and pooling.

/// A signal that its masking threshold has been taken from, cubed. `wraps` says that the square may
/// leave 31 bits (Barten's weights), where it turns negative.
template <bool wraps>
HIPVMAF_HD inline std::int64_t masked_value(std::uint32_t magnitude, std::int32_t threshold,
                                            const BandFormat& format) {
  const auto difference = static_cast<std::int32_t>(
      magnitude - (static_cast<std::uint32_t>(threshold) << format.threshold_shift));
  const auto signal = static_cast<std::uint32_t>(at_least_0(difference));
  const auto square = static_cast<std::uint32_t>(
      (std::uint64_t{signal} * signal + (std::uint64_t{1} << (format.square_shift - 1))) >>
      format.square_shift);
  if constexpr (wraps) {
    const std::int64_t cube =
        std::int64_t{static_cast<std::int32_t>(square)} * static_cast<std::int32_t>(signal);
    return (cube + half_of(format.value_shift)) >> format.value_shift;
  } else {
    const std::uint64_t cube = std::uint64_t{square} * signal;
    return static_cast<std::int64_t>(
        (cube + static_cast<std::uint64_t>(half_of(format.value_shift))) >> format.value_shift);
  }
}

/// Sum modulo 2^64, which only Barten's weights could reach.
HIPVMAF_HD inline std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// What the sum of a whole row adds to its band's: signals, which may wrap, and the reference.
HIPVMAF_HD inline std::int64_t shifted_row(std::int64_t row, int shift) {
  return wrapping_sum(row, half_of(shift)) >> shift;
}
HIPVMAF_HD inline std::uint64_t shifted_row(std::uint64_t row, int shift) {
  return (row + static_cast<std::uint64_t>(half_of(shift))) >> shift;
}

}  // namespace hipvmaf::adm
