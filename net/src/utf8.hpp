// UTF-8 well-formedness, one sequence at a time.
// Thread: any (pure).
#pragma once

#include <cstddef>
#include <string_view>

namespace netml::net {

// Bytes of the well-formed sequence that `text` begins with; 0 when it is malformed or cut off.
std::size_t utf8_sequence_length(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace netml::net
