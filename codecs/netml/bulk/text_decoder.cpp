#include "codecs/netml/bulk/text_decoder.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "engine/base/utf8.hpp"

namespace netml::codecs {

namespace {

constexpr std::size_t kRefused = std::string_view::npos;

// A whole number of vector registers, so that the compiler works on many bytes at once.
constexpr std::size_t kDecodedBlockBytes = 64;
constexpr std::size_t kDecodedBlockUnits = kDecodedBlockBytes / sizeof(std::uint16_t);
constexpr std::uint32_t kAsciiEnd = 0x80;

bool append_narrow_block(const char* block, std::string& text) {
  std::uint8_t all = 0;  // of its width, so that a register holds many
  for (std::size_t i = 0; i < kDecodedBlockBytes; ++i)
    all = static_cast<std::uint8_t>(all | static_cast<std::uint8_t>(block[i]));
  if (all >= kAsciiEnd) return false;
  text.append(block, kDecodedBlockBytes);
  return true;
}

static_assert(std::endian::native == std::endian::little, "units are copied as they are");

template <bool kSwapped>
bool append_wide_block(const char* block, std::string& text) {
  std::array<std::uint16_t, kDecodedBlockUnits> units;
  std::array<char, kDecodedBlockUnits> characters;
  std::memcpy(units.data(), block, kDecodedBlockBytes);
  std::uint16_t all = 0;
  for (std::size_t i = 0; i < kDecodedBlockUnits; ++i) {
    const std::uint16_t unit =
        kSwapped ? static_cast<std::uint16_t>(units[i] << 8 | units[i] >> 8) : units[i];
    all = static_cast<std::uint16_t>(all | unit);
    characters[i] = static_cast<char>(unit);
  }
  if (all >= kAsciiEnd) return false;
  text.append(characters.data(), characters.size());
  return true;
}

bool is_surrogate(std::uint32_t unit) {
  return unit >= 0xd800 && unit < 0xe000;
}
bool is_first_surrogate(std::uint32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

}  // namespace

bool TextDecoder::append(std::string_view bytes, std::string& text) {
  if (encoding_ == TextEncoding::utf8) {
    text.append(bytes);
    return true;
  }
  if (!append_begun(bytes, text)) return false;
  while (!bytes.empty()) {
    if (bytes.size() >= kDecodedBlockBytes && append_block(bytes.data(), text)) {
      bytes.remove_prefix(kDecodedBlockBytes);
      continue;
    }
    // One block character by character; the last one may reach beyond it.
    for (std::size_t done = 0; done < kDecodedBlockBytes && !bytes.empty();) {
      const std::size_t count = append_character(bytes, text);
      if (count == kRefused) return false;
      if (count == 0) {
        begun_ = bytes;
        return true;
      }
      bytes.remove_prefix(count);
      done += count;
    }
  }
  return true;
}

// Completes the character that the last piece began, as far as there are bytes.
bool TextDecoder::append_begun(std::string_view& bytes, std::string& text) {
  while (!begun_.empty() && !bytes.empty()) {
    begun_ += bytes.front();
    bytes.remove_prefix(1);
    const std::size_t count = append_character(begun_, text);
    if (count == kRefused) return false;
    if (count != 0) begun_.clear();
  }
  return true;
}

// A block that is ASCII; false for any other, of which nothing is appended.
bool TextDecoder::append_block(const char* block, std::string& text) const {
  if (encoding_ == TextEncoding::utf16_little) return append_wide_block<false>(block, text);
  if (encoding_ == TextEncoding::utf16_big) return append_wide_block<true>(block, text);
  return append_narrow_block(block, text);
}

// The bytes of the character that `bytes` begin with, none of them if it is cut.
std::size_t TextDecoder::append_character(std::string_view bytes, std::string& text) const {
  if (is_wide()) return append_wide_character(bytes, text);
  const auto character = static_cast<unsigned char>(bytes.front());
  if (encoding_ == TextEncoding::ascii && character >= kAsciiEnd) return kRefused;
  append_utf8(text, character);
  return 1;
}

std::size_t TextDecoder::append_wide_character(std::string_view bytes, std::string& text) const {
  constexpr std::size_t kUnit = sizeof(std::uint16_t);
  if (bytes.size() < kUnit) return 0;
  const std::uint32_t first = unit_at(bytes);
  if (!is_surrogate(first)) {
    append_utf8(text, first);
    return kUnit;
  }
  if (!is_first_surrogate(first)) return kRefused;
  if (bytes.size() < 2 * kUnit) return 0;
  const std::uint32_t second = unit_at(bytes.substr(kUnit));
  if (!is_surrogate(second) || is_first_surrogate(second)) return kRefused;
  append_utf8(text, 0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff)));
  return 2 * kUnit;
}

std::uint32_t TextDecoder::unit_at(std::string_view bytes) const {
  const auto byte = [&bytes](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(bytes[i])};
  };
  return encoding_ == TextEncoding::utf16_little ? byte(1) << 8 | byte(0) : byte(0) << 8 | byte(1);
}

}  // namespace netml::codecs
