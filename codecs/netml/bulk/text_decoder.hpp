// Gives text in other encodings as UTF-8, piece by piece, so that what reads it knows no other.
//
// Ownership: of a character that is cut by the end of a piece. Failure: append gives false for
// bytes that are no characters of the encoding; the decoder is of no more use then. What it appends
// may still be characters that XML forbids. Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace netml::codecs {

enum class TextEncoding : std::uint8_t { utf8, ascii, latin1, utf16_little, utf16_big };

// Bytes of one character become so many times as many at most.
inline constexpr std::size_t kDecodedGrowthMax = 2;

class TextDecoder {
 public:
  explicit TextDecoder(TextEncoding encoding) : encoding_(encoding) {}

  TextEncoding encoding() const { return encoding_; }
  bool append(std::string_view bytes, std::string& text);
  // The text may end here.
  bool complete() const { return begun_.empty(); }

 private:
  bool is_wide() const {
    return encoding_ == TextEncoding::utf16_little || encoding_ == TextEncoding::utf16_big;
  }
  bool append_begun(std::string_view& bytes, std::string& text);
  bool append_block(const char* block, std::string& text) const;
  std::size_t append_character(std::string_view bytes, std::string& text) const;
  std::size_t append_wide_character(std::string_view bytes, std::string& text) const;
  std::uint32_t unit_at(std::string_view bytes) const;

  TextEncoding encoding_;
  std::string begun_;  // the first bytes of a character
};

}  // namespace netml::codecs
