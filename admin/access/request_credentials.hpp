// What a request shows of who asks, in its field Authorization: a bearer token (RFC 6750), or a
// name and a password (HTTP Basic, RFC 7617). Thread: any (pure functions).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http/http.hpp"

namespace netml::admin {

// The value of "Authorization: Bearer <value>": any case, one space, one field; else empty.
std::string_view bearer_token(const net::Headers& headers);

struct Credentials {
  std::string name;
  std::string password;
};

// Of HTTP Basic. Nothing when there are none, or they are malformed.
std::optional<Credentials> basic_credentials(const net::Headers& headers);

// The one answer to every failed check of a caller (A2).
net::Response access_denied();

}  // namespace netml::admin
