#include "media/container_magic.hpp"

namespace hipvmaf {
namespace {

constexpr std::byte kSync{0x47};

bool has_at(std::span<const std::byte> head, std::size_t offset, std::string_view magic) {
  if (head.size() < offset + magic.size()) return false;
  for (std::size_t i = 0; i < magic.size(); ++i) {
    if (head[offset + i] != static_cast<std::byte>(magic[i])) return false;
  }
  return true;
}

// A sync byte alone proves nothing (a grey picture has as many as samples), so several packet
// headers must make sense.
bool is_transport_stream(std::span<const std::byte> head) {
  constexpr std::size_t kPacketBytes = 188;
  if (head.size() < kTransportStreamBytes) return false;
  for (std::size_t at = 0; at < kTransportStreamBytes; at += kPacketBytes) {
    const bool transport_error = (head[at + 1] & std::byte{0x80}) != std::byte{0};
    const bool has_content = (head[at + 3] & std::byte{0x30}) != std::byte{0};
    if (head[at] != kSync || head[at + 1] == kSync || transport_error || !has_content) return false;
  }
  return true;
}

}  // namespace

bool may_be_transport_stream(std::span<const std::byte> head) {
  return !head.empty() && head[0] == kSync;
}

std::string_view container_kind(std::span<const std::byte> head) {
  if (is_y4m(head)) return "a Y4M file";
  if (has_at(head, 4, "ftyp")) return "an MP4 file";
  if (has_at(head, 0, "\x1A\x45\xDF\xA3")) return "a Matroska or WebM file";
  if (has_at(head, 0, "RIFF") && has_at(head, 8, "AVI ")) return "an AVI file";
  if (has_at(head, 0, "DKIF")) return "an IVF file";
  if (is_transport_stream(head)) return "an MPEG transport stream";
  return {};
}

bool is_y4m(std::span<const std::byte> head) { return has_at(head, 0, "YUV4MPEG"); }

}  // namespace hipvmaf
