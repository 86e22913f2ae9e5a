// Addresses of UNIX-domain sockets. A path beyond the system's 107 bytes is reached through its
// directory's descriptor, so a data directory may lie as deep as it likes.
//
// Thread: any.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

#include "engine/base/result.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::net {

// Valid while it lives.
struct UnixAddress {
  sockaddr_un value{};
  UniqueFd directory;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&value); }
  socklen_t size() const { return sizeof value; }
};

Result<UnixAddress> unix_address(const std::string& path);

}  // namespace netml::net
