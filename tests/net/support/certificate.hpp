// Self-signed certificates made on the spot, so that no key lies in the tree.
#pragma once

#include <string>

#include "net/http_server.hpp"

namespace netml::net {

// Writes chain and key (mode 0600) into `directory`, for the name "localhost".
TlsFiles make_certificate(const std::string& directory, const std::string& common_name);

}  // namespace netml::net
