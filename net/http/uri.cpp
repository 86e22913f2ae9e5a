#include "net/http/uri.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/texts.hpp"
#include "net/http/http.hpp"

namespace netml::net {
namespace {

bool is_printable_ascii(char c) {
  return c > 0x20 && c < 0x7f;
}

tl::unexpected<Error> bad_target(std::string_view why) {
  return fail(Errc::invalid_input, fmt::format("bad request target: {}", why));
}

Result<std::string> decode_path(std::string_view raw) {
  for (std::size_t i = raw.find('%'); i != raw.npos; i = raw.find('%', i + 1)) {
    // Decoding them would change how many segments the path has.
    const std::string_view escape = raw.substr(i, 3);
    if (equals_ignoring_case(escape, "%2f") || equals_ignoring_case(escape, "%5c"))
      return bad_target("an encoded slash");
  }
  std::optional<std::string> path = percent_decode(raw);
  if (!path) return bad_target("a malformed escape");
  for (const char c : *path) {
    if ((c >= 0 && c < 0x20) || c == 0x7f) return bad_target("a control character");
    if (c == '\\') return bad_target("a backslash");
  }
  return *std::move(path);
}

std::string merge_slashes(std::string_view path) {
  std::string merged;
  for (const char c : path) {
    if (c != '/' || merged.empty() || merged.back() != '/') merged += c;
  }
  return merged;
}

bool has_parent_segment(std::string_view path) {
  return path.find("/../") != path.npos || path.ends_with("/..");
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool is_loopback_name(std::string_view host) {
  return host == "localhost" || host == "[::1]" || host == "127.0.0.1";
}

bool is_port(std::string_view text) {
  return text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool matches(std::string_view pattern, std::string_view host) {
  if (pattern == "*") return true;
  if (pattern.starts_with('.')) return host.ends_with(pattern) || host == pattern.substr(1);
  return host == pattern;
}

}  // namespace

Result<Target> parse_target(std::string_view target) {
  if (!std::all_of(target.begin(), target.end(), is_printable_ascii))
    return bad_target("a byte that is not printable ASCII");
  Target parsed;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (target.size() < scheme.size()) continue;
    if (!equals_ignoring_case(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    parsed.authority = target.substr(0, target.find_first_of("/?"));
    target.remove_prefix(parsed.authority.size());
    if (parsed.authority.empty()) return bad_target("no host");
    if (!target.starts_with('/')) target = "/";
    break;
  }
  if (!target.starts_with('/')) return bad_target("it does not begin with a slash");
  if (target.find('#') != target.npos) return bad_target("a fragment");
  const std::size_t question = std::min(target.find('?'), target.size());
  parsed.query = target.substr(std::min(target.size(), question + 1));
  NETML_TRY(const std::string path, decode_path(target.substr(0, question)));
  parsed.path = merge_slashes(path);
  if (has_parent_segment(parsed.path)) return bad_target("a '..' segment");
  return parsed;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::optional<std::string> form_decode(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return percent_decode(spaced);
}

namespace {

// `plain`: what stays as it is, besides letters and digits.
std::string percent_encode(std::string_view text, std::string_view plain) {
  std::string out;
  for (const char c : text) {
    const bool letter_or_digit =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter_or_digit || plain.find(c) != plain.npos)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

std::string percent_encode_path(std::string_view path) {
  return percent_encode(path, "/-._~!$&'()*+,;=:@");
}

std::string percent_encode_value(std::string_view text) {
  return percent_encode(text, "/-._~");
}

std::optional<std::string> host_name(std::string_view authority) {
  std::string_view host;
  if (authority.starts_with('[')) {
    host = authority.substr(0, std::min(authority.size(), authority.find(']') + 1));
    if (host.size() < 4) return std::nullopt;
  } else {
    host = authority.substr(0, authority.find(':'));
  }
  const std::string_view port = authority.substr(host.size());
  if (!port.empty() && (port.front() != ':' || !is_port(port.substr(1)))) return std::nullopt;

  std::string name = lower_ascii(host);
  if (name.starts_with('[')) {
    const bool fits = std::all_of(name.begin() + 1, name.end() - 1,
                                  [](char c) { return hex_value(c) >= 0 || c == ':' || c == '.'; });
    return fits ? std::optional(name) : std::nullopt;
  }
  if (name.ends_with('.')) name.pop_back();  // the absolute form of a DNS name
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_host_character))
    return std::nullopt;
  return name;
}

HostAllowList::HostAllowList(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::string& name : names_) name = lower_ascii(name);
}

bool HostAllowList::allows(std::string_view host, std::string_view local_address) const {
  if (names_.empty()) {
    return is_loopback_name(host) || host == local_address ||
           host == fmt::format("[{}]", local_address);
  }
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& name) { return matches(name, host); });
}

}  // namespace netml::net
