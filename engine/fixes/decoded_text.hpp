// Text that was read in the wrong character set, or that holds entities of HTML, as it was meant.
//
// Thread: any (pure functions).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace netml::engine {

// The text that became `garbled`, which is valid UTF-8, when its UTF-8 was read as Latin-1 or
// Windows-1252, or when its characters were written as entities. Nothing where neither leads to a
// text without marks of that: letters that are lost cannot be guessed.
std::optional<std::string> decoded(std::string_view garbled);

}  // namespace netml::engine
