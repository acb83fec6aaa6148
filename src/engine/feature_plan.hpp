// What a session measures: the requested extractors, merged so that each distinct one runs once,
// and the columns of the score table that their features get.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <hipvmaf/log.hpp>
#include <hipvmaf/score_table.hpp>

#include "features/feature.hpp"

namespace hipvmaf {

/// An extractor with the options it runs with. Its identity is the extractor and the name suffix.
struct ExtractorInstance {
  const Descriptor* extractor = nullptr;
  OptionValues options;
  std::string suffix;
  bool needs_gpu = false;  ///< It was asked for as NAME_hip: on the GPU, or an error.

  [[nodiscard]] int reach() const {
    return extractor->reach == nullptr ? 0 : extractor->reach(options);
  }
  [[nodiscard]] PictureUse pictures() const {
    return extractor->pictures == nullptr ? PictureUse{} : extractor->pictures(options);
  }
};

enum class UnknownOptions { refuse, warn };

class FeaturePlan {
 public:
  /// Registers a request and returns the place of the instance that serves it: a new one, or one of
  /// the same identity, which then serves all its requests. Throws Error(unknown_name) for an
  /// option that the extractor lacks (if refused), Error(invalid_option) for bad values and for
  /// requests that contradict each other.
  std::size_t request(const Descriptor& extractor, const OptionTexts& texts, UnknownOptions unknown,
                      const LogCallback& log);

  /// Makes an instance run on the GPU or fail.
  void require_gpu(std::size_t instance) { instances_[instance].needs_gpu = true; }

  [[nodiscard]] const std::vector<ExtractorInstance>& instances() const { return instances_; }

  /// Earlier frames that any instance reads.
  [[nodiscard]] int reach() const;

  /// Throws Error(unsupported_format) unless every instance can measure such pictures.
  void require_format(const PictureFormat& format) const;

  /// What an instance emits, as reports name it.
  [[nodiscard]] std::vector<std::string> printed_names(std::size_t instance,
                                                       const PictureFormat& format) const;

  /// Column of each instance's features, by [instance][feature]; kNotEmitted for those that stay
  /// out.
  using Columns = std::vector<std::vector<std::ptrdiff_t>>;
  static constexpr std::ptrdiff_t kNotEmitted = -1;

  /// Adds the columns in the order of reports: by phase, then instance, then place in the
  /// extractor.
  [[nodiscard]] Columns add_columns(const PictureFormat& format, ScoreTable& scores) const;

 private:
  void require_distinct_names(const ExtractorInstance& candidate) const;

  std::vector<ExtractorInstance> instances_;
};

}  // namespace hipvmaf
