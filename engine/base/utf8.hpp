// UTF-8: well-formedness, one sequence at a time, and writing.
// Thread: any (pure functions); a checker its owner's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace netml {

// Bytes of the well-formed sequence that `text` begins with; 0 when it is malformed or cut off.
std::size_t utf8_sequence_length(std::string_view text);

bool is_utf8(std::string_view text);

// The same for a text that comes in pieces, cut anywhere.
class Utf8Checker {
 public:
  // False from the first byte on that no well-formed text can have there.
  bool push(std::string_view piece);
  // Whether all of it was well-formed, now that nothing follows.
  bool finish() const { return well_formed_ && begun_.empty(); }

 private:
  std::string begun_;  // a sequence whose end has not come yet
  bool well_formed_ = true;
};

// Adds a character; it is no surrogate.
void append_utf8(std::string& text, std::uint32_t character);

}  // namespace netml
