#include "engine/base/utf8.hpp"

namespace netml {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

// The second byte's range excludes overlong forms, surrogates and code points above U+10FFFF.
bool second_byte_fits(std::uint8_t first, std::uint8_t second) {
  const std::uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const std::uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= least && second <= most;
}

}  // namespace

std::size_t utf8_sequence_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint8_t first = byte_at(text, 0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() < length || !second_byte_fits(first, byte_at(text, 1))) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

namespace {
// Whether a few more bytes could make a sequence of `text`: at most three, all but the last of one.
bool may_be_begun(std::string_view text) {
  if (text.empty() || text.size() > 3) return false;
  const std::uint8_t first = byte_at(text, 0);
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || text.size() >= length) return false;
  if (text.size() > 1 && !second_byte_fits(first, byte_at(text, 1))) return false;
  return text.size() < 3 || (byte_at(text, 2) & 0xc0) == 0x80;
}
}  // namespace

bool Utf8Checker::push(std::string_view piece) {
  while (well_formed_ && !begun_.empty() && !piece.empty()) {
    begun_ += piece.front();
    piece.remove_prefix(1);
    if (utf8_sequence_length(begun_) != 0)
      begun_.clear();
    else
      well_formed_ = may_be_begun(begun_);
  }
  while (well_formed_ && !piece.empty()) {
    const std::size_t length = utf8_sequence_length(piece);
    if (length == 0) {
      begun_ = piece.substr(0, 4);
      well_formed_ = piece.size() < 4 && may_be_begun(piece);
      break;
    }
    piece.remove_prefix(length);
  }
  return well_formed_;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void append_utf8(std::string& text, std::uint32_t character) {
  const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto add_following = [&](unsigned shift) { add(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xc0 | character >> 6);
  } else if (character < 0x10000) {
    add(0xe0 | character >> 12);
    add_following(6);
  } else {
    add(0xf0 | character >> 18);
    add_following(12);
    add_following(6);
  }
  add_following(0);
}

}  // namespace netml
