// Bearer tokens of requests (RFC 6750).
// Thread: any (pure functions).
#pragma once

#include <string_view>

#include "net/http/http.hpp"

namespace netml::admin {

// The value of "Authorization: Bearer <value>": any case, one space, one field; else empty.
std::string_view bearer_token(const net::Headers& headers);

// The one answer to every failed check of a caller (A2).
net::Response access_denied();

}  // namespace netml::admin
