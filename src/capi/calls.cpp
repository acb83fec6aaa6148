// The calls of libvmaf.h.
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "capi/border.hpp"
#include "capi/context.hpp"
#include "capi/dictionary.hpp"
#include "capi/log.hpp"
#include "capi/model.hpp"

using namespace hipvmaf;
using capi::guarded;

namespace {

double pooled_by(unsigned method, const PooledScore& pooled) {
  switch (method) {
    case VMAF_POOL_METHOD_MIN:
      return pooled.min;
    case VMAF_POOL_METHOD_MAX:
      return pooled.max;
    case VMAF_POOL_METHOD_MEAN:
      return pooled.mean;
    case VMAF_POOL_METHOD_HARMONIC_MEAN:
      return pooled.harmonic_mean;
    default:
      throw Error(ErrorCode::invalid_argument, "unknown pooling method");
  }
}

/// Figures per frame, as columns of a table without gaps.
template <std::size_t kFigures>
std::array<double, kFigures> pooled(
    VmafContext& vmaf, const VmafPoolingMethod& method, unsigned low, unsigned high,
    const std::function<std::array<double, kFigures>(unsigned index)>& figures_at) {
  if (low > high) throw Error(ErrorCode::invalid_argument, "the range of indices is empty");
  static_cast<void>(pooled_by(capi::number_of(method), {}));
  vmaf.settle();
  ScoreTable table;
  for (std::size_t i = 0; i < kFigures; ++i) table.add_column(std::to_string(i), "");
  std::int64_t count = 0;
  vmaf.for_each_scored(low, high, [&](unsigned index) {
    const std::array<double, kFigures> figures = figures_at(index);
    for (std::size_t i = 0; i < kFigures; ++i) table.set(i, count, figures[i]);
    ++count;
  });
  std::array<double, kFigures> result{};
  for (std::size_t i = 0; i < kFigures; ++i) {
    result[i] = pooled_by(capi::number_of(method), pool(table, i, 0, count, 1).value());
  }
  return result;
}

void fill(VmafModelCollectionScore& score, double bagging, double stddev, double low, double high) {
  score = {};
  score.type = VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP;
  score.bootstrap.bagging_score = bagging;
  score.bootstrap.stddev = stddev;
  score.bootstrap.ci.p95.lo = low;
  score.bootstrap.ci.p95.hi = high;
}

ReportFormat format_of(const VmafOutputFormat& format) {
  switch (capi::number_of(format)) {
    case VMAF_OUTPUT_FORMAT_XML:
      return ReportFormat::xml;
    case VMAF_OUTPUT_FORMAT_JSON:
      return ReportFormat::json;
    case VMAF_OUTPUT_FORMAT_CSV:
      return ReportFormat::csv;
    case VMAF_OUTPUT_FORMAT_SUB:
      return ReportFormat::sub;
    default:
      throw Error(ErrorCode::invalid_argument, "unknown format of a report");
  }
}

}  // namespace

int vmaf_init(VmafContext** vmaf, VmafConfiguration cfg) {
  if (vmaf == nullptr) return -EINVAL;
  return guarded(capi::log_at(cfg.log_level), [&] {
    *vmaf = new VmafContext(cfg);
    capi::set_level_without_context(cfg.log_level);
  });
}

int vmaf_close(VmafContext* vmaf) {
  if (vmaf == nullptr) return -EINVAL;
  delete vmaf;
  return 0;
}

int vmaf_use_features_from_model(VmafContext* vmaf, VmafModel* model) {
  if (vmaf == nullptr || model == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] { vmaf->use(*model); });
}

int vmaf_use_features_from_model_collection(VmafContext* vmaf,
                                            VmafModelCollection* model_collection) {
  if (vmaf == nullptr || model_collection == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] { vmaf->use(*model_collection); });
}

int vmaf_use_feature(VmafContext* vmaf, const char* feature_name,
                     VmafFeatureDictionary* opts_dict) {
  if (vmaf == nullptr || feature_name == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] {
    try {
      vmaf->use_feature(feature_name, capi::options_of(opts_dict));
      delete opts_dict;
    } catch (const Error& error) {
      // A refused option takes the dictionary with it, an unknown extractor does not.
      if (error.code() == ErrorCode::invalid_option) delete opts_dict;
      throw;
    }
  });
}

int vmaf_import_feature_score(VmafContext* vmaf, const char* feature_name, double value,
                              unsigned index) {
  if (vmaf == nullptr || feature_name == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] { vmaf->scores().import(feature_name, value, index); });
}

