// UTF-8 taken apart into characters. Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace netml {

// The character that begins at text[at]; moves `at` behind it. `text` is valid UTF-8.
inline std::uint32_t take_character(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const unsigned following = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  std::uint32_t character = lead & (0x3fU >> following);
  for (unsigned i = 0; i < following && at < text.size(); ++i)
    character = character << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fU);
  return character;
}

}  // namespace netml
