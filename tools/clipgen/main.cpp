// hipvmaf_clipgen: writes a synthetic clip as a pair of YUV4MPEG2 files.
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <map>
#include <string>

#include "clipgen/clip_generator.hpp"

namespace {

using hipvmaf::ChromaFormat;
using hipvmaf::test::ClipSpec;

const std::map<std::string, ChromaFormat> kChromaFormats = {{"400", ChromaFormat::yuv400},
                                                            {"420", ChromaFormat::yuv420},
                                                            {"422", ChromaFormat::yuv422},
                                                            {"444", ChromaFormat::yuv444}};

/// "352x288" into the format; the text of the error otherwise.
std::string parse_size(const std::string& text, hipvmaf::PictureFormat& format) {
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, format.width);
  if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, format.height);
    if (height.ec == std::errc{} && height.ptr == end) return {};
  }
  return fmt::format("\"{}\" is no size such as 352x288", text);
}

int run(int argc, char** argv) {
  CLI::App app{
      "Writes NAME_ref.y4m and NAME_dis.y4m. Without --content, NAME is one of the standard "
      "clips."};
  ClipSpec clip;
  clip.distortion = "none";
  clip.frames = 10;
  std::string folder;
  app.add_option("NAME", clip.name, "Name of the clip")->required();
  app.add_option("OUTDIR", folder, "Existing folder")->required()->check(CLI::ExistingDirectory);

  auto* content =
      app.add_option("--content", clip.content, "texture, gradient, noise, flat or dark");
  const auto custom = [&](CLI::Option* option) { return option->needs(content); };
  custom(app.add_option("--distortion", clip.distortion,
                        "none, quant, blur, blurnoise, noise, sharpen, block or bands")
             ->capture_default_str());
  custom(app.add_option("--seed", clip.seed, "Seed of texture and noise")->capture_default_str());
  auto* size = custom(app.add_option_function<std::string>(
      "--size",
      [&](const std::string& text) {
        const std::string problem = parse_size(text, clip.format);
        if (!problem.empty()) throw CLI::ValidationError("--size", problem);
      },
      "Luma size, WIDTHxHEIGHT"));
  content->needs(size);
  std::string chroma = "420";
  custom(app.add_option("--chroma", chroma, "400, 420, 422 or 444")
             ->check(CLI::IsMember(kChromaFormats))
             ->capture_default_str());
  custom(app.add_option("--bits", clip.format.bit_depth, "Bits per sample")
             ->check(CLI::Range(8, 16))
             ->capture_default_str());
  custom(app.add_option("--frames", clip.frames, "Number of frames")
             ->check(CLI::PositiveNumber)
             ->capture_default_str());
  custom(app.add_option("--cut", clip.cut, "Frame at which the scene changes; 0: never")
             ->check(CLI::NonNegativeNumber)
             ->capture_default_str());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  clip.format.chroma = kChromaFormats.at(chroma);
  write_clip(content->count() > 0 ? clip : hipvmaf::test::standard_clip(clip.name), folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hipvmaf_clipgen: %s\n", error.what());
    return 1;
  }
}
