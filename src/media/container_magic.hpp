// Tells well-known video files by their first bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace hipvmaf {

inline constexpr std::size_t kMagicBytes = 12;
inline constexpr std::size_t kTransportStreamBytes = 4 * 188 + 4;

/// Whether a longer `head` may tell more.
[[nodiscard]] bool may_be_transport_stream(std::span<const std::byte> head);

/// The kind of file that begins with `head` ("an MP4 file", ...), empty if it is none of the known
/// ones. Takes kMagicBytes to tell most, kTransportStreamBytes to tell MPEG-TS.
[[nodiscard]] std::string_view container_kind(std::span<const std::byte> head);

/// Whether a file that begins with `head` is Y4M.
[[nodiscard]] bool is_y4m(std::span<const std::byte> head);

}  // namespace hipvmaf
