// Reports: the scores of a run as XML, JSON, CSV or SUB, byte for byte in libvmaf's layout, and
// pooling.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <hipvmaf/device.hpp>
#include <hipvmaf/score_table.hpp>

namespace hipvmaf {

enum class ReportFormat { xml, json, csv, sub };

/// How numbers are printed.
struct Precision {
  enum class Kind {
    legacy,       ///< Six decimals, sixteen where six would lose a small fraction: libvmaf's rule.
    significant,  ///< C "%.<digits>g".
  };
  Kind kind = Kind::legacy;
  int digits = 6;  ///< 1..17, for `significant`.
};

/// What a report shows beside the scores.
struct ReportInfo {
  std::string version;  ///< Version string of the library.
  int width = 0;        ///< Luma size of the first picture, 0 if there was none.
  int height = 0;
  double fps = 0;  ///< Frames per second of processor time; may be infinite or NaN.
  std::int64_t picture_count = 0;
  int subsample = 1;        ///< Only frames whose index is a multiple are listed and pooled.
  bool incomplete = false;  ///< The run ended before its input did.
  /// What computed each feature, for JSON; empty: reports do not say.
  std::vector<FeatureDispatch> provenance;
};

/// Pooled scores of one column. NaN in all four if any pooled value is NaN.
struct PooledScore {
  double min = 0;
  double max = 0;
  double mean = 0;
  double harmonic_mean = 0;
};

/// Pools frames [first, end) whose index is a multiple of `subsample` (below 2: all); nothing if
/// one of them has no value or there is none.
[[nodiscard]] std::optional<PooledScore> pool(const ScoreTable& scores, std::size_t column,
                                              std::int64_t first, std::int64_t end, int subsample);

/// Whether reports of every format can hold a name: valid UTF-8, not empty, and without control
/// characters, commas and '|', which separate the cells of CSV and SUB.
[[nodiscard]] bool name_fits_reports(std::string_view name);

/// The report as text. Throws Error(invalid_argument) if a name does not fit (see above), so check
/// names where they enter. XML wants the names of scores as attribute names: characters that those
/// cannot have become '_' in this one place.
[[nodiscard]] std::string format_report(ReportFormat format, const ScoreTable& scores,
                                        const ReportInfo& info, const Precision& precision);

/// A report file that appears whole or not at all. The constructor makes a temporary file beside
/// the target, so an unwritable place is found before the work starts; commit() writes and renames
/// it; without a commit nothing is left behind. A symbolic link keeps pointing where it does, an
/// existing file keeps its permissions. Targets that are no regular files (pipes, /dev/stdout) are
/// opened at once and written directly.
class ReportFile {
 public:
  /// Throws Error(io) naming path and reason.
  explicit ReportFile(std::filesystem::path path);
  ReportFile(ReportFile&&) noexcept;
  ReportFile& operator=(ReportFile&&) noexcept;
  ~ReportFile();

  /// Call it once. Throws Error(io); the target is then as it was before (a pipe may have got a
  /// part).
  void commit(std::string_view text);

  [[nodiscard]] const std::filesystem::path& path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Format by file extension (.xml .json .csv .sub in any case), if it is one of them.
[[nodiscard]] std::optional<ReportFormat> format_of_extension(const std::filesystem::path& path);

}  // namespace hipvmaf
