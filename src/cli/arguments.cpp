#include "cli/arguments.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <getopt.h>
#include <system_error>

#include "base/numbers.hpp"

namespace hipvmaf::cli {
namespace {

constexpr unsigned kMostThreads = 1024;

// Values of long options without a letter.
enum LongOnly : int {
  kFeature = 256,
  kXml,
  kJson,
  kCsv,
  kSub,
  kThreads,
  kSubsample,
  kGpumask,
  kFrameCount,
  kSkipReference,
  kSkipDistorted,
  kAomCtc,
  kNflxCtc,
  kHelp,
  kConvert,
  kScale,
  kStrict,
  kPrecision,
  kProvenance,
  kBackend,
  kNoHip,
  kHipDevice,
  kVerbose,
};

constexpr const char* kShortOptions = ":r:d:w:h:p:b:m:o:c:nqv";

constexpr std::array kLongOptions{
    option{"reference", required_argument, nullptr, 'r'},
    option{"distorted", required_argument, nullptr, 'd'},
    option{"width", required_argument, nullptr, 'w'},
    option{"height", required_argument, nullptr, 'h'},
    option{"pixel_format", required_argument, nullptr, 'p'},
    option{"bitdepth", required_argument, nullptr, 'b'},
    option{"model", required_argument, nullptr, 'm'},
    option{"feature", required_argument, nullptr, kFeature},
    option{"output", required_argument, nullptr, 'o'},
    option{"xml", no_argument, nullptr, kXml},
    option{"json", no_argument, nullptr, kJson},
    option{"csv", no_argument, nullptr, kCsv},
    option{"sub", no_argument, nullptr, kSub},
    option{"threads", required_argument, nullptr, kThreads},
    option{"subsample", required_argument, nullptr, kSubsample},
    option{"cpumask", required_argument, nullptr, 'c'},
    option{"gpumask", required_argument, nullptr, kGpumask},
    option{"frame_cnt", required_argument, nullptr, kFrameCount},
    option{"frame_skip_ref", required_argument, nullptr, kSkipReference},
    option{"frame_skip_dist", required_argument, nullptr, kSkipDistorted},
    option{"aom_ctc", required_argument, nullptr, kAomCtc},
    option{"nflx_ctc", required_argument, nullptr, kNflxCtc},
    option{"no_prediction", no_argument, nullptr, 'n'},
    option{"quiet", no_argument, nullptr, 'q'},
    option{"version", no_argument, nullptr, 'v'},
    option{"help", no_argument, nullptr, kHelp},
    option{"convert", required_argument, nullptr, kConvert},
    option{"scale", required_argument, nullptr, kScale},
    option{"strict", no_argument, nullptr, kStrict},
    option{"precision", required_argument, nullptr, kPrecision},
    option{"provenance", no_argument, nullptr, kProvenance},
    option{"backend", required_argument, nullptr, kBackend},
    option{"no_hip", no_argument, nullptr, kNoHip},
    option{"hip_device", required_argument, nullptr, kHipDevice},
    option{"verbose", no_argument, nullptr, kVerbose},
    option{nullptr, 0, nullptr, 0},
};

// "-w/--width", or "--threads" for an option without a letter.
std::string spelling(int value) {
  const auto at = std::ranges::find(kLongOptions, value, &option::val);
  const bool lettered = value < 256;
  return lettered ? fmt::format("-{}/--{}", static_cast<char>(value), at->name)
                  : fmt::format("--{}", at->name);
}

[[noreturn]] void refuse(int which, std::string_view text, std::string_view wanted) {
  throw UsageError(fmt::format("Invalid argument \"{}\" for option {}; should be {}", text,
                               spelling(which), wanted));
}

// As C strtoul with base 0, so that masks may be hexadecimal and -1 means all bits.
std::uint32_t parse_unsigned(int which, const char* text) {
  char* end = nullptr;
  errno = 0;
  const unsigned long value = std::strtoul(text, &end, 0);
  if (*text == '\0' || *end != '\0' || errno != 0) refuse(which, text, "an integer");
  return static_cast<std::uint32_t>(value);
}

// An unsigned that is used as a size or a count: a wrapped negative number is refused.
int parse_count(int which, const char* text) {
  const std::uint32_t value = parse_unsigned(which, text);
  if (value > INT32_MAX) refuse(which, text, "a non-negative integer");
  return static_cast<int>(value);
}

ChromaFormat parse_pixel_format(int which, std::string_view text) {
  if (text == "400") return ChromaFormat::yuv400;
  if (text == "420") return ChromaFormat::yuv420;
  if (text == "422") return ChromaFormat::yuv422;
  if (text == "444") return ChromaFormat::yuv444;
  refuse(which, text, "a valid pixel format (400/420/422/444)");
}

Precision parse_precision(int which, std::string_view text) {
  if (text == "legacy") return {};
  if (text == "max" || text == "full") return {Precision::Kind::significant, 17};
  const auto digits = parse_integer(text);
  if (!digits || *digits < 1 || *digits > 17)
    refuse(which, text, "a number of digits (1..17), max or legacy");
  return {Precision::Kind::significant, static_cast<int>(*digits)};
}

Scaler parse_scaler(int which, std::string_view text) {
  if (text == "bicubic") return Scaler::bicubic;
  if (text == "lanczos") return Scaler::lanczos;
  if (text == "bilinear") return Scaler::bilinear;
  refuse(which, text, "bicubic, lanczos or bilinear");
}

// Whether a report at `path` would replace the video `input`.
bool is_same_file(const std::string& path, const std::string& input) {
  std::error_code missing;
  return std::filesystem::is_regular_file(path, missing) &&
         std::filesystem::equivalent(path, input, missing);
}

/// Collects options one by one; finish() checks them together.
class Parser {
 public:
  void take(int which, const char* text);
  void take_word(const char* word) { words_.emplace_back(word); }
  Arguments finish() &&;

