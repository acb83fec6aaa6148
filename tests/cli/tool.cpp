#include "cli/tool.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "support/clip_generator.hpp"

extern char** environ;

namespace hipvmaf::test {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> all = more;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

}  // namespace

ToolResult run_tool(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment, const std::string& input,
                    const std::string& output) {
  return RunningTool(arguments, environment, input, output).finish();
}

RunningTool::RunningTool(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment, const std::string& input,
                         const std::string& output)
    : folder_(std::make_unique<TemporaryFolder>()) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO,
                                   (output.empty() ? folder_->path("out") : output).c_str(),
                                   O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, folder_->path("err").c_str(),
                                   O_WRONLY | O_CREAT, 0600);

  std::vector<std::string> words{HIPVMAF_TOOL};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_with(environment);
  const std::vector<char*> argv = pointers_to(words);
  const std::vector<char*> envp = pointers_to(variables);
  const int failure =
      posix_spawn(&process_, HIPVMAF_TOOL, &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error("cannot start " HIPVMAF_TOOL);
}

RunningTool::~RunningTool() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void RunningTool::signal(int number) const { kill(process_, number); }

ToolResult RunningTool::finish() {
  int status = 0;
  rusage usage{};
  wait4(std::exchange(process_, -1), &status, 0, &usage);
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = read_file(folder_->path("out")),
          .err = read_file(folder_->path("err")),
          .peak_kilobytes = usage.ru_maxrss};
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "hipvmaf-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
}

ClipPaths make_clip(const TemporaryFolder& folder, const std::string& name,
                    const PictureFormat& format, int frames) {
  const ClipSpec clip{name, "texture", "blurnoise", 5, format, frames, 0};
  write_clip(clip, folder.path("."));
  return {folder.path(name + "_ref.y4m"), folder.path(name + "_dis.y4m")};
}

}  // namespace hipvmaf::test
