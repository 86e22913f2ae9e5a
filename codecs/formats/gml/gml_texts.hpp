// Texts of GML files. The language is ASCII with entities of HTML for all else, but files come in
// Latin-1 and UTF-8, too.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

namespace netml::codecs {

// What a file says in UTF-8: what is none is taken as Latin-1.
std::string gml_in_utf8(std::string_view bytes);
// With characters instead of &amp;, &eacute; (those of Latin-1), &#233; and &#xe9;. What is no such
// entity stays as it is, and so does one of a character that no map holds.
std::string without_entities(std::string_view text);
// Whether all its characters are such as XML allows; the text is UTF-8.
bool is_text_of_a_map(std::string_view text);

// Adds a text in ASCII, as strings of GML have it between their quotes.
void append_gml(std::string& out, std::string_view text);

// The label of a node whose name other nodes have, too: labels must be distinct. More may follow.
std::string made_gml_label(std::string_view name, std::string_view identifier);

// A key as everybody reads it: a letter, then letters, digits and underscores.
bool is_gml_key(std::string_view text);

}  // namespace netml::codecs
