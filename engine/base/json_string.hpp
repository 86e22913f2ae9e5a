// A text as a string of JSON: the one place that knows what must be escaped. For answers that are
// written straight into a text; trees of values are Boost.JSON's.
//
// Quotes and backslashes are escaped, and control characters as \u00XX: DEL, too, which JSON would
// allow, but a terminal that shows a log obeys. Bytes that are not UTF-8 become U+FFFD.
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

namespace netml {

void append_json_string(std::string& out, std::string_view text);  // with its quotes
std::string json_string(std::string_view text);

}  // namespace netml
