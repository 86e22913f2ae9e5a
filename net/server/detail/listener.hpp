// Listening sockets, TCP and UNIX-domain, made and accepted from with the system's own calls:
// accept4() gives one descriptor for every kind of stream, and lets us tell its failures apart.
//
// Thread: any for the free functions.
#pragma once

#include <string>

#include "net/connection/request_head.hpp"
#include "net/http/unique_fd.hpp"
#include "net/server/http_server.hpp"

namespace netml::net {

struct BoundTcp {
  UniqueFd socket;
  int family = 0;
  TcpAddress address;  // with the port bound
};

Result<BoundTcp> bind_tcp(const TcpAddress& address);
// A socket that another process has bound and that listens. Errc::invalid_input when it is none for
// clients over TCP: who may speak to a UNIX-domain one is decided otherwise.
Result<BoundTcp> adopt_tcp(UniqueFd socket);
// Mode 0600 from the first moment. Paths longer than the system's limit work.
Result<UniqueFd> bind_unix(const std::string& path);

struct Accepted {
  UniqueFd socket;  // non-blocking
  int error = 0;    // errno when there is no socket
};
Accepted accept_one(int listener);

// Addresses of both ends of an accepted TCP socket.
RemoteEnd tcp_peer(int socket);
// The user that opened the other end of a UNIX-domain socket; nothing when it is not known.
std::optional<std::uint32_t> peer_user(int socket);

}  // namespace netml::net
