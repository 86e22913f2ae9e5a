#include "codecs/netml/bulk/plain_text.hpp"

#include <cstddef>
#include <cstdint>

namespace netml::codecs {

namespace {

// A whole number of vector registers, so that the compiler checks many bytes at once.
constexpr std::size_t kBlockBytes = 64;

bool is_plain_ascii(const char* block) {
  unsigned others = 0;
  for (std::size_t i = 0; i < kBlockBytes; ++i) {
    const auto byte = static_cast<signed char>(block[i]);  // negative beyond ASCII
    others |= static_cast<unsigned>((byte < ' ') & (byte != '\t') & (byte != '\n'));
  }
  return others == 0;
}

// Bytes of the character that begins `text`; 0 when it is none or must not be.
std::size_t plain_character_bytes(std::string_view text) {
  const auto byte = [text](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto follows = [&byte](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' ? 1 : 0;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return follows(1) ? 2 : 0;
  if (lead < 0xf0) {
    if (!follows(1) || !follows(2)) return 0;
    const std::uint32_t code = (lead & 0xf) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code >= 0x800 && !surrogate && code < 0xfffe ? 3 : 0;
  }
  if (lead > 0xf4 || !follows(1) || !follows(2) || !follows(3)) return 0;
  const std::uint32_t high = (lead & 0x7) << 6 | (byte(1) & 0x3f);  // without the last 12 bits
  return high >= 0x10 && high <= 0x10f ? 4 : 0;
}

}  // namespace

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    if (text.size() >= kBlockBytes && is_plain_ascii(text.data())) {
      text.remove_prefix(kBlockBytes);
      continue;
    }
    // One block character by character; the last one may reach beyond it.
    for (std::size_t done = 0; done < kBlockBytes && !text.empty();) {
      const std::size_t bytes = plain_character_bytes(text);
      if (bytes == 0) return false;
      text.remove_prefix(bytes);
      done += bytes;
    }
  }
  return true;
}

}  // namespace netml::codecs
