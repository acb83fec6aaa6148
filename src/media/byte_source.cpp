#include "media/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <hipvmaf/error.hpp>

namespace hipvmaf {
namespace {

static_assert(sizeof(off_t) == 8, "files beyond 4 GiB need 64-bit offsets");

// Large enough for cheap small reads, small enough that what a plane leaves in it costs no time to
// copy.
constexpr std::size_t kBufferBytes = std::size_t{64} * 1024;

std::string reason(int error) { return std::generic_category().message(error); }

class FileDescriptor {
 public:
  FileDescriptor(int fd, bool owned) : fd_(fd), owned_(owned) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (owned_ && fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
  bool owned_;
};

int open_for_reading(const std::string& path) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);  // NOLINT: POSIX declares it variadic
  } while (fd < 0 && errno == EINTR);
  return fd;
}

class FileSource final : public ByteSource {
 public:
  FileSource(const std::string& path, std::function<bool()> stops_waiting)
      : ByteSource(path),
        file_(path == "-" ? STDIN_FILENO : open_for_reading(path), path != "-"),
        stops_waiting_(std::move(stops_waiting)) {
    struct stat status {};
    if (file_.get() < 0 || ::fstat(file_.get(), &status) != 0) {
      throw Error(ErrorCode::io,
                  fmt::format("could not open file: {} ({})", label(), reason(errno)));
    }
    if (S_ISDIR(status.st_mode)) {
      throw Error(ErrorCode::io,
                  fmt::format("could not open file: {} (it is a directory)", label()));
    }
    // Standard input may be a file that someone else has read a part of.
    const off_t start = S_ISREG(status.st_mode) ? ::lseek(file_.get(), 0, SEEK_CUR) : -1;
    if (start >= 0) size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - start, 0));
  }

  [[nodiscard]] std::optional<std::uint64_t> size() const override { return size_; }

 protected:
  std::size_t read_some(std::span<std::byte> to) override {
    if (!size_ && stops_waiting_) wait();
    ssize_t got = -1;
    do {
      got = ::read(file_.get(), to.data(), to.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      throw Error(ErrorCode::io,
                  fmt::format("{}: read error near byte {}: {}", label(), offset(), reason(errno)));
    }
    position_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
  }

  std::uint64_t seek_forward(std::uint64_t count) override {
    if (!size_ || *size_ <= position_) return 0;
    const std::uint64_t step = std::min(count, *size_ - position_);
    if (::lseek(file_.get(), static_cast<off_t>(step), SEEK_CUR) < 0) return 0;
    position_ += step;
    return step;
  }

 private:
  /// Until there is something to read, or the end.
  void wait() const {
    constexpr int kMilliseconds = 100;
    pollfd waited{.fd = file_.get(), .events = POLLIN, .revents = 0};
    while (::poll(&waited, 1, kMilliseconds) <= 0) {
      if (stops_waiting_()) {
        throw Error(ErrorCode::io,
                    fmt::format("{}: no more was waited for at byte {}", label(), offset()));
      }
    }
  }

  FileDescriptor file_;
  std::function<bool()> stops_waiting_;
  std::optional<std::uint64_t> size_;
  std::uint64_t position_ = 0;  // of the descriptor, which is ahead of offset() by the buffer
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(const std::string& path, std::span<const std::byte> bytes)
      : ByteSource(path), size_(bytes.size()), rest_(bytes) {}

  [[nodiscard]] std::optional<std::uint64_t> size() const override { return size_; }

 protected:
  std::size_t read_some(std::span<std::byte> to) override {
    const std::size_t count = std::min(to.size(), rest_.size());
    std::ranges::copy(rest_.first(count), to.begin());
    rest_ = rest_.subspan(count);
    return count;
  }

 private:
  std::uint64_t size_;
  std::span<const std::byte> rest_;
};

}  // namespace

std::string input_label(const std::string& path) { return path == "-" ? "standard input" : path; }

ByteSource::ByteSource(std::string path) : path_(std::move(path)), buffer_(kBufferBytes) {}

/// Adds bytes to the buffer, which has room for more; false at the end.
bool ByteSource::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const std::size_t got = read_some(std::span(buffer_).subspan(end_));
  end_ += got;
  return got > 0;
}

std::span<const std::byte> ByteSource::peek(std::size_t count) {
  count = std::min(count, kPeekLimit);
  while (end_ - begin_ < count && refill()) {
  }
  return std::span<const std::byte>(buffer_).subspan(begin_, std::min(count, end_ - begin_));
}

std::span<const std::byte> ByteSource::peek_through(std::byte last, std::size_t limit) {
  limit = std::min(limit, kPeekLimit);
  for (;;) {
    const auto shown =
        std::span<const std::byte>(buffer_).subspan(begin_, std::min(limit, end_ - begin_));
    const auto at = std::ranges::find(shown, last);
    if (at != shown.end()) {
      return shown.first(static_cast<std::size_t>(at - shown.begin()) + 1);
    }
    if (shown.size() == limit || !refill()) return shown;
  }
}

std::size_t ByteSource::take_buffered(std::span<std::byte> to) {
  const std::size_t count = std::min(to.size(), end_ - begin_);
  if (count > 0) std::memcpy(to.data(), buffer_.data() + begin_, count);
  begin_ += count;
  offset_ += count;
  return count;
}

std::size_t ByteSource::read(std::span<std::byte> to) {
  std::size_t done = take_buffered(to);
  while (done < to.size()) {
    const auto rest = to.subspan(done);
    std::size_t got = 0;
    if (rest.size() >= kBufferBytes) {
      got = read_some(rest);
      offset_ += got;
    } else {
      refill();
      got = take_buffered(rest);  // none at the end
    }
    if (got == 0) break;
    done += got;
  }
  return done;
}

std::uint64_t ByteSource::skip(std::uint64_t count) {
  const auto buffered = static_cast<std::size_t>(std::min<std::uint64_t>(count, end_ - begin_));
  begin_ += buffered;
  offset_ += buffered;
  std::uint64_t done = buffered;
  if (done < count) {
    const std::uint64_t sought = seek_forward(count - done);
    offset_ += sought;
    done += sought;
  }
  while (done < count) {
    refill();
    const auto step =
        static_cast<std::size_t>(std::min<std::uint64_t>(count - done, end_ - begin_));
    if (step == 0) break;
    begin_ += step;
    offset_ += step;
    done += step;
  }
  return done;
}

std::unique_ptr<ByteSource> open_byte_source(const std::string& path,
                                             std::function<bool()> stops_waiting) {
  return std::make_unique<FileSource>(path, std::move(stops_waiting));
}

std::unique_ptr<ByteSource> make_memory_source(const std::string& path,
                                               std::span<const std::byte> bytes) {
  return std::make_unique<MemorySource>(path, bytes);
}

}  // namespace hipvmaf
