#include "engine/base/placeholder.hpp"

#include <algorithm>
#include <array>

#include "engine/base/texts.hpp"

namespace netml::engine {

namespace {

constexpr auto kPlaceholders = std::to_array<std::string_view>({
    "-",   "--",   "---",  ".",    "?",       "??",        "???",     "dummy",    "empty",
    "foo", "n.a.", "n/a",  "nan",  "nil",     "no name",   "noname",  "none",     "null",
    "tba", "tbd",  "test", "todo", "unknown", "undefined", "unnamed", "untitled", "xxx",
});

}  // namespace

bool is_placeholder(std::string_view text) {
  const std::string_view word = trimmed(text);
  return word.size() <= 9 &&
         std::ranges::binary_search(kPlaceholders, std::string_view(lower_ascii(word)));
}

}  // namespace netml::engine
