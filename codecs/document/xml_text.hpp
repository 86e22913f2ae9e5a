// Appends texts and times to XML as the exchange format has them
// (docs/requirements/exchange-format.md, section 11). Texts hold only characters that XML allows:
// others are refused where they would enter.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/time.hpp"

namespace netml::codecs {

// The text of an element. A carriage return is escaped because parsers read a bare one as a line
// feed.
void append_escaped(std::string& out, std::string_view text);
// An attribute's value with the quotes around it: single ones if it holds double ones only.
void append_quoted(std::string& out, std::string_view value);
// As format_instant.
void append_instant(std::string& out, Instant instant);

}  // namespace netml::codecs