 private:
  void take_preset(Preset preset);
  bool take_raw_format(int which, const char* text);
  bool take_report_option(int which, const char* text);
  bool take_run_option(int which, const char* text);
  void assign_words();
  void resolve_raw_format();
  void resolve_outputs();

  Arguments arguments_;
  std::vector<std::string> words_;
  std::vector<std::string> output_paths_;
  std::optional<ReportFormat> format_;
  std::optional<int> width_;
  std::optional<int> height_;
  std::optional<ChromaFormat> chroma_;
  std::optional<int> bit_depth_;
};

void Parser::take_preset(Preset preset) {
  std::ranges::move(preset.models, std::back_inserter(arguments_.models));
  std::ranges::move(preset.features, std::back_inserter(arguments_.features));
  arguments_.allow_depth_difference |= preset.allow_depth_difference;
}

bool Parser::take_raw_format(int which, const char* text) {
  switch (which) {
    case 'w':
      width_ = parse_count(which, text);
      return true;
    case 'h':
      height_ = parse_count(which, text);
      return true;
    case 'p':
      chroma_ = parse_pixel_format(which, text);
      return true;
    case 'b':
      bit_depth_ = parse_count(which, text);
      if (*bit_depth_ < 8 || *bit_depth_ > 16) refuse(which, text, "a valid bitdepth (8..16)");
      return true;
    default:
      return false;
  }
}

bool Parser::take_report_option(int which, const char* text) {
  switch (which) {
    case 'o':
      output_paths_.emplace_back(text);
      return true;
    case kXml:
      format_ = ReportFormat::xml;
      return true;
    case kJson:
      format_ = ReportFormat::json;
      return true;
    case kCsv:
      format_ = ReportFormat::csv;
      return true;
    case kSub:
      format_ = ReportFormat::sub;
      return true;
    case kPrecision:
      arguments_.precision = parse_precision(which, text);
      return true;
    default:
      return false;
  }
}

bool Parser::take_run_option(int which, const char* text) {
  switch (which) {
    case kThreads: {
      const std::uint32_t threads = parse_unsigned(which, text);
      if (threads > kMostThreads)
        refuse(which, text, fmt::format("an integer from 0 to {}", kMostThreads));
      arguments_.threads = static_cast<int>(threads);
      return true;
    }
    case kSubsample:
      arguments_.subsample = std::max(1, parse_count(which, text));
      return true;
    case kFrameCount:
      arguments_.frame_count = parse_unsigned(which, text);
      return true;
    case kSkipReference:
      arguments_.skip_reference = parse_unsigned(which, text);
      return true;
    case kSkipDistorted:
      arguments_.skip_distorted = parse_unsigned(which, text);
      return true;
    case 'c':
    case kGpumask:
      parse_unsigned(
          which, text);  // accepted for libvmaf's sake: scores do not depend on the instruction set
      return true;
    case kConvert:
      if (std::string_view(text) == "reference") {
        arguments_.convert = ConvertSide::reference;
      } else if (std::string_view(text) == "distorted") {
        arguments_.convert = ConvertSide::distorted;
      } else {
        refuse(which, text,
               "reference or distorted (the input that is converted to the other's format)");
      }
      return true;
    case kScale:
      arguments_.scale = parse_scaler(which, text);
      return true;
    case kBackend:
      if (std::string_view(text) == "auto") {
        arguments_.backend = Backend::automatic;
      } else if (std::string_view(text) == "cpu") {
        arguments_.backend = Backend::cpu;
      } else if (std::string_view(text) == "hip") {
        arguments_.backend = Backend::hip;
      } else {
        refuse(which, text, "auto, cpu or hip");
      }
      return true;
    case kNoHip:
      arguments_.backend = Backend::cpu;
      return true;
    case kHipDevice:
      arguments_.device = parse_count(which, text);
      arguments_.backend = Backend::hip;
      return true;
    default:
      return false;
  }
}

void Parser::take(int which, const char* text) {
  if (take_raw_format(which, text) || take_report_option(which, text) ||
      take_run_option(which, text))
    return;
  switch (which) {
    case 'r':
      arguments_.reference = text;
      break;
    case 'd':
      arguments_.distorted = text;
      break;
    case 'm':
      arguments_.models.push_back(parse_model_request(text));
      break;
    case kFeature:
      arguments_.features.push_back(parse_feature_request(text));
      break;
    case kAomCtc:
      take_preset(aom_ctc_preset(text));
      break;
    case kNflxCtc:
      take_preset(nflx_ctc_preset(text));
      break;
    case 'n':
      arguments_.no_prediction = true;
      break;
    case 'q':
      arguments_.quiet = true;
      break;
    case kProvenance:
      arguments_.provenance = true;
      break;
    case kStrict:
      arguments_.strict = true;
      break;
    case kVerbose:
      arguments_.verbose = true;
      break;
    case 'v':
      arguments_.version = true;
      break;
    case kHelp:
      arguments_.help = true;
      break;
    default:
      throw std::logic_error("option without a meaning");
  }
}

// Two plain words are the reference and the distorted video, in the places that -r and -d left
// free.
void Parser::assign_words() {
  for (const std::string& word : words_) {
    if (arguments_.reference.empty()) {
      arguments_.reference = word;
    } else if (arguments_.distorted.empty()) {
      arguments_.distorted = word;
    } else {
      throw UsageError(fmt::format(
          "unexpected argument \"{}\": reference and distorted video are given already", word));
    }
  }
  if (arguments_.reference.empty())
    throw UsageError("Reference video (-r/--reference) is required");
  if (arguments_.distorted.empty())
    throw UsageError("Distorted video (-d/--distorted) is required");
}

void Parser::resolve_raw_format() {
  if (!width_ && !height_ && !chroma_ && !bit_depth_) return;
  std::string missing;
  const auto require = [&](bool given, int which) {
    if (!given) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", spelling(which));
  };
  require(width_.value_or(0) > 0, 'w');
  require(height_.value_or(0) > 0, 'h');
  require(chroma_.has_value(), 'p');
  require(bit_depth_.has_value(), 'b');
  if (!missing.empty()) {
    throw UsageError(fmt::format("The following options are required for .yuv input: {}", missing));
  }
  arguments_.raw_format = PictureFormat{*width_, *height_, *chroma_, *bit_depth_};
}

void Parser::resolve_outputs() {
  for (const std::string& path : output_paths_) {
    if (path.empty()) throw UsageError("option -o/--output: the path is empty");
    if (std::ranges::find(arguments_.outputs, path, &Output::path) != arguments_.outputs.end()) {
      throw UsageError(fmt::format("option -o/--output: {} is given twice", path));
    }
    for (const std::string& input : {arguments_.reference, arguments_.distorted}) {
      if (is_same_file(path, input))
        throw UsageError(fmt::format("option -o/--output: {} is an input", path));
    }
    const ReportFormat by_name = format_of_extension(path).value_or(ReportFormat::xml);
    arguments_.outputs.push_back({path, format_.value_or(by_name)});
  }
  if (arguments_.provenance && std::ranges::find(arguments_.outputs, ReportFormat::json,
                                                 &Output::format) == arguments_.outputs.end()) {
    throw UsageError("--provenance goes into a JSON report: add -o FILE.json");
  }
}

Arguments Parser::finish() && {
  if (arguments_.help || arguments_.version) return std::move(arguments_);
  assign_words();
  resolve_raw_format();
  resolve_outputs();
  std::vector<std::string_view> names;
  for (const ModelRequest& model : arguments_.models) {
    if (std::ranges::find(names, model.config.name) != names.end()) {
      throw UsageError(
          fmt::format("two models are named \"{}\"; give each its own with --model ...:name=NAME",
                      model.config.name));
    }
    names.push_back(model.config.name);
  }
  if (arguments_.models.empty() && !arguments_.no_prediction) {
    arguments_.models.push_back(parse_model_request("version=vmaf_v0.6.1"));
  }
  return std::move(arguments_);
}

// What getopt_long() stumbled over; `last` is the word that it read last. It leaves in optopt the
// letter or the value of the option, or 0 for a long one that it does not know.
[[noreturn]] void refuse_option(int failure, std::string_view last) {
  if (optopt == 0) throw UsageError(fmt::format("unknown or ambiguous option {}", last));
  const bool known = std::ranges::find(kLongOptions, optopt, &option::val) != kLongOptions.end();
  if (!known) {
    throw UsageError(fmt::format("unknown or ambiguous option -{}", static_cast<char>(optopt)));
  }
  throw UsageError(fmt::format("option {} {} argument", spelling(optopt),
                               failure == ':' ? "needs an" : "takes no"));
}

}  // namespace

Arguments parse_arguments(std::span<char* const> argv) {
  std::vector<char*> words(argv.begin(), argv.end());  // getopt reorders them
  words.push_back(nullptr);
  const int count = static_cast<int>(argv.size());
  Parser parser;
  optind = 0;  // starts anew, should this be called twice
  opterr = 0;
  while (true) {
    const int which = getopt_long(count, words.data(), kShortOptions, kLongOptions.data(), nullptr);
    if (which == -1) break;
    if (which == '?' || which == ':') {
      refuse_option(which, words[static_cast<std::size_t>(std::max(optind, 1)) - 1]);
    }
    parser.take(which, optarg);
  }
  for (int i = optind; i < count; ++i) parser.take_word(words[static_cast<std::size_t>(i)]);
  return std::move(parser).finish();
}

}  // namespace hipvmaf::cli
