// Bytes in order from a file, a pipe, standard input or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hipvmaf {

/// What messages call an input: its path, or "standard input" for "-".
[[nodiscard]] std::string input_label(const std::string& path);

/// A sequence of bytes, read once from its start, with a small buffer in front so that the first
/// bytes can be looked at and small reads are cheap. Not thread-safe.
class ByteSource {
 public:
  /// Most bytes that peek() can show.
  static constexpr std::size_t kPeekLimit = 4096;

  explicit ByteSource(std::string path);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Path as given, "-" for standard input.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string label() const { return input_label(path_); }

  /// Bytes read or skipped so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

  /// The next `count` (at most kPeekLimit) bytes without taking them; fewer only at the end. The
  /// view holds until the next call.
  [[nodiscard]] std::span<const std::byte> peek(std::size_t count);

  /// The next bytes up to and with the first `last` among them, without waiting for what comes
  /// behind it; without `last` if it is not among the next `limit` (at most kPeekLimit) bytes.
  [[nodiscard]] std::span<const std::byte> peek_through(std::byte last, std::size_t limit);

  /// Fills `to` and returns how many bytes that took: fewer than its size only at the end.
  /// Throws Error(io).
  std::size_t read(std::span<std::byte> to);

  /// Drops `count` bytes, by seeking where possible, and returns how many there were.
  std::uint64_t skip(std::uint64_t count);

  /// Bytes from the start to the end; nothing where only reading tells (pipes).
  [[nodiscard]] virtual std::optional<std::uint64_t> size() const { return std::nullopt; }

 protected:
  /// Reads some bytes behind the buffered ones; 0 only at the end.
  virtual std::size_t read_some(std::span<std::byte> to) = 0;

  /// Moves forward by up to `count` bytes, not past the end, and returns by how many. Sources that
  /// cannot seek return 0 and are read through.
  virtual std::uint64_t seek_forward(std::uint64_t /*count*/) { return 0; }

 private:
  bool refill();
  std::size_t take_buffered(std::span<std::byte> to);

  std::string path_;
  std::uint64_t offset_ = 0;
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0;  // buffered bytes not yet taken: [begin_, end_)
  std::size_t end_ = 0;
};

/// Opens a file, FIFO or device, or standard input ("-"). Throws Error(io) if it is missing, cannot
/// be opened or is a directory. `stops_waiting` is asked a few times a second while a pipe or a
/// device has nothing to read, and ends the wait with Error(io) if it returns true.
[[nodiscard]] std::unique_ptr<ByteSource> open_byte_source(
    const std::string& path, std::function<bool()> stops_waiting = nullptr);

/// Reads from memory, which must outlive the source. `path` is for messages.
[[nodiscard]] std::unique_ptr<ByteSource> make_memory_source(const std::string& path,
                                                             std::span<const std::byte> bytes);

}  // namespace hipvmaf
