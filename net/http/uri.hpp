// Request targets and host names: decoded, normalised and judged once, before routing (rule X5;
// docs/requirements/http-api.md, section 1).
//
// Thread: any (pure functions; HostAllowList is immutable).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

namespace netml::net {

struct Target {
  std::string path;       // begins with '/', no doubled slashes, decoded
  std::string query;      // as received
  std::string authority;  // of an absolute-form target, else empty
};

// Refuses encoded slashes and NUL, "..", backslashes, control bytes and raw non-ASCII bytes.
Result<Target> parse_target(std::string_view target);

// %XX decoded; nothing when an escape is malformed.
std::optional<std::string> percent_decode(std::string_view text);
// The same of a query or urlencoded body, where a plus is a blank.
std::optional<std::string> form_decode(std::string_view text);
// A decoded path as it may stand in a Location field.
std::string percent_encode_path(std::string_view path);
// A text as it may stand as a value of a query.
std::string percent_encode_value(std::string_view text);

// "example.org:8080" or "[::1]:8080" without the port, in lower case; nothing when malformed.
std::optional<std::string> host_name(std::string_view authority);

// Which names a client may call this server by (decision 33). With no list given: the loopback
// names and the address the connection came in on. A leading dot admits sub-domains; "*" all.
class HostAllowList {
 public:
  HostAllowList() = default;
  explicit HostAllowList(std::vector<std::string> names);
  // `local_address`: of this connection's own end, without port.
  bool allows(std::string_view host, std::string_view local_address) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace netml::net
