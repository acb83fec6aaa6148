// What the tests of the C interface share.
#pragma once

#include <filesystem>
#include <libvmaf/libvmaf.h>
#include <string>
#include <utility>
#include <vector>

#include <hipvmaf/picture.hpp>
#include <hipvmaf/session.hpp>

#include "support/clip_generator.hpp"

namespace hipvmaf::test {

/// A context that closes itself; silent unless a level is given.
class CContext {
 public:
  explicit CContext(unsigned threads = 0, unsigned subsample = 1,
                    VmafLogLevel level = VMAF_LOG_LEVEL_NONE, std::uint64_t gpumask = 0);
  CContext(const CContext&) = delete;
  CContext& operator=(const CContext&) = delete;
  ~CContext() { close(); }

  operator VmafContext*() const { return context_; }  // NOLINT: stands for it in calls

  void close();
  [[nodiscard]] int use(const char* extractor,
                        const std::vector<std::pair<const char*, const char*>>& options = {});
  /// Hands in copies of a pair.
  [[nodiscard]] int read(const PicturePair& pair, unsigned index);
  [[nodiscard]] int flush() { return vmaf_read_pictures(context_, nullptr, nullptr, 0); }

 private:
  VmafContext* context_ = nullptr;
};

/// A model that destroys itself.
class CModel {
 public:
  explicit CModel(const char* version, const char* name = nullptr, std::uint64_t flags = 0);
  CModel(const CModel&) = delete;
  CModel& operator=(const CModel&) = delete;
  ~CModel() { vmaf_model_destroy(model_); }

  operator VmafModel*() const { return model_; }  // NOLINT

 private:
  VmafModel* model_ = nullptr;
};

[[nodiscard]] VmafFeatureDictionary* dictionary(
    const std::vector<std::pair<const char*, const char*>>& options);

/// A copy in a picture of the C interface.
[[nodiscard]] VmafPicture c_picture(const Picture& picture);

[[nodiscard]] std::vector<PicturePair> frames_of(std::string_view clip, int count);

/// Writes a bootstrap collection of three members that differ a little from vmaf_v0.6.1.
void write_collection(const std::filesystem::path& path);

/// Text without the figure that depends on the machine's speed.
[[nodiscard]] std::string without_fps(std::string report);

}  // namespace hipvmaf::test
