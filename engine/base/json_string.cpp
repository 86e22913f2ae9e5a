#include "engine/base/json_string.hpp"

#include <algorithm>

#include "engine/base/utf8.hpp"

namespace netml {

namespace {

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (c == '"' || c == '\\') {
    out += {'\\', c};
    return;
  }
  const auto code = static_cast<unsigned char>(c);
  out += "\\u00";
  out += {kDigits[code >> 4], kDigits[code & 0xf]};
}

}  // namespace

// Most texts are plain from one end to the other.
void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (true) {
    const auto plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0)
      out += "\\ufffd";
    else if (length == 1)
      append_escape(out, text.front());
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace netml
