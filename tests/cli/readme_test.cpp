// The commands of the README, run as they stand there.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "cli/tool.hpp"

namespace hipvmaf::test {
namespace {

constexpr std::string_view kTool = "build/release/bin/hipvmaf ";

/// Lines of the shell blocks of a page that run the tool.
std::vector<std::string> tool_commands(const std::string& page) {
  std::istringstream lines(page);
  std::vector<std::string> commands;
  bool in_shell = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_shell = line == "```sh";
    } else if (in_shell && line.find(kTool) != std::string::npos) {
      commands.push_back(line);
    }
  }
  return commands;
}

void run_in(const TemporaryFolder& folder, const std::string& command) {
  const std::string script = "cd '" + folder.path(".") + "' && { " + command + "; } >log 2>&1";
  EXPECT_EQ(std::system(script.c_str()), 0) << command << "\n" << read_file(folder.path("log"));
}

TEST(Readme, CommandsRun) {
  const std::vector<std::string> commands =
      tool_commands(read_file(HIPVMAF_TEST_DATA "/../README.md"));
  ASSERT_GE(commands.size(), 4U);

  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("build/release/bin"));
  std::filesystem::create_symlink(HIPVMAF_TOOL, folder.path("build/release/bin/hipvmaf"));
  make_clip(folder, "clip", {1920, 1080, ChromaFormat::yuv420, 8}, 1);
  for (const std::string role : {"reference", "distorted"}) {
    std::filesystem::rename(folder.path("clip_" + role.substr(0, 3) + ".y4m"),
                            folder.path(role + ".y4m"));
    const std::string ffmpeg = "ffmpeg -nostdin -loglevel error -i " + role + ".y4m ";
    run_in(folder, ffmpeg + role + ".yuv");
    run_in(folder, ffmpeg + "-c:v mpeg4 -q:v 2 " + role + ".mp4");
    run_in(folder, ffmpeg + "-c:v mpeg4 -q:v 2 " + role + ".mkv");
  }
  std::filesystem::copy(folder.path("reference.mp4"), folder.path("master.mov"));
  for (const std::string& command : commands) run_in(folder, command);
}

}  // namespace
}  // namespace hipvmaf::test
