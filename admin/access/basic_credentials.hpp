// HTTP Basic (RFC 7617).
// Thread: any (pure function).
#pragma once

#include <optional>
#include <string>

#include "net/http/http.hpp"

namespace netml::admin {

struct Credentials {
  std::string name;
  std::string password;
};

// Nothing when there are none, or they are malformed.
std::optional<Credentials> basic_credentials(const net::Headers& headers);

}  // namespace netml::admin