int vmaf_preallocate_pictures(VmafContext* vmaf, VmafPictureConfiguration cfg) {
  if (vmaf == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] { vmaf->supply_pictures(cfg); });
}

int vmaf_fetch_preallocated_picture(VmafContext* vmaf, VmafPicture* pic) {
  if (vmaf == nullptr || pic == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] { *pic = vmaf->fetch_picture(); });
}

int vmaf_read_pictures(VmafContext* vmaf, VmafPicture* ref, VmafPicture* dist, unsigned index) {
  if (vmaf == nullptr || (ref == nullptr) != (dist == nullptr)) return -EINVAL;
  return guarded(vmaf->log(), [&] {
    if (ref == nullptr) {
      vmaf->flush();
    } else {
      vmaf->read(*ref, *dist, index);
    }
  });
}

int vmaf_score_at_index(VmafContext* vmaf, VmafModel* model, double* score, unsigned index) {
  if (vmaf == nullptr || model == nullptr || score == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] {
    vmaf->settle_if_synchronous();
    *score = vmaf->scores().score(capi::scored(*model), index);
  });
}

int vmaf_score_at_index_model_collection(VmafContext* vmaf, VmafModelCollection* model_collection,
                                         VmafModelCollectionScore* score, unsigned index) {
  if (vmaf == nullptr || model_collection == nullptr || score == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] {
    vmaf->settle_if_synchronous();
    const BootstrapScores at = vmaf->scores().score(capi::scored(*model_collection), index);
    fill(*score, at.bagging, at.stddev, at.ci_p95_lo, at.ci_p95_hi);
  });
}

int vmaf_feature_score_at_index(VmafContext* vmaf, const char* feature_name, double* score,
                                unsigned index) {
  if (vmaf == nullptr || feature_name == nullptr || score == nullptr) return -EINVAL;
  std::optional<double> found;
  const int status = guarded(vmaf->log(), [&] {
    vmaf->settle_if_synchronous();
    found = vmaf->scores().find(feature_name, index);
  });
  if (status != 0 || !found) return status != 0 ? status : -EINVAL;
  *score = *found;
  return 0;
}

int vmaf_score_pooled(VmafContext* vmaf, VmafModel* model, enum VmafPoolingMethod pool_method,
                      double* score, unsigned index_low, unsigned index_high) {
  if (vmaf == nullptr || model == nullptr || score == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] {
    const capi::ScoredModel scored = capi::scored(*model);
    *score = pooled<1>(*vmaf, pool_method, index_low, index_high, [&](unsigned index) {
      return std::array{vmaf->scores().score(scored, index)};
    })[0];
  });
}

int vmaf_score_pooled_model_collection(VmafContext* vmaf, VmafModelCollection* model_collection,
                                       enum VmafPoolingMethod pool_method,
                                       VmafModelCollectionScore* score, unsigned index_low,
                                       unsigned index_high) {
  if (vmaf == nullptr || model_collection == nullptr || score == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] {
    const capi::ScoredCollection scored = capi::scored(*model_collection);
    const auto figures = pooled<4>(*vmaf, pool_method, index_low, index_high, [&](unsigned index) {
      const BootstrapScores at = vmaf->scores().score(scored, index);
      return std::array{at.bagging, at.stddev, at.ci_p95_lo, at.ci_p95_hi};
    });
    fill(*score, figures[0], figures[1], figures[2], figures[3]);
  });
}

int vmaf_feature_score_pooled(VmafContext* vmaf, const char* feature_name,
                              enum VmafPoolingMethod pool_method, double* score, unsigned index_low,
                              unsigned index_high) {
  if (vmaf == nullptr || feature_name == nullptr || score == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] {
    *score = pooled<1>(*vmaf, pool_method, index_low, index_high, [&](unsigned index) {
      if (const auto found = vmaf->scores().find(feature_name, index)) return std::array{*found};
      throw Error(ErrorCode::invalid_argument, "no feature '" + std::string(feature_name) +
                                                   "' at index " + std::to_string(index));
    })[0];
  });
}

int vmaf_write_output(VmafContext* vmaf, const char* output_path, enum VmafOutputFormat fmt) {
  if (vmaf == nullptr || output_path == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] { vmaf->write(output_path, format_of(fmt)); });
}

const char* vmaf_version() {
  static const std::string text(version());
  return text.c_str();
}

int vmaf_register_metadata_handler(VmafContext* vmaf, VmafMetadataConfiguration cfg) {
  if (vmaf == nullptr || cfg.feature_name == nullptr || cfg.callback == nullptr) return -EINVAL;
  return guarded(vmaf->log(), [&] { vmaf->scores().add_handler(cfg); });
}
