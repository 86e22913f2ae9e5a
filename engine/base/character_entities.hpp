// Entities of characters, as HTML and GML write them: "&amp;", "&eacute;", "&#233;", "&#xe9;".
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace netml {

// With the characters instead of their entities: those of markup, of Latin-1 by name, all by
// number. What is no entity stays, and what stands for a character that is not allowed.
std::string without_entities(std::string_view text, bool (*is_allowed)(std::uint32_t character));

}  // namespace netml
