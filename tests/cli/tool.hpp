// Runs the command line tool as its users do.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <hipvmaf/picture.hpp>

namespace hipvmaf::test {

struct ToolResult {
  int status = -1;  ///< Exit status; 128 + signal if a signal ended it.
  std::string out;
  std::string err;
  long peak_kilobytes = 0;  ///< Largest resident size.
};

/// A folder that is empty at first and removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  std::filesystem::path folder_;
};

/// Runs hipvmaf with these arguments. `environment` holds NAME=VALUE entries on top of the current
/// ones, `input` a file for standard input, `output` one for standard output instead of the result.
ToolResult run_tool(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {},
                    const std::string& input = "/dev/null", const std::string& output = "");

/// A run of hipvmaf in the background.
class RunningTool {
 public:
  explicit RunningTool(const std::vector<std::string>& arguments,
                       const std::vector<std::string>& environment = {},
                       const std::string& input = "/dev/null", const std::string& output = "");
  ~RunningTool();
  RunningTool(const RunningTool&) = delete;
  RunningTool& operator=(const RunningTool&) = delete;

  void signal(int number) const;
  /// Waits for its end.
  ToolResult finish();

 private:
  std::unique_ptr<TemporaryFolder> folder_;  // of its output
  int process_ = -1;
};

std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view content);

/// Writes NAME_ref.y4m and NAME_dis.y4m of a clip that is like a standard one but for size and
/// length.
struct ClipPaths {
  std::string reference;
  std::string distorted;
};
ClipPaths make_clip(const TemporaryFolder& folder, const std::string& name,
                    const PictureFormat& format, int frames);

}  // namespace hipvmaf::test
