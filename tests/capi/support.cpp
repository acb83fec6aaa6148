#include "capi/support.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

namespace hipvmaf::test {

CContext::CContext(unsigned threads, unsigned subsample, VmafLogLevel level,
                   std::uint64_t gpumask) {
  const VmafConfiguration config{level, threads, subsample, 0, gpumask};
  EXPECT_EQ(vmaf_init(&context_, config), 0);
}

void CContext::close() {
  if (context_ != nullptr) {
    EXPECT_EQ(vmaf_close(context_), 0);
  }
  context_ = nullptr;
}

int CContext::use(const char* extractor,
                  const std::vector<std::pair<const char*, const char*>>& options) {
  return vmaf_use_feature(context_, extractor, dictionary(options));
}

int CContext::read(const PicturePair& pair, unsigned index) {
  VmafPicture reference = c_picture(pair.reference);
  VmafPicture distorted = c_picture(pair.distorted);
  const int status = vmaf_read_pictures(context_, &reference, &distorted, index);
  // Handed over on success, still the caller's on failure.
  EXPECT_EQ(vmaf_picture_unref(&reference), status == 0 ? -EINVAL : 0);
  EXPECT_EQ(vmaf_picture_unref(&distorted), status == 0 ? -EINVAL : 0);
  return status;
}

CModel::CModel(const char* version, const char* name, std::uint64_t flags) {
  VmafModelConfig config{name, flags};
  EXPECT_EQ(vmaf_model_load(&model_, &config, version), 0);
}

VmafFeatureDictionary* dictionary(const std::vector<std::pair<const char*, const char*>>& options) {
  VmafFeatureDictionary* made = nullptr;
  for (const auto& [key, value] : options) {
    EXPECT_EQ(vmaf_feature_dictionary_set(&made, key, value), 0);
  }
  return made;
}

VmafPicture c_picture(const Picture& picture) {
  constexpr std::array kFormats{VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P,
                                VMAF_PIX_FMT_YUV444P};
  const PictureFormat& format = picture.format();
  VmafPicture made{};
  EXPECT_EQ(
      vmaf_picture_alloc(&made, kFormats.at(static_cast<std::size_t>(format.chroma)),
                         static_cast<unsigned>(format.bit_depth),
                         static_cast<unsigned>(format.width), static_cast<unsigned>(format.height)),
      0);
  for (int p = 0; p < format.plane_count(); ++p) {
    const Picture::Plane& from = picture.stored_plane(p);
    for (unsigned y = 0; y < made.h[p]; ++y) {
      std::memcpy(static_cast<std::byte*>(made.data[p]) + y * made.stride[p],
                  static_cast<const std::byte*>(from.data) + y * from.stride_bytes,
                  made.w[p] * static_cast<std::size_t>(format.bytes_per_sample()));
    }
  }
  return made;
}

std::vector<PicturePair> frames_of(std::string_view clip, int count) {
  std::vector<PicturePair> frames;
  for (int i = 0; i < count; ++i) frames.push_back(make_frame(standard_clip(clip), i));
  return frames;
}

void write_collection(const std::filesystem::path& path) {
  std::ifstream source(std::filesystem::path(HIPVMAF_MODELS) / "vmaf_v0.6.1.json");
  nlohmann::ordered_json model = nlohmann::ordered_json::parse(source);
  nlohmann::ordered_json collection;
  for (int k = 0; k <= 3; ++k) {
    nlohmann::ordered_json member = model;
    nlohmann::ordered_json& dict = member["model_dict"];
    if (k > 0) dict["model_type"] = "BOOTSTRAP_LIBSVMNUSVR";
    dict["intercepts"][0] = dict["intercepts"][0].get<double>() + 0.001 * k;
    collection[std::to_string(k)] = member;
  }
  std::ofstream(path) << collection;
}

std::string without_fps(std::string report) {
  return std::regex_replace(report, std::regex(R"re((fps"?[=:] ?"?)[^",\n]*)re"), "$010");
}

}  // namespace hipvmaf::test
