// The command line: libvmaf's options, with GNU conventions (abbreviations, bundles, any order),
// and a few more.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hipvmaf/device.hpp>
#include <hipvmaf/picture.hpp>
#include <hipvmaf/report.hpp>

#include "cli/requests.hpp"
#include "media/pair_reader.hpp"

namespace hipvmaf::cli {

struct Output {
  std::string path;
  ReportFormat format = ReportFormat::xml;
};

struct Arguments {
  bool help = false;
  bool version = false;

  std::string reference;
  std::string distorted;
  std::optional<PictureFormat> raw_format;
  std::vector<ModelRequest> models;
  std::vector<FeatureRequest> features;
  bool no_prediction = false;
  bool allow_depth_difference = false;
  ConvertSide convert = ConvertSide::none;
  Scaler scale = Scaler::none;

  std::vector<Output> outputs;
  Precision precision;
  bool provenance = false;

  int threads = 0;
  int subsample = 1;
  std::int64_t frame_count = 0;  ///< 0: no limit.
  std::int64_t skip_reference = 0;
  std::int64_t skip_distorted = 0;
  bool strict = false;
  Backend backend = Backend::automatic;
  int device = -1;  ///< -1: the first usable one.

  bool quiet = false;
  bool verbose = false;
};

/// Throws UsageError (cli/requests.hpp).
[[nodiscard]] Arguments parse_arguments(std::span<char* const> argv);

[[nodiscard]] std::string usage_text();

}  // namespace hipvmaf::cli
