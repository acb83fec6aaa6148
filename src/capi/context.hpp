// VmafContext: a session that is made when the first request comes, its scores, and the rules of
// the C interface about order and ownership.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <libvmaf/libvmaf.h>
#include <memory>
#include <optional>
#include <string_view>

#include <hipvmaf/report.hpp>
#include <hipvmaf/session.hpp>

#include "capi/picture_supply.hpp"
#include "capi/score_book.hpp"

namespace hipvmaf::capi {

/// Throws hipvmaf::Error.
class Context {
 public:
  explicit Context(const VmafConfiguration& config);

  [[nodiscard]] const LogCallback& log() const { return log_; }
  [[nodiscard]] ScoreBook& scores() { return scores_; }

  /// Computes on this GPU (-1: the first usable one). Before anything is asked for.
  void use_device(int device);

  void use(const VmafModel& model);
  void use(const VmafModelCollection& collection);
  void use_feature(std::string_view extractor, const Session::Options& options);

  void supply_pictures(const VmafPictureConfiguration& config);
  [[nodiscard]] VmafPicture fetch_picture();

  void read(VmafPicture& reference, VmafPicture& distorted, unsigned index);
  void flush();

  /// Waits for the pairs read so far.
  void settle();
  /// The same before scores are asked for where all work is to end inside the calls: a GPU's goes
  /// on behind reads.
  void settle_if_synchronous();

  /// Calls for each index from `low` to `high` that is scored. Throws Error(invalid_argument) if
  /// there is none.
  void for_each_scored(unsigned low, unsigned high,
                       const std::function<void(unsigned index)>& call) const;

  void write(const char* path, ReportFormat format);

 private:
  Session& session();
  [[nodiscard]] SessionConfig session_config() const;
  void require_asking() const;
  void require_reading() const;
  void require_index_in_order(unsigned index);
  void begin(const PictureFormat& format);

  VmafConfiguration config_;
  LogCallback log_;
  ScoreBook scores_;
  std::optional<int> device_;
  bool measures_something_ = false;
  bool waits_in_reads_ = false;
  std::atomic<bool> begun_ = false;  // the first pair has come
  std::atomic<bool> flushed_ = false;
  std::exception_ptr failure_;  // of the flush
  std::optional<PictureSupply> supply_;
  std::unique_ptr<Session> session_;  // last: its threads use the scores
};

}  // namespace hipvmaf::capi

struct VmafContext : hipvmaf::capi::Context {
  using Context::Context;
};
