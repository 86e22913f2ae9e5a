// A port of 127.0.0.1 for a server that a test starts later, or never.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>

#include "engine/base/result.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::test {

// While it lives, nobody is given the port who asks for any: a socket is bound to it that allows
// others to use the address, and does not listen. Who connects is refused until a server listens
// there; it must allow to use the address, too (SO_REUSEADDR).
class ReservedPort {
 public:
  ReservedPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    NETML_ASSERT(::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    NETML_ASSERT(::bind(socket_.get(), any, size) == 0);
    NETML_ASSERT(::getsockname(socket_.get(), any, &size) == 0);
    number_ = ntohs(address.sin_port);
  }

  std::uint16_t number() const { return number_; }

 private:
  net::UniqueFd socket_;
  std::uint16_t number_ = 0;
};

}  // namespace netml::test
