// hipvmaf_refit: makes a built-in model from a published one.
//
// The regression of the published model is sampled over the space of its normalised inputs, and a
// new expansion with the same kernel is fitted to the samples. Its centres are points of a
// low-discrepancy sequence; nothing of the published support vectors is taken over.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <hipvmaf/error.hpp>

#include "expansion.hpp"
#include "model/svr.hpp"

namespace hipvmaf::refit {
namespace {

using nlohmann::ordered_json;

// The box in which a refit has to be as good as it can be.
constexpr double kCoreLow = -0.1;
constexpr double kCoreHigh = 1.15;
// Elsewhere in the reachable box the residual may be this many times larger. Scores there are
// mostly clipped.
constexpr double kReachableTolerance = 20;

constexpr std::size_t kMeasuredPoints = 2'000'000;
constexpr std::uint64_t kMeasureSeed = 20'000;  // far from those of the fit

// Values that the features take on videos, from unrecognisable ones to sharpened ones.
struct FeatureRange {
  std::string_view part_of_name;
  double low;
  double high;
};
constexpr std::array<FeatureRange, 7> kReachable{{{"adm2", 0, 1.1},
                                                  {"motion2", 0, 40},
                                                  {"vif_scale", 0, 1.3},
                                                  {"cambi", 0, 17},
                                                  {"speed_chroma", 0, 60},
                                                  {"adm3", 0.5, 1.05},
                                                  {"motion3", 0, 18}}};

Box core_box(std::size_t dimensions) {
  return {std::vector(dimensions, kCoreLow), std::vector(dimensions, kCoreHigh)};
}

Box reachable_box(const ordered_json& model) {
  const ordered_json& names = model.at("feature_names");
  Box box = core_box(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto name = names[i].get<std::string>();
    const auto* range = std::ranges::find_if(kReachable, [&](const FeatureRange& r) {
      return name.find(r.part_of_name) != std::string::npos;
    });
    if (range == kReachable.end()) {
      throw Error(ErrorCode::bad_model, fmt::format("the range of {} is not known", name));
    }
    const double slope = model.at("slopes").at(i + 1);
    const double intercept = model.at("intercepts").at(i + 1);
    box.low[i] = std::min(box.low[i], slope * range->low + intercept);
    box.high[i] = std::max(box.high[i], slope * range->high + intercept);
  }
  return box;
}

// fmt writes the shortest digits that read back as the same number.
std::string libsvm_text(const Svr& svr) {
  std::string text = fmt::format(
      "svm_type nu_svr\nkernel_type rbf\ngamma {}\nnr_class 2\ntotal_sv {}\nrho {}\nSV\n",
      svr.gamma, svr.coefficients.size(), svr.rho);
  for (std::size_t k = 0; k < svr.coefficients.size(); ++k) {
    text += fmt::format("{}", svr.coefficients[k]);
    for (std::size_t j = 0; j < svr.inputs; ++j) {
      text += fmt::format(" {}:{}", j + 1, svr.vectors[k * svr.inputs + j]);
    }
    text += '\n';
  }
  return text;
}

ordered_json intervals(const Box& box) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < box.dimensions(); ++i) list.push_back({box.low[i], box.high[i]});
  return list;
}

ordered_json refit(const ordered_json& published, std::string_view name,
                   const FitSettings& settings) {
  const ordered_json& model = published.at("model_dict");
  const std::size_t inputs = model.at("feature_names").size();
  const Svr target = parse_svr(model.at("model").get<std::string>(), inputs, name);
  if (target.kernel != Svr::Kernel::rbf) {
    throw Error(ErrorCode::bad_model, "only models with an rbf kernel can be refitted");
  }
  const Box core = core_box(inputs);
  const Box reachable = reachable_box(model);
  const std::array regions{Region{core, 1}, Region{reachable, kReachableTolerance}};
  const Svr fitted = fit_expansion(target, reachable, regions, settings);

  // Measured on what a reader of the file will get.
  const std::string text = libsvm_text(fitted);
  const Svr written = parse_svr(text, inputs, name);
  const double points_per_unit = 1 / std::abs(model.at("slopes").at(0).get<double>());
  const auto deviation = [&](const Box& box) {
    return points_per_unit *
           largest_difference(target, written, box, kMeasuredPoints, kMeasureSeed);
  };
  const auto [least, most] = std::ranges::minmax(fitted.coefficients);

  ordered_json result;
  result["refit"] = {{"of", name},
                     {"box", {kCoreLow, kCoreHigh}},
                     {"max_deviation", deviation(core)},
                     {"reachable_box", intervals(reachable)},
                     {"max_deviation_in_reachable_box", deviation(reachable)},
                     {"coefficients", {least, most}}};
  ordered_json& dict = result["model_dict"] = model;
  dict.erase("feature_dict");
  dict["model"] = text;
  return result;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Fits a new radial-basis expansion to the regression of a published VMAF model and writes it "
      "as a model file,\nwith the largest deviation from the published scores (before transform "
      "and clip) that was measured.\nExample: hipvmaf_refit published/vmaf_v0.6.1.json "
      "models/vmaf_v0.6.1.json");
  std::string input;
  std::string output;
  FitSettings settings;
  app.add_option("input", input, "Published model file (JSON, single model)")->required();
  app.add_option("output", output, "Model file to write")->required();
  app.add_option("--centres", settings.centres, "Number of centres")->capture_default_str();
  app.add_option("--samples", settings.samples, "Samples in each of the two boxes")
      ->capture_default_str();
  app.add_option("--sweeps", settings.sweeps, "Reweightings towards the smallest maximum")
      ->capture_default_str();
  app.add_option("--spread", settings.spread, "Size of the box of centres")->capture_default_str();
  app.add_option("--seed", settings.seed, "Seed of the samples")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::ifstream file(input);
  if (!file) throw std::runtime_error("cannot open " + input);
  const auto published = nlohmann::ordered_json::parse(file);
  const std::string name = std::filesystem::path(input).stem().string();
  const auto result = refit(published, name, settings);
  fmt::print("{}\n", result.at("refit").dump(2));
  std::ofstream out(output);
  if (!(out << result.dump(1) << '\n').flush()) throw std::runtime_error("cannot write " + output);
  return 0;
}

}  // namespace
}  // namespace hipvmaf::refit

int main(int argc, char** argv) {
  try {
    return hipvmaf::refit::run(argc, argv);
  } catch (const std::exception& error) {
    std::fputs("hipvmaf_refit: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return 1;
  }
}
