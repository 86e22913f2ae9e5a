#include "admin/cli/client/control.hpp"

namespace netml::admin::cli {

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

void append_encoded(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 0xf];
  }
}

}  // namespace

Target& Target::segment(std::string_view name) {
  text_ += '/';
  append_encoded(text_, name);
  return *this;
}

Target& Target::query(std::string_view name, const std::optional<std::string>& value) {
  if (!value) return *this;
  text_ += std::exchange(has_query_, true) ? '&' : '?';
  append_encoded(text_, name);
  text_ += '=';
  append_encoded(text_, *value);
  return *this;
}

Target& Target::flag(std::string_view name, bool set) {
  return set ? query(name, "1") : *this;
}

}  // namespace netml::admin::cli
