#include "features/cambi/cambi_settings.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>

#include <hipvmaf/error.hpp>

#include "features/cambi/cambi.hpp"

namespace hipvmaf::cambi {
namespace {

// Pictures with both sides below it are too small to be measured.
constexpr int kSmallestLongSide = 216;

std::int64_t pixels(int width, int height) { return std::int64_t{width} * height; }

bool is_large_enough_for_speedup(int option, Size size) {
  const std::int64_t have = pixels(size.width, size.height);
  switch (option) {
    case 1080:
      return have >= pixels(1920, 1080);
    case 1440:
      return have >= pixels(2560, 1440);
    case 2160:
      return have >= pixels(3840, 2160);
    default:
      return false;
  }
}

int window_radius(int window_size, Size size, bool halved) {
  int side = (window_size * (size.width + size.height) / 375) >> 4;
  if (halved) side = (side + 1) >> 1;
  return (side | 1) >> 1;
}

// Sizes are given in pairs: one side alone counts for nothing.
Size given_or(int width, int height, Size otherwise) {
  return width == 0 || height == 0 ? otherwise : Size{width, height};
}

Eotf eotf_of(const std::string& name) { return name == "pq" ? Eotf::pq : Eotf::bt1886; }

std::string describe(Size size) { return fmt::format("{}x{}", size.width, size.height); }

void require_large_enough(Size size, std::string_view what) {
  if (size.width >= kSmallestLongSide || size.height >= kSmallestLongSide) return;
  throw Error(ErrorCode::unsupported_format,
              fmt::format("extractor cambi needs a width or height of at least {}, the {} video is "
                          "measured at {}",
                          kSmallestLongSide, what, describe(size)));
}

}  // namespace

Settings effective_settings(const OptionValues& options, const PictureFormat& format) {
  const Size picture{format.width, format.height};
  Settings settings;
  settings.distorted.size =
      given_or(options.integer("enc_width"), options.integer("enc_height"), picture);
  settings.reference.size =
      given_or(options.integer("src_width"), options.integer("src_height"), picture);
  // An encode is never larger than what is shown of it.
  if (settings.distorted.size.width > picture.width ||
      settings.distorted.size.height > picture.height) {
    settings.distorted.size = picture;
  }
  const int coded_bits = options.integer("enc_bitdepth");
  settings.smooths_dither = (coded_bits == 0 ? format.bit_depth : coded_bits) < 10;
  settings.starts_at_half_size = is_large_enough_for_speedup(
      options.integer("cambi_high_res_speedup"), settings.distorted.size);
  for (Analysis* analysis : {&settings.distorted, &settings.reference}) {
    analysis->radius =
        window_radius(options.integer("window_size"), analysis->size, settings.starts_at_half_size);
  }
  settings.steps = 1 << options.integer("max_log_contrast");
  settings.pooled_share =
      options.real("topk") != kUsualShare ? options.real("topk") : options.real("cambi_topk");
  const auto& cambi_eotf = options.get<std::string>("cambi_eotf");
  settings.eotf = eotf_of(cambi_eotf != kUsualEotf ? cambi_eotf : options.get<std::string>("eotf"));
  settings.visibility_threshold = options.real("tvi_threshold");
  settings.luminance_threshold = options.real("cambi_vis_lum_threshold");
  return settings;
}

Size size_at_scale(Size analysed, bool starts_at_half_size, int scale) {
  Size size = analysed;
  for (int halvings = scale + (starts_at_half_size ? 1 : 0); halvings > 0; --halvings) {
    size = {(size.width + 1) / 2, (size.height + 1) / 2};
  }
  return size;
}

std::size_t pooled_count(double share, Size size) {
  const std::int64_t all = pixels(size.width, size.height);
  const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(all));
  return static_cast<std::size_t>(std::clamp<std::int64_t>(wanted, 1, all));
}

void check_options(const OptionValues& options) {
  for (const char* name : {"eotf", "cambi_eotf"}) {
    const auto& text = options.get<std::string>(name);
    if (text == "bt1886" || text == "pq") continue;
    throw Error(
        ErrorCode::invalid_option,
        fmt::format("option {} of extractor cambi: \"{}\" is not bt1886 or pq", name, text));
  }
}

void check_format(const OptionValues& options, const PictureFormat& format) {
  const Settings settings = effective_settings(options, format);
  const Size distorted = settings.distorted.size;
  const Size reference = settings.reference.size;
  require_large_enough(distorted, "distorted");
  require_large_enough(reference, "reference");
  const bool crossed = (reference.width > distorted.width && reference.height < distorted.height) ||
                       (reference.width < distorted.width && reference.height > distorted.height);
  if (crossed) {
    throw Error(ErrorCode::unsupported_format,
                fmt::format("extractor cambi measures the distorted video at {} and the reference "
                            "at {}: one has to be at least as wide and as high as the other; "
                            "change enc_width, enc_height, src_width or src_height",
                            describe(distorted), describe(reference)));
  }
}

}  // namespace hipvmaf::cambi
