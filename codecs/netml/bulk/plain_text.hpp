// Checks the bytes of text for the bulk path of reading: what XML allows in UTF-8, without
// carriage returns, which a parser would have to replace.
#pragma once

#include <string_view>

namespace netml::codecs {

// Every byte belongs to a tab, a line feed or a character of XML from U+0020 on.
bool is_plain_text(std::string_view text);

}  // namespace netml::codecs
