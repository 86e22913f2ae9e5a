// Lower case as the exchange format uses it for names of properties
// (docs/requirements/exchange-format.md, section 2.5): the simple mapping of Unicode, one character
// to one, the same on every machine and in every locale.
#pragma once

#include <string>
#include <string_view>

namespace netml::engine {

// `text`, which is valid UTF-8, in lower case.
std::string lower_case(std::string_view text);
// The same, appended.
void append_lower_case(std::string& out, std::string_view text);

// Whether `text` has the words somewhere, in any case; every text has no words.
bool holds(std::string_view text, std::string_view words_in_lower_case);

}  // namespace netml::engine
