// Sockets of the client on Asio, each with a loop of its own that runs only while somebody waits.
// Thread: one at a time.
#pragma once

#include <sys/socket.h>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <stop_token>

#include "net/client/outgoing.hpp"

namespace netml::net {

struct Socket {
  // Wakes whoever waits for the socket, on any thread.
  struct ShutDown {
    int socket;
    void operator()() const { ::shutdown(socket, SHUT_RDWR); }
  };

  // Asio's own would be left open in programs that are started meanwhile. Throws without one.
  explicit Socket(int family)
      : socket(loop, {family, 0}, ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}

  boost::asio::io_context loop{1};
  boost::asio::generic::stream_protocol::socket socket;
  std::optional<std::stop_callback<ShutDown>> ends;  // gone before the socket is closed
};

Result<std::unique_ptr<Socket>> connected(const TcpAddress& address,
                                          std::chrono::milliseconds at_most,
                                          const std::stop_token& stop);
// A channel over it.
std::unique_ptr<ByteChannel> plain(std::unique_ptr<Socket> socket);
// Returns when the peer has shown who it is; nothing of the caller's was sent before.
tl::expected<std::unique_ptr<ByteChannel>, OutgoingError> encrypted(
    std::unique_ptr<Socket> socket, const Peer& peer, std::chrono::milliseconds at_most);

inline tl::unexpected<OutgoingError> problem(OutgoingProblem kind, std::string message) {
  return tl::unexpected(OutgoingError{kind, std::move(message)});
}

}  // namespace netml::net
