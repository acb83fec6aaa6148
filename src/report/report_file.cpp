#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <hipvmaf/error.hpp>
#include <hipvmaf/report.hpp>

#include "base/numbers.hpp"

namespace hipvmaf {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as the kernel counts
constexpr int kMostNames = 1000;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw Error(ErrorCode::io, fmt::format("cannot write report {}: {}", path.string(),
                                         std::generic_category().message(error)));
}

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }
  /// 0 or an errno: some file systems report a full disk only here.
  [[nodiscard]] int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

 private:
  int fd_ = -1;
};

// The open descriptor that a path such as /dev/stdout stands for. Opening the path instead would
// start at offset 0 of a file that standard output is redirected to.
std::optional<int> named_descriptor(const fs::path& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  if (path.parent_path() != "/dev/fd" && path.parent_path() != "/proc/self/fd") return std::nullopt;
  const auto number = parse_integer(path.filename().string());
  if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*number);
}

// The file at the end of a chain of symbolic links, whether it exists or not.
fs::path follow_links(const fs::path& path) {
  fs::path target = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target;
    target = target.parent_path() / next;
  }
  fail(path, ELOOP);
}

// 0 or an errno.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

struct ReportFile::State {
  fs::path path;       // as given
  fs::path target;     // what is to be replaced
  fs::path temporary;  // empty: written directly
  FileDescriptor file;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { remove_temporary(); }

  void open();
  void open_temporary(std::optional<mode_t> mode);
  void remove_temporary() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
    temporary.clear();
  }
};

void ReportFile::State::open() {
  if (const auto fd = named_descriptor(path)) {
    file = FileDescriptor(::fcntl(*fd, F_DUPFD_CLOEXEC, 0));
    if (!file.is_open()) fail(path, errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(path, errno);
  if (exists && S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    file = FileDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.is_open()) fail(path, errno);
    return;
  }
  // A rename would replace a write-protected file without asking.
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(path, errno);
  target = follow_links(path);
  if (!target.has_filename()) fail(path, path.empty() ? ENOENT : EISDIR);
  open_temporary(exists ? std::optional(status.st_mode & mode_t{07777}) : std::nullopt);
}

// A new file gets the permissions that the process's umask leaves, which open() applies and
// mkstemp() would not.
void ReportFile::State::open_temporary(std::optional<mode_t> mode) {
  for (int i = 0; i < kMostNames; ++i) {
    const fs::path name = target.parent_path() / fmt::format(".hipvmaf-{}-{}.tmp", ::getpid(), i);
    file = FileDescriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.is_open()) {
      temporary = name;
      if (mode && ::fchmod(file.get(), *mode) != 0) fail(path, errno);
      return;
    }
    if (errno != EEXIST) break;
  }
  fail(path, errno);
}

ReportFile::ReportFile(std::filesystem::path path) : state_(std::make_unique<State>()) {
  state_->path = std::move(path);
  state_->open();
}

ReportFile::ReportFile(ReportFile&&) noexcept = default;
ReportFile& ReportFile::operator=(ReportFile&&) noexcept = default;
ReportFile::~ReportFile() = default;

void ReportFile::commit(std::string_view text) {
  State& s = *state_;
  if (!s.file.is_open()) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("report {} was written already", s.path.string()));
  }
  int error = write_all(s.file.get(), text);
  const int close_error = s.file.close();
  if (error == 0) error = close_error;
  if (error == 0 && !s.temporary.empty()) {
    if (::rename(s.temporary.c_str(), s.target.c_str()) == 0) {
      s.temporary.clear();
    } else {
      error = errno;
    }
  }
  s.remove_temporary();
  if (error != 0) fail(s.path, error);
}

const std::filesystem::path& ReportFile::path() const { return state_->path; }

}  // namespace hipvmaf
