#include "admin/polling/source_address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/texts.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kHostnameMax = 253;
constexpr std::size_t kLabelMax = 63;
constexpr std::size_t kPathMax = 255;
constexpr std::string_view kSnapshotPath = "published_network_data/current/";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_hex_digit(char c) {
  return hex_value(c) >= 0;
}

// Whether writing the address down gives the text again, so that there is no other reading of it.
bool is_canonical(int family, std::string_view text) {
  in6_addr address{};
  char again[INET6_ADDRSTRLEN] = {};
  return ::inet_pton(family, std::string(text).c_str(), &address) == 1 &&
         ::inet_ntop(family, &address, again, sizeof again) != nullptr && text == again;
}

bool is_label(std::string_view label) {
  const auto allowed = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; };
  return !label.empty() && label.size() <= kLabelMax && label.front() != '-' &&
         label.back() != '-' && std::ranges::all_of(label, allowed);
}

// What some programs take for an IPv4 address in another notation.
bool is_number(std::string_view label) {
  if (label.starts_with("0x") || label.starts_with("0X"))
    return std::ranges::all_of(label.substr(2), is_hex_digit);
  return std::ranges::all_of(label, is_digit);
}

bool is_host(std::string_view text) {
  if (text.find(':') != std::string_view::npos) return is_canonical(AF_INET6, text);
  std::string_view label;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    label = text.substr(begin, end - begin);
    if (!is_label(label)) return false;
    begin = end + 1;
  }
  return !is_number(label) || is_canonical(AF_INET, text);
}

bool is_path(std::string_view text) {
  const auto allowed = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("._~-").find(c) != std::string_view::npos;
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('/', begin);
    if (end == std::string_view::npos) return false;
    const std::string_view segment = text.substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == ".." ||
        !std::ranges::all_of(segment, allowed))
      return false;
    begin = end + 1;
  }
  return true;
}

std::string url(const engine::PollingSource& source, std::string_view path) {
  const bool v6 = source.hostname.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}/{}", enumerant_name(source.protocol), v6 ? "[" : "",
                     source.hostname, v6 ? "]" : "", source.port, path);
}

}  // namespace

Status check_hostname(std::string_view text) {
  if (text.empty() || text.size() > kHostnameMax || !is_host(text))
    return fail(Errc::invalid_input,
                fmt::format("the host is a name of at most {} characters, or an IP address in its "
                            "usual spelling, without protocol, port, brackets or user",
                            kHostnameMax));
  return {};
}

Status check_source_path(std::string_view text) {
  if (text.size() > kPathMax || !is_path(text))
    return fail(Errc::invalid_input,
                fmt::format("the path has at most {} characters: letters, digits and - . _ ~ in "
                            "segments that each end with a slash, without one in front",
                            kPathMax));
  return {};
}

Result<engine::Protocol> parse_protocol(std::string_view text) {
  if (const auto protocol = engine::parse_enumerant<engine::Protocol>(text)) return *protocol;
  return fail(Errc::invalid_input, "protocol", "must be https or http");
}

std::string base_url(const engine::PollingSource& source) {
  return url(source, source.path);
}

std::string polling_url(const engine::PollingSource& source) {
  if (source.kind == engine::SourceKind::netbox) return base_url(source) + "api/";
  return base_url(source) + "netml_export/";
}

std::string status_url(const engine::PollingSource& source) {
  if (source.kind == engine::SourceKind::netbox) return polling_url(source) + "status/";
  std::string_view path = source.path;
  const std::string_view before =
      path.substr(0, path.size() - std::min(path.size(), kSnapshotPath.size()));
  if (path.ends_with(kSnapshotPath) && (before.empty() || before.ends_with('/'))) path = before;
  return url(source, path) + "status/";
}

}  // namespace netml::admin
